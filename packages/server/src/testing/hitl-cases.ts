/** Cases for tests: opens them, and follows only the addresses that their 202 gives. */

import type { TestCall, TestReply, TestServer } from "./test-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
type Wire = any;

export const APPROVAL = { type: "approval", prompt: "Publish version 2?" } as const;
export const CONFIRMATION = {
  type: "confirmation",
  prompt: "Send both letters?",
  context: {
    items: [
      { id: "a", label: "To Ada" },
      { id: "b", label: "To Grace" },
    ],
  },
} as const;
export const ESCALATION = {
  type: "escalation",
  prompt: "The upload failed. What now?",
  context: { error: { title: "Timeout" }, params: { size: 1, region: "eu" } },
} as const;
export const SELECTION = {
  type: "selection",
  prompt: "Which ones?",
  context: {
    items: [
      { id: "a", title: "First" },
      { id: "b", title: "Second" },
      { id: "c", title: "Third" },
    ],
  },
} as const;
export const INPUT = {
  type: "input",
  prompt: "Your details, please",
  context: {
    form: {
      session_id: "form_1",
      steps: [
        {
          title: "You",
          fields: [
            { key: "name", label: "Name", type: "text", required: true },
            {
              key: "kind",
              label: "Kind",
              type: "select",
              options: [
                { value: "full", label: "Full" },
                { value: "part", label: "Part" },
              ],
            },
          ],
        },
        {
          title: "Pay",
          fields: [
            {
              key: "rate",
              label: "Rate",
              type: "number",
              required: true,
              conditional: { field: "kind", operator: "eq", value: "part" },
            },
            { key: "tax_id", label: "Tax id", type: "text", sensitive: true },
          ],
        },
        { title: "Review", fields: [] },
      ],
    },
  },
} as const;

/** What an agent sends for a person who pressed a button. */
export const TAPPED = {
  submitted_via: "telegram_inline_button",
  submitted_by: { platform: "telegram", platform_user_id: "4711", display_name: "Ada" },
} as const;

/** A case as its 202 describes it, with calls to the addresses in it. */
export class TestCase {
  readonly reply: TestReply;
  readonly hitl: Wire;
  readonly #test: TestServer;
  readonly #key: string;

  constructor(test: TestServer, reply: TestReply, key: string) {
    this.#test = test;
    this.#key = key;
    this.reply = reply;
    this.hitl = reply.body.hitl;
  }

  get id(): string {
    return this.hitl.case_id;
  }

  get holdId(): string {
    return `hold_${this.id.slice("review_".length)}`;
  }

  get token(): string {
    return new URL(this.hitl.review_url).searchParams.get("token") ?? "";
  }

  /** An address beside the poll address. */
  at(what: string, token = this.token): string {
    return `${pathOf(this.hitl.poll_url).replace(/status(\?.*)?$/, what)}?token=${token}`;
  }

  poll(call: TestCall = {}): Promise<TestReply> {
    return this.#test.call("GET", pathOf(this.hitl.poll_url), { key: this.#key, ...call });
  }

  open(headers: Readonly<Record<string, string>> = {}): Promise<TestReply> {
    return this.#test.call("GET", pathOf(this.hitl.review_url), {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", ...headers },
    });
  }

  respond(body: unknown, token = this.token): Promise<TestReply> {
    return this.#test.call("POST", this.at("respond", token), { body });
  }

  submit(body: object, token: string = this.hitl.submit_token): Promise<TestReply> {
    const url = pathOf(this.hitl.submit_url ?? this.at("submit"));
    return this.#test.call("POST", url.replace(/\?.*/, ""), { key: token, body: { ...TAPPED, ...body } });
  }

  cancel(body: object = {}): Promise<TestReply> {
    return this.#test.call("POST", this.at("cancel"), { body });
  }

  progress(body: object = {}): Promise<TestReply> {
    return this.#test.call("POST", this.at("progress"), { body });
  }
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, "http://localhost");
  return pathname + search;
}

export interface Opening {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function create(
  test: TestServer,
  body: unknown,
  { key = test.keys.agent, headers }: Opening = {},
): Promise<TestReply> {
  return test.call("POST", "/hitl/v1/cases", { key, body, ...(headers === undefined ? {} : { headers }) });
}

export async function openCase(
  test: TestServer,
  body: unknown = APPROVAL,
  opening: Opening = {},
): Promise<TestCase> {
  const reply = await create(test, body, opening);
  if (reply.status !== 202) throw new Error(`no case: ${reply.status} ${JSON.stringify(reply.body)}`);
  return new TestCase(test, reply, opening.key ?? test.keys.agent);
}

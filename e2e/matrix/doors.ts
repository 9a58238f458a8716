/** Every door through which a person answers, and what each says to somebody who comes too late. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ACTION_INPUT } from "@holdpoint/protocol/rules";
import type { Page } from "playwright-core";
import { chatDoor } from "./chat-doors.ts";
import type { Placed, Yes } from "./placements.ts";
import { MAIL_AFTER_MS, onSite, type Wire, type World } from "./world.ts";

/** `accepted`, or the refusal in the door's own words. */
export type Said = "accepted" | (string & {});

export interface Door {
  /** Why this hold cannot be answered here; absent: it can. */
  readonly closed?: (placed: Placed) => string | null;
  /** What whoever comes through it has in hand before the hold ends. */
  readonly prepare?: (world: World, placed: Placed) => Promise<void>;
  readonly answer: (world: World, placed: Placed) => Promise<Said>;
  /** For whoever comes too late, where the same answer again would be welcome. */
  readonly differ?: (world: World, placed: Placed) => Promise<Said>;
  /** What it says once the hold has an ending. */
  readonly late: Readonly<Record<"decided" | "expired" | "cancelled", RegExp>>;
  /** What it takes to go through it, where that is more than a request. */
  readonly cost?: "process" | "browser" | "chat";
}

const COMMAND = fileURLToPath(new URL("../../packages/server/src/cli/main.ts", import.meta.url));

const ALREADY = {
  decided: /already_settled/,
  expired: /hold_expired/,
  cancelled: /already_settled/,
} as const;
const PAGE = {
  decided: /Already answered|Your answer was recorded/,
  expired: /Expired\s*Nobody answered until/,
  cancelled: /Withdrawn\s*The question was cancelled/,
} as const;

export const DOORS = {
  "native REST": {
    late: ALREADY,
    answer: async ({ answering }, { holdId, yes }) => {
      const body = { action: yes.action, data: {} };
      const reply = await answering.call("POST", `/v1/holds/${holdId}/answer`, "operator", body);
      return reply.status === 200 ? "accepted" : reply.body.code;
    },
  },

  "console in a browser": {
    cost: "browser",
    late: PAGE,
    answer: async (world, { holdId, yes }) => {
      const page = await world.consolePage();
      await page.goto(`${world.answering.url}/console/holds/${holdId}`);
      return press(page, yes, () => page.getByText("Recorded").first().waitFor());
    },
  },

  "review page in a browser": {
    cost: "browser",
    late: PAGE,
    prepare: async (world, placed) => void links.set(placed.holdId, await reviewLink(world, placed)),
    answer: async (world, placed) => {
      const page = await world.reviewerPage();
      await page.goto(links.get(placed.holdId) ?? "");
      return press(page, placed.yes, () => page.locator(".hp-ending").first().waitFor());
    },
  },

  "HITL inline submit": {
    prepare: async (world, placed) => void tokens.set(placed.holdId, await submitToken(world, placed)),
    late: { decided: /duplicate_submission/, expired: /case_expired/, cancelled: /case_cancelled|duplicate/ },
    answer: async ({ answering }, { holdId, inline, yes }) => {
      const url = inline?.url ?? `/reviews/${holdId.replace("hold_", "review_")}/respond`;
      const reply = await fetch(onSite(new URL(url, answering.url).href, answering), {
        method: "POST",
        headers: { authorization: `Bearer ${tokens.get(holdId)}`, "content-type": "application/json" },
        body: JSON.stringify({
          action: yes.action,
          submitted_via: "telegram_inline_button",
          submitted_by: { platform: "telegram", platform_user_id: "4711", display_name: "Ada" },
        }),
      });
      const body = (await reply.json()) as { readonly error?: string };
      return reply.status === 200 ? "accepted" : (body.error ?? String(reply.status));
    },
  },

  "OpenIntent respond": {
    closed: ({ intent }) => (intent === undefined ? "not on an intent" : null),
    late: {
      decided: /already_resolved/,
      expired: /suspension_expired/,
      cancelled: /already_resolved|not_suspended/,
    },
    answer: async ({ answering }, { intent, yes }) => {
      const path = `/api/v1/intents/${intent?.id}/suspend/respond`;
      const given = {
        suspension_id: intent?.suspensionId,
        value: yes.value,
        responded_by: "ada",
        metadata: {},
      };
      const reply = await answering.call("POST", path, "operator", given);
      return reply.status === 200 ? "accepted" : reply.body.error;
    },
  },

  "AG-UI resume": {
    closed: ({ conversation }) => (conversation === undefined ? "not of a run" : null),
    late: {
      decided: /INTERRUPT_ALREADY_RESOLVED/,
      expired: /INTERRUPT_EXPIRED/,
      cancelled: /INTERRUPT_ALREADY_RESOLVED/,
    },
    answer: async (_world, { conversation }) => outcomeOf(await conversation?.resume({ approved: true })),
    // The same answer lets the run go on with what is recorded.
    differ: async (_world, { conversation }) => outcomeOf(await conversation?.resume({ approved: false })),
  },

  "command line": {
    cost: "process",
    late: ALREADY,
    answer: async ({ answering }, { holdId, yes }) => {
      const env = {
        ...process.env,
        HOLDPOINT_URL: answering.url,
        HOLDPOINT_API_KEY: answering.test.keys.operator,
      };
      const args = ["--conditions=@holdpoint/source", COMMAND, "answer", holdId, yes.action];
      return promisify(execFile)(process.execPath, args, { env }).then(
        () => "accepted",
        ({ stderr }: { readonly stderr: string }) => stderr,
      );
    },
  },

  "link from an e-mail": {
    late: PAGE,
    prepare: async (world, placed) => void mailed.set(placed.holdId, await mailedLink(world, placed)),
    answer: (_world, placed) => answerWithoutScript(mailed.get(placed.holdId) ?? "", placed),
  },

  "button in Telegram": chatDoor("telegram"),
  "button in Slack": chatDoor("slack"),
  "button in Discord": chatDoor("discord"),
} as const satisfies Readonly<Record<string, Door>>;

export type DoorName = keyof typeof DOORS;

export const doorNames = Object.keys(DOORS) as readonly DoorName[];

/** Why this hold has no such door; null: it has. */
export function whyClosed(name: DoorName, placed: Placed): string | null {
  const door: Door = DOORS[name];
  return door.closed?.(placed) ?? null;
}

function outcomeOf(last: Wire): Said {
  return last.type === "RUN_FINISHED" ? "accepted" : last.code;
}

/** The button of a page that still has one; otherwise what it says instead. */
async function press(page: Page, { button: name }: Yes, confirmed: () => Promise<void>): Promise<Said> {
  const button = page.getByRole("button", { name, exact: true });
  await button.or(page.locator(".hp-ending")).first().waitFor();
  if (!(await button.isVisible())) return await page.locator("main").innerText();
  await button.click();
  await confirmed();
  return "accepted";
}

async function reviewLink(world: World, { holdId }: Placed): Promise<string> {
  const made = await world.answering.call("POST", `/v1/holds/${holdId}/links`, "operator", {});
  if (made.status < 300) return onSite(made.body.url, world.answering);
  throw new Error(`no link: ${made.status} ${JSON.stringify(made.body)}`);
}

/** A case whose author chose so comes with one; for any other hold an operator makes it. */
async function submitToken({ answering }: World, { holdId, inline, yes }: Placed): Promise<string> {
  if (inline !== undefined) return inline.token;
  const asked = { purpose: "submit", actions: [yes.action] };
  const made = await answering.call("POST", `/v1/holds/${holdId}/links`, "operator", asked);
  if (made.status < 300) return made.body.token;
  throw new Error(`no token: ${made.status} ${JSON.stringify(made.body)}`);
}

const tokens = new Map<string, string>();
const links = new Map<string, string>();
const mailed = new Map<string, string>();

/** The clock is moved to when somebody is to be told. */
async function mailedLink(world: World, { holdId }: Placed): Promise<string> {
  await world.clock.advance(MAIL_AFTER_MS);
  const address = new RegExp(`https?://\\S+/review/${holdId.replace("hold_", "review_")}\\S*`);
  const link = world.mail.mails.flatMap(({ text }) => address.exec(text)?.[0] ?? []).at(-1);
  if (link === undefined) throw new Error(`no mail about ${holdId}`);
  return onSite(link, world.answering);
}

/** A plain form, as a browser without script sends it. */
async function answerWithoutScript(link: string, { yes }: Placed): Promise<Said> {
  const page = await (await fetch(link)).text();
  const action = /action="([^"]+\/answer[^"]*)"/.exec(page)?.[1];
  if (action === undefined) return page.replaceAll(/<[^>]+>/g, " ");
  const reply = await fetch(new URL(action.replaceAll("&amp;", "&"), link), {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ [ACTION_INPUT]: yes.action }),
  });
  return reply.status === 303 ? "accepted" : (await reply.text()).replaceAll(/<[^>]+>/g, " ");
}

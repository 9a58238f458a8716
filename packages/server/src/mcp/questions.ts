/** What the tools of the MCP server do, without MCP: ask, look, withdraw, list. */

import {
  deciderWords,
  defined,
  type Hold,
  type HoldClient,
  type Outcome,
  type Place,
  TerminalError,
} from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import * as z from "zod";

/** MCP clients often give up after 60 s; a reply before that tells the model how to go on. */
export const WAIT_MS = 50_000;

const OptionIn = z.union([
  z.string().min(1),
  z.object({ id: z.string(), label: z.string().optional(), description: z.string().optional() }),
]);

export const AskIn = z.object({
  question: z.string().min(1).describe("The question, in the words that a person will read."),
  kind: z
    .enum(["approval", "selection", "input", "confirmation", "escalation"])
    .optional()
    .describe("Absent: selection if there are options, input if there is a schema, otherwise approval."),
  options: z.array(OptionIn).min(1).optional().describe("What the person can choose from."),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("JSON Schema of the answer, an object; the person fills in a form."),
  context: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Facts that the person needs to decide; shown whole."),
  timeout: z
    .string()
    .optional()
    .describe("How long people have, such as 30m, 2h or 7d. Absent: until somebody answers."),
  key: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Asking again with the same key finds the same question instead of asking twice."),
});

export const QuestionOut = z.object({
  question_id: z.string(),
  status: z.enum(["pending", "answered", "expired", "cancelled"]),
  message: z.string(),
  action: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  answered_by: z.string().optional(),
});
export type QuestionOut = z.infer<typeof QuestionOut>;

export type QuestionClient = Pick<HoldClient, "place" | "get" | "wait" | "list" | "cancel">;

/** One agent's questions. `me` is its name: a key that sees every hold still finds only its own here. */
export class Questions {
  readonly #client: QuestionClient;
  readonly #me: () => Promise<string>;

  constructor(client: QuestionClient, me: () => Promise<string>) {
    this.#client = client;
    this.#me = me;
  }

  async ask(given: z.infer<typeof AskIn>, signal: AbortSignal): Promise<QuestionOut> {
    const { id } = await this.place(given, signal);
    return questionOut(await this.#client.wait(id, { waitMs: WAIT_MS, signal }));
  }

  /** Asks and does not wait. */
  place(given: z.infer<typeof AskIn>, signal: AbortSignal): Promise<Hold> {
    return this.#client.place(placeOf(given), { signal });
  }

  async answerTo(id: string, signal: AbortSignal): Promise<QuestionOut> {
    await this.#own(id);
    return questionOut(await this.#client.wait(id, { waitMs: WAIT_MS, signal }));
  }

  async cancel(id: string, reason: string | undefined): Promise<QuestionOut> {
    await this.#own(id);
    return questionOut(await this.#client.cancel(id, defined({ reason })));
  }

  async list(isAll: boolean): Promise<readonly (QuestionOut & { readonly question: string })[]> {
    const query = { createdBy: await this.#me(), limit: LISTED_MAX };
    const { holds } = await this.#client.list(isAll ? query : { ...query, status: "open" });
    return holds.map((hold) => ({ question: hold.prompt, ...questionOut(hold) }));
  }

  async #own(id: string): Promise<void> {
    const { createdBy } = await this.#client.get(id);
    if (createdBy === (await this.#me())) return;
    throw new TerminalError({ code: "not_found", status: 404, message: "you have asked no such question" });
  }
}

const LISTED_MAX = 50;

/** People get their links through channels and the console, never the asker (G7). */
function placeOf({ question, kind, options, schema, context, timeout, key }: z.infer<typeof AskIn>): Place {
  const type = kind ?? (options !== undefined ? "selection" : schema !== undefined ? "input" : "approval");
  const responseSchema = schema ?? (type === "input" ? FREE_TEXT : undefined);
  return {
    type,
    prompt: question,
    links: "server",
    ...defined({ context, timeout, key, responseSchema }),
    ...(options === undefined ? {} : { options: options.map(optionOf) }),
  };
}

const FREE_TEXT = {
  type: "object",
  properties: { answer: { type: "string", title: "Answer", minLength: 1 } },
  required: ["answer"],
};

function optionOf(option: z.infer<typeof OptionIn>) {
  if (typeof option === "string") return { id: option, label: option };
  const { id, label = id, description } = option;
  return { id, label, ...defined({ description }) };
}

const TAKEN_BACK = "The approval was taken back. Do not go on; ask again if it is still needed.";

export function questionOut({ id, outcome, revoked }: Hold): QuestionOut {
  if (outcome === undefined)
    return {
      question_id: id,
      status: "pending",
      message: `Nobody has answered yet. The question stays open. Call get_answer with question_id "${id}" to wait for the answer; do not ask again and do not go on without it.`,
    };
  if (revoked !== undefined) return { question_id: id, status: "cancelled", message: TAKEN_BACK };
  return { question_id: id, ...ended(outcome) };
}

function ended(outcome: Outcome): Omit<QuestionOut, "question_id"> {
  switch (outcome.kind) {
    case "decided": {
      const { action, data, by } = outcome;
      const who = deciderWords(by);
      return { status: "answered", action, data, answered_by: who, message: `${who} answered: ${action}.` };
    }
    case "expired":
      return {
        status: "expired",
        message: `Nobody answered in time. Nobody decided anything.${defaultWords(outcome.default?.action)}`,
        ...defined({ data: outcome.default?.data as JsonObject | undefined }),
      };
    case "cancelled":
      return { status: "cancelled", message: "The question was withdrawn. Nobody decided anything." };
  }
}

function defaultWords(action: string | undefined): string {
  return action === undefined
    ? ""
    : ` The default of the asker for this case is "${action}"; it is nobody's decision.`;
}

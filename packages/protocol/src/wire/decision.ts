/** Who must agree before a hold is decided, the votes so far, and who is still missing. */

import * as z from "zod";
import { ActionWord } from "./ask.ts";
import { Id, list, Time } from "./base.ts";

const Source = z
  .string()
  .max(110)
  .regex(/^(team|person):\P{Cc}+$/u, "Expected team:<id> or person:<id>")
  .describe("`team:<id>` or `person:<id>`.");

const StageItem = z.strictObject({
  need: z.int().min(1).max(50).describe("How many people must agree."),
  from: list(Source, { min: 1, max: 20 }),
});

export const StrengthWord = z
  .enum(["link", "account", "session", "passkey"])
  .describe(
    "How a vote is proven: the holder of a link < a linked chat account < signed in, or a person's own key < a passkey.",
  );
export type StrengthWord = z.infer<typeof StrengthWord>;

const members = {
  approve: list(StageItem, { min: 1, max: 10 }).describe(
    "Stages that collect approvals of the same answer. A person fills one seat in the whole rule.",
  ),
  reject: z.int().min(1).max(50).describe("How many rejections settle the hold; 1 if absent."),
  exclude: list(z.enum(["asker", "owner", "previous_voters"]), { max: 3 }).describe(
    "Who may not vote: the agent or app that asked, the owner of the key that asked, voters on the hold named in `previous`.",
  ),
  strength: StrengthWord,
  max_age: z
    .int()
    .min(30)
    .max(86_400)
    .describe(
      "How many seconds ago a voter may have proven who they are, as OpenID Connect's `max_age`. A key never has; a passkey always does.",
    ),
  order: z
    .enum(["any", "listed"])
    .describe("`listed`: a stage is asked, and may approve, only when the stages before it are met."),
};

export const DecisionIn = z
  .strictObject({
    approve: members.approve,
    reject: members.reject.exactOptional(),
    exclude: members.exclude.exactOptional(),
    strength: members.strength.exactOptional(),
    order: members.order.exactOptional(),
    max_age: members.max_age.exactOptional(),
  })
  .describe("Who must agree before the hold is decided; frozen when the hold is placed.")
  .meta({ examples: [{ approve: [{ need: 2, from: ["team:finance"] }], exclude: ["asker"] }] });
export type DecisionIn = z.infer<typeof DecisionIn>;

export const DecisionOut = z
  .strictObject({ ...members, max_age: members.max_age.exactOptional() })
  .describe("The rule as it was frozen.");
export type DecisionOut = z.infer<typeof DecisionOut>;

export const VoteOut = z.strictObject({
  person: Id.describe("The id of the person who voted."),
  for: Id.exactOptional().describe("The absent person whose seat the vote fills."),
  action: ActionWord,
  at: Time,
  door: z.string(),
  strength: StrengthWord,
  names: list(z.string())
    .exactOptional()
    .describe("The name of the person, and that of the absent one; for people who read it, not for agents."),
});
export type VoteOut = z.infer<typeof VoteOut>;

export const MissingOut = z.strictObject({
  need: z.int(),
  given: z.int().describe("How many people have agreed, to the answer that has most votes."),
  from: list(z.string()),
  names: list(z.string())
    .exactOptional()
    .describe("The names of those in `from`; for people who read it, not for agents."),
});
export type MissingOut = z.infer<typeof MissingOut>;

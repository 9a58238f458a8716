/** A hold as everybody who may read it sees it. */

import * as z from "zod";
import { ActionItem, AskTypeWord, FormItem, OptionItem, SelectItem, UsesItem } from "./ask.ts";
import { Id, list, OpenObject, Time } from "./base.ts";
import { ClaimOut, RevokedOut } from "./claim.ts";
import { DecisionOut, MissingOut, VoteOut } from "./decision.ts";
import { CommentOut, SnoozeOut } from "./desk.ts";
import { DefaultOut, OutcomeOut } from "./outcome.ts";
import { Key, LinksTo } from "./place.ts";

export const HoldStatus = z.enum(["open", "decided", "expired", "cancelled"]);
export type HoldStatus = z.infer<typeof HoldStatus>;

export const RungOut = z.strictObject({
  at: Time,
  kind: z
    .enum(["attempt", "reminder"])
    .describe("Attempts fire whatever the progress; reminders only while nobody has begun to answer."),
  n: z.int().min(1).describe("The attempt's number, or that of the attempt it repeats."),
  channel: z.string().exactOptional(),
  to: z.string().exactOptional(),
  blocked: z
    .literal(true)
    .exactOptional()
    .describe("Nobody allowed that this recipient is told; nothing goes there."),
  state: z
    .enum(["waiting", "fired", "missed", "skipped"])
    .describe("`missed`: due while the server was down, and a newer one was told instead."),
});
export type RungOut = z.infer<typeof RungOut>;

const ProgressOut = z.strictObject({
  current_step: z.int().min(0),
  total_steps: z.int().min(0),
  completed_fields: z.int().min(0),
  total_fields: z.int().min(0),
});

/** An action with everything a button needs. */
export const ActionOut = ActionItem.required({ label: true });
export type ActionOut = z.infer<typeof ActionOut>;

export const HoldOut = z.strictObject({
  id: Id,
  case_id: Id,
  key: Key.exactOptional(),
  status: HoldStatus,
  type: AskTypeWord,
  prompt: z.string().describe("Empty once the hold's content has been erased."),
  context: OpenObject.exactOptional(),
  options: list(OptionItem).exactOptional(),
  form: FormItem.exactOptional(),
  response_schema: OpenObject.exactOptional(),
  actions: list(ActionOut),
  select: SelectItem.exactOptional(),
  uses: UsesItem.exactOptional(),
  digest: z.string().describe("Of the ask: an answer that carries it as `shown` is bound to what was shown."),
  created_by: z.string().describe("Name of the agent or app that asked."),
  created_at: Time,
  opened_at: Time.exactOptional(),
  progressed_at: Time.exactOptional(),
  progress: ProgressOut.exactOptional(),
  reminded_at: Time.exactOptional(),
  notified_at: Time.exactOptional().describe("When the console last told people of it."),
  expires_at: Time.exactOptional(),
  on_timeout: DefaultOut.exactOptional(),
  attempt: z.int().min(1).describe("How often people were told; the placing is the first."),
  ladder: list(RungOut),
  answerers: list(Id).exactOptional(),
  decision: DecisionOut.exactOptional(),
  votes: list(VoteOut)
    .exactOptional()
    .describe("The votes so far; only with a `decision`. They stay on record however the hold ends."),
  missing: list(MissingOut)
    .exactOptional()
    .describe("The stages that still need votes; only on an open hold with a `decision`."),
  nobody_reached_since: Time.exactOptional().describe(
    "Every delivery to people has failed so far: nobody has been reached.",
  ),
  unfulfillable: z
    .string()
    .exactOptional()
    .describe("Why nobody can meet the `decision` any more, since people or teams have changed."),
  withhold_sensitive: z
    .boolean()
    .exactOptional()
    .describe('What is sensitive in the answer is `{"withheld": true}` for everybody, who asked included.'),
  version: z.int().min(1),
  links: LinksTo,
  previous: Id.exactOptional(),
  next: Id.exactOptional(),
  callback_url: z.string().exactOptional(),
  intent_id: Id.exactOptional(),
  thread_id: Id.exactOptional(),
  group_id: Id.exactOptional(),
  metadata: OpenObject.exactOptional(),
  grantable: z
    .boolean()
    .exactOptional()
    .describe("Only on holds that a check placed: whether an approval may allow similar calls in advance."),
  assignee: z.string().exactOptional().describe("The person who takes care of it."),
  comments: list(CommentOut)
    .exactOptional()
    .describe("What people wrote about it; the asker gets what was asked back and its own replies."),
  snoozed: list(SnoozeOut)
    .exactOptional()
    .describe("Who does not want to see it before when; only for people."),
  claim: ClaimOut.exactOptional(),
  claims: z
    .int()
    .min(1)
    .exactOptional()
    .describe("How often it has been claimed; released claims do not count."),
  revoked: RevokedOut.exactOptional().describe("The approval was taken back: nobody can claim it any more."),
  outcome: OutcomeOut.exactOptional(),
  erased_at: Time.exactOptional(),
  review_url: z
    .string()
    .exactOptional()
    .describe(
      "Only in the reply to placing, when `links` is `agent`: a link that is given to the asker and carries no person.",
    ),
});
export type HoldOut = z.infer<typeof HoldOut>;

export const HoldListOut = z.strictObject({
  holds: list(HoldOut),
  next_cursor: z.string().exactOptional(),
});
export type HoldListOut = z.infer<typeof HoldListOut>;

/** What people do with an open hold besides answering it, and what they see of all that waits. */

import * as z from "zod";
import { Duration, Id, list, Time } from "./base.ts";
import { ActorOut } from "./outcome.ts";

export const AssignIn = z.strictObject({
  to: Id.nullable().describe("The id of a person, your own name, or `null` for nobody in particular."),
});
export type AssignIn = z.infer<typeof AssignIn>;

export const CommentIn = z
  .strictObject({
    text: z.string().min(1).max(5_000),
    ask_back: z
      .boolean()
      .exactOptional()
      .describe("A question to the agent or app that asked: it is told once, and replies with a comment."),
  })
  .meta({ examples: [{ text: "Which invoice is this for?", ask_back: true }] });
export type CommentIn = z.infer<typeof CommentIn>;

const ONE = "give either a duration or a time";

export const ExtendIn = z
  .strictObject({
    by: Duration.exactOptional().describe("Added to the present expiry."),
    until: Time.exactOptional(),
  })
  .refine(({ by, until }) => (by === undefined) !== (until === undefined), ONE)
  .meta({ examples: [{ by: "2h" }] });
export type ExtendIn = z.infer<typeof ExtendIn>;

export const SnoozeIn = z
  .strictObject({
    for: Duration.exactOptional(),
    until: Time.exactOptional(),
  })
  .refine((asked) => asked.for === undefined || asked.until === undefined, ONE)
  .meta({ examples: [{ for: "1h" }] });
export type SnoozeIn = z.infer<typeof SnoozeIn>;

export const CommentOut = z.strictObject({
  id: Id,
  at: Time,
  by: ActorOut,
  text: z.string(),
  asks_back: z.boolean().exactOptional().describe("A question to the agent or app that asked."),
  by_asker: z.boolean().exactOptional().describe("The agent or app that asked wrote it."),
});
export type CommentOut = z.infer<typeof CommentOut>;

export const SnoozeOut = z.strictObject({ person: z.string(), until: Time });
export type SnoozeOut = z.infer<typeof SnoozeOut>;

export const LookersOut = z.strictObject({
  others: list(z.strictObject({ name: z.string(), since: Time })).describe(
    "Who else has the hold open at this server.",
  ),
});
export type LookersOut = z.infer<typeof LookersOut>;

const Count = {
  count: z.int().min(0),
  is_exact: z.boolean().describe("`false`: there are at least so many."),
};

export const CountOut = z.strictObject({
  ...Count,
  groups: list(z.strictObject({ value: z.string(), ...Count }))
    .exactOptional()
    .describe("With `by`: the largest group first, at most 100."),
});
export type CountOut = z.infer<typeof CountOut>;

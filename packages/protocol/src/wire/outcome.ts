/**
 * How a hold ended. The union is what keeps a non-decision from looking like a person's "no" (G5): only `decided` has
 * an action and a person, and `expired` and `cancelled` cannot carry either.
 */

import * as z from "zod";
import { ActionWord } from "./ask.ts";
import { Id, OpenObject, Time } from "./base.ts";

/** A name that a client sent along; nobody has checked it. */
export const ClaimedName = z.strictObject({
  id: Id.exactOptional(),
  name: z.string().min(1).max(200).exactOptional(),
  email: z.string().min(1).max(320).exactOptional(),
});
export type ClaimedName = z.infer<typeof ClaimedName>;

const GivenTo = z
  .literal("asker")
  .exactOptional()
  .describe(
    "Only with `kind: link`: the link was made by or handed to the asker, so no person is known to have used it.",
  );

export const ActorOut = z
  .strictObject({
    kind: z.enum(["key", "session", "link", "channel", "app", "grant", "policy", "system"]),
    id: Id,
    name: z.string().exactOptional(),
    claimed: OpenObject.exactOptional(),
    given_to: GivenTo,
  })
  .describe("Who acted, as authenticated; `claimed` is what the client said about them.");
export type ActorOut = z.infer<typeof ActorOut>;

/**
 * The kinds that decide: neither a policy nor the system does. `grant` is no person: somebody allowed similar calls
 * in advance, and nobody looked at this one.
 */
export const DeciderOut = z
  .strictObject({
    ...ActorOut.shape,
    kind: z.enum(["key", "session", "link", "channel", "app", "grant"]),
  })
  .describe("Who decided, as authenticated.");
export type DeciderOut = z.infer<typeof DeciderOut>;

const DoorWord = z
  .string()
  .min(1)
  .max(60)
  .describe("The way the answer came in: `page`, `console`, `rest`, `inline`, `agui`, `openintent`, `cli` …");

export const DefaultOut = z.strictObject({
  action: ActionWord.exactOptional(),
  data: OpenObject.exactOptional(),
});
export type DefaultOut = z.infer<typeof DefaultOut>;

export const DecidedOut = z.strictObject({
  kind: z.literal("decided"),
  action: ActionWord,
  data: OpenObject,
  by: DeciderOut,
  door: DoorWord,
  shown: z.string().exactOptional().describe("Digest of the ask as the person saw it."),
  grant_id: Id.exactOptional().describe(
    "The grant that this answer made: similar calls are allowed in advance.",
  ),
  verification: OpenObject.exactOptional().describe(
    "What was verified about the evidence that came with the answer, in the words of the HITL Protocol.",
  ),
  at: Time,
});
export type DecidedOut = z.infer<typeof DecidedOut>;

export const ExpiredOut = z.strictObject({
  kind: z.literal("expired"),
  default: DefaultOut.exactOptional(),
  reason: z.string().exactOptional(),
  at: Time,
});
export type ExpiredOut = z.infer<typeof ExpiredOut>;

export const CancelledOut = z.strictObject({
  kind: z.literal("cancelled"),
  cancelled_by: ActorOut,
  reason: z.string().exactOptional(),
  at: Time,
});
export type CancelledOut = z.infer<typeof CancelledOut>;

export const OutcomeOut = z.discriminatedUnion("kind", [DecidedOut, ExpiredOut, CancelledOut]).meta({
  examples: [
    {
      kind: "decided",
      action: "approve",
      data: {},
      by: { kind: "session", id: "ses_01", name: "mara" },
      door: "console",
      at: "2026-03-01T09:30:00.000Z",
    },
    { kind: "expired", default: { action: "reject" }, at: "2026-03-01T11:00:00.000Z" },
  ],
});
export type OutcomeOut = z.infer<typeof OutcomeOut>;

/** Answers on their way to an agent behind a proxy. */

import * as z from "zod";
import { Id, Time } from "./base.ts";

export const RELEASE_STATES = [
  "waiting",
  "pending",
  "sending",
  "released",
  "unknown",
  "failed",
  "stalled",
] as const;

export const ReleaseState = z
  .enum(RELEASE_STATES)
  .describe(
    "`waiting`: somebody has still to answer. `pending`: complete, not sent. `sending`: on its way. `released`: the agent has it. `unknown`: it may have it. `failed`: it has it, and said that it failed. `stalled`: somebody marked it as arrived, and its thread did not go on.",
  );

export const ReleaseOut = z.strictObject({
  id: Id.describe("Of the group of holds whose answers these are."),
  proxy: z.string(),
  thread_id: z.string(),
  caller: z.string().describe("Whose conversation it is."),
  state: ReleaseState,
  auto_resume: z.boolean(),
  idempotent: z.boolean(),
  attempt: z.int(),
  error: z.string().exactOptional().describe("What went wrong last."),
  decided_by: z.string().exactOptional().describe("Who retried it, or called it done."),
  opened_at: Time,
  changed_at: Time,
});
export type ReleaseOut = z.infer<typeof ReleaseOut>;

export const ReleasePage = z.strictObject({
  releases: z.array(ReleaseOut),
  next_cursor: z.string().exactOptional(),
});

export const ReleaseQuery = z.strictObject({
  state: ReleaseState.exactOptional(),
  cursor: Id.exactOptional().describe("`next_cursor` of the page before."),
});

export const ReleaseDecisionIn = z.strictObject({
  decision: z
    .enum(["retry", "mark_released"])
    .describe("`retry`: it did not arrive, send it. `mark_released`: it arrived, go on without sending."),
});

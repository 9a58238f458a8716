/** The execution fence: an approved hold can be claimed, once unless it says otherwise, by the host that is about to act on it. */

import * as z from "zod";
import { Duration, Id, OpenObject, Time } from "./base.ts";
import { ActorOut } from "./outcome.ts";

export const ClaimIn = z.strictObject({
  digest: z.string().min(1).max(200).describe("Digest of the ask that the host is about to execute."),
  lease: Duration.exactOptional().describe(
    "How long the execution may take before nobody knows whether it ran.",
  ),
});
export type ClaimIn = z.infer<typeof ClaimIn>;

/** `unknown`: the host claimed and was never heard of again; only a person can release that. */
export const ClaimState = z.enum(["claimed", "done", "failed", "unknown"]);
export type ClaimState = z.infer<typeof ClaimState>;

export const ClaimOut = z.strictObject({
  id: Id,
  hold_id: Id,
  state: ClaimState,
  claimed_by: z.string(),
  claimed_at: Time,
  until: Time.describe("After this moment nobody knows whether it ran."),
  ended_at: Time.exactOptional(),
  detail: OpenObject.exactOptional(),
});
export type ClaimOut = z.infer<typeof ClaimOut>;

export const ClaimDoneIn = z.strictObject({
  ok: z.boolean().describe("Whether it was done."),
  detail: OpenObject.exactOptional().describe("What came of it, for the record."),
});
export type ClaimDoneIn = z.infer<typeof ClaimDoneIn>;

export const ClaimReleaseIn = z.strictObject({
  reason: z.string().max(4000).exactOptional().describe("How the operator knows that it did not run."),
});
export type ClaimReleaseIn = z.infer<typeof ClaimReleaseIn>;

/** An approval that was taken back. What was claimed before it is not undone. */
export const RevokedOut = z.strictObject({ at: Time, by: ActorOut });
export type RevokedOut = z.infer<typeof RevokedOut>;

/** The execution fence: an approved hold can be claimed once, by whoever is about to do what was approved. */

import * as z from "zod";
import { Id, Time } from "./base.ts";
import { ActorOut } from "./outcome.ts";

export const ClaimIn = z.strictObject({
  digest: z.string().min(1).max(200).describe("Digest of the ask as the host is about to execute it."),
});
export type ClaimIn = z.infer<typeof ClaimIn>;

/** `unknown`: the host claimed and was never heard of again; only a person can release that. */
export const ClaimState = z.enum(["running", "done", "failed", "unknown", "released"]);
export type ClaimState = z.infer<typeof ClaimState>;

export const ClaimOut = z.strictObject({
  id: Id,
  hold_id: Id,
  state: ClaimState,
  digest: z.string(),
  claimed_by: ActorOut,
  claimed_at: Time,
  unknown_at: Time.exactOptional(),
  ended_at: Time.exactOptional(),
  detail: z.string().exactOptional(),
});
export type ClaimOut = z.infer<typeof ClaimOut>;

export const ClaimDoneIn = z.strictObject({
  ok: z.boolean(),
  detail: z.string().max(4000).exactOptional(),
});
export type ClaimDoneIn = z.infer<typeof ClaimDoneIn>;

export const ClaimReleaseIn = z.strictObject({
  claim_id: Id,
  reason: z.string().max(4000).exactOptional(),
});
export type ClaimReleaseIn = z.infer<typeof ClaimReleaseIn>;

/** Checks whether an answer names the open suspension. The id serves as a weak secret: it is compared and never shown. */

import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import type { Intent, SuspensionRef } from "./intent.ts";

/** Compares in constant time, so that timing does not reveal where the texts differ. */
export function isSameText(a: string, b: string): boolean {
  let different = a.length ^ b.length;
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    different |= (a.charCodeAt(at) || 0) ^ (b.charCodeAt(at) || 0);
  }
  return different === 0;
}

export function whyMismatch(ref: SuspensionRef, suspensionId: string): Failure | null {
  if (isSameText(ref.id, suspensionId)) return null;
  return failure("suspension_mismatch", "suspension_id mismatch: it is not the id of the open suspension");
}

/** The intent is not suspended: either this suspension has ended, or there was none with this id. */
export function whyClosed(intent: Intent, suspensionId: string, world: World): Failure {
  const ref = intent.suspension;
  const hold = ref === undefined ? undefined : world.get("hold", ref.holdId);
  if (ref === undefined || hold?.outcome === undefined || !isSameText(ref.id, suspensionId)) {
    return failure("not_suspended", "the intent is not suspended", { detail: { status: intent.status } });
  }
  if (hold.outcome.kind === "expired")
    return failure("suspension_expired", "the suspension expired before it was answered");
  const resolution = hold.outcome.kind === "decided" ? "responded" : "cancelled";
  return failure("already_resolved", "this suspension is already resolved", { detail: { resolution } });
}

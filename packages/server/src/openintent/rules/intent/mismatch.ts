/** Whether an answer names the question that is being asked. The id is half a secret: it is compared, never shown. */

import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import type { Intent, SuspensionRef } from "./intent.ts";

/** In a time that tells nothing about where they differ. */
export function isSameText(a: string, b: string): boolean {
  let different = a.length ^ b.length;
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    different |= (a.charCodeAt(at) || 0) ^ (b.charCodeAt(at) || 0);
  }
  return different === 0;
}

export function whyMismatch(ref: SuspensionRef, suspensionId: string): Failure | null {
  if (isSameText(ref.id, suspensionId)) return null;
  return failure("suspension_mismatch", "suspension_id mismatch: it is not the one that is waiting");
}

/** The intent waits for nobody: because this very question is over, or because there was none. */
export function whyClosed(intent: Intent, suspensionId: string, world: World): Failure {
  const ref = intent.suspension;
  const hold = ref === undefined ? undefined : world.get("hold", ref.holdId);
  if (ref === undefined || hold?.outcome === undefined || !isSameText(ref.id, suspensionId)) {
    return failure("not_suspended", "the intent is not suspended", { detail: { status: intent.status } });
  }
  if (hold.outcome.kind === "expired") return failure("suspension_expired", "nobody answered in time");
  const resolution = hold.outcome.kind === "decided" ? "responded" : "cancelled";
  return failure("already_resolved", "this suspension was resolved before", { detail: { resolution } });
}

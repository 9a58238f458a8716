/** What only somebody who has just signed in may do, so that a console left open gives nobody lasting access. */

import { type Failure, failure } from "../failure.ts";
import type { Principal } from "../principal.ts";

export const FRESH_MS = 10 * 60_000;

const STALE = failure(
  "fresh_sign_in_required",
  "this needs a sign-in within the last 10 minutes; sign in again and repeat it",
);

/** `null` if the caller has signed in within the last ten minutes. Keys never have: they sign nobody in. */
export function whyNotFresh({ signedInAt }: Principal, now: number): Failure | null {
  if (signedInAt !== undefined && now - signedInAt < FRESH_MS) return null;
  return STALE;
}

/** Why a console session is too old for a dangerous setting. Keys are not asked: nobody leaves one open on a desk. */
export function whyStale(by: Principal, now: number): Failure | null {
  return by.via === "session" ? whyNotFresh(by, now) : null;
}

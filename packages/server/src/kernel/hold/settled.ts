/** Why a hold that is over takes nothing more. */

import { type Failure, failure } from "../failure.ts";
import type { Hold } from "./hold.ts";

export function whySettled(hold: Hold): Failure | null {
  if (hold.status === "open") return null;
  if (hold.status === "expired") return expired(hold);
  return failure("already_settled", `the hold was ${hold.status} before`, { detail: { hold_id: hold.id } });
}

export function expired(hold: Hold): Failure {
  return failure("hold_expired", "nobody answered in time", { detail: { hold_id: hold.id } });
}

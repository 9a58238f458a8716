/** Why a command is refused on a hold that has ended; `null` if it is open. */

import { type Failure, failure } from "../failure.ts";
import type { Hold } from "./hold.ts";

export function whySettled(hold: Hold): Failure | null {
  if (hold.status === "open") return null;
  if (hold.status === "expired") return expired(hold);
  return failure("already_settled", `the hold was already ${hold.status}`, { detail: { hold_id: hold.id } });
}

export function expired(hold: Hold): Failure {
  return failure("hold_expired", "the hold has expired; nobody answered in time", {
    detail: { hold_id: hold.id },
  });
}

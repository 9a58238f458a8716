/** A refusal is data: a stable code, words for a person, and what they need to go on. Faces put it into their protocol. */

import type { JsonObject, Problem } from "@holdpoint/protocol/rules";

export type RefusalCode =
  | "not_found"
  | "not_allowed"
  | "already_settled"
  | "hold_expired"
  | "invalid_ask"
  | "invalid_action"
  | "invalid_answer"
  | "shown_mismatch"
  | "key_reused"
  | "after_not_settled"
  | "previous_not_found"
  | "not_claimable"
  | "digest_mismatch"
  | "claim_taken"
  | "claim_unknown"
  | "group_incomplete"
  | "already_exists"
  | "precondition_failed";

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly detail?: JsonObject;
}

export function refusal(
  code: RefusalCode,
  message: string,
  rest: Omit<Refusal, "code" | "message"> = {},
): Refusal {
  return { code, message, ...rest };
}

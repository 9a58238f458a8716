/**
 * A failure is data: a stable code, a message for a person, and the details they need to continue. These field names
 * stay the same from the kernel to the wire; a face only puts them into the shape of its protocol.
 */

import type { JsonObject, Problem } from "@holdpoint/protocol/rules";

/** Failure codes of the kernel. Each one is also a code of the native API. */
export type KernelCode =
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
  | "not_settled"
  | "previous_not_found"
  | "not_claimable"
  | "digest_mismatch"
  | "claim_taken"
  | "claim_unknown"
  | "group_incomplete"
  | "release_not_stuck"
  | "no_file_wanted"
  | "too_many_files"
  | "file_quota_reached"
  | "already_exists"
  | "unknown_person"
  | "unknown_channel"
  | "too_many_channels"
  | "too_many_webhooks"
  | "too_many_rotas"
  | "token_refused"
  | "mail_password_refused"
  | "webhook_incomplete"
  | "unknown_team"
  | "unfulfillable_decision"
  | "not_entitled"
  | "strength_too_low"
  | "no_vote"
  | "not_proven"
  | "verification_required"
  | "verification_failed"
  | "fresh_sign_in_required"
  | "passkeys_unavailable"
  | "not_sent"
  | "precondition_failed"
  | "invalid_rules"
  | "too_many_open"
  | "too_many_comments"
  | "not_extendable"
  | "not_grantable"
  | "grant_too_long";

export interface Failure<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
  /** Which part of the input is wrong, and why. */
  readonly problems?: readonly Problem[];
  readonly detail?: JsonObject;
}

type More = Omit<Failure, "code" | "message">;

export function failure(code: KernelCode, message: string, more: More = {}): Failure<KernelCode> {
  return { code, message, ...more };
}

/** A refusal is data: a stable code, words for a person, and what they need to go on. Faces put it into their protocol. */

import type { JsonObject, Problem } from "@holdpoint/protocol/rules";

/** Said of holds and of what lets people in; every one is a code of the native API. */
export type NativeRefusal =
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
  | "already_exists"
  | "precondition_failed"
  | "intent_not_found"
  | "intent_suspended"
  | "intent_not_active";

/** Said of intents, which only OpenIntent's own face speaks of. */
export type IntentRefusal =
  /** The clock had decided something first; what it decided is stated, and the command may be tried again. */
  | "came_due"
  | "version_conflict"
  | "invalid_transition"
  | "invalid_patch"
  | "invalid_record"
  | "unknown_dependency"
  | "dependency_cycle"
  | "duplicate_dependency"
  | "dependencies_incomplete"
  | "children_incomplete"
  | "UpstreamIntentSuspendedError"
  | "UnresolvableInputError"
  | "MissingOutputError"
  | "OutputTypeMismatchError"
  | "too_many"
  | "suspension_pending"
  | "suspension_immutable"
  | "suspension_mismatch"
  | "suspension_expired"
  | "not_suspended"
  | "already_resolved"
  | "invalid_choice"
  | "invalid_value"
  | "lease_taken"
  | "lease_over"
  | "scope_leased"
  | "unknown_event_type"
  | "already_told"
  | "nothing_to_sign";

export type RefusalCode = NativeRefusal | IntentRefusal;

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

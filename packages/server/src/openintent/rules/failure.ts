/** Failures of the OpenIntent domain: the kernel's shape, with additional codes. */

import type { Failure, KernelCode } from "../../kernel/failure.ts";

/** Codes besides the kernel's. The native API uses the first three too. */
export type IntentCode =
  | "agent_mismatch"
  | "intent_not_found"
  | "intent_suspended"
  | "intent_not_active"
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
  | "governance_violation"
  | "invalid_policy"
  | "ambiguous_checkpoint"
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

export type { Failure };

export function failure(
  code: KernelCode | IntentCode,
  message: string,
  more: Omit<Failure, "code" | "message"> = {},
): Failure<KernelCode | IntentCode> {
  return { code, message, ...more };
}

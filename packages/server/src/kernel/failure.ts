/**
 * A failure is data: a stable code, words for a person, and what they need to go on. It travels under these names from the
 * kernel to the wire; a face only puts it into its protocol's shape.
 */

import type { JsonObject, Problem } from "@holdpoint/protocol/rules";

/** Codes of the kernel; every one is a code of the native API. */
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
  | "already_exists"
  | "precondition_failed";

export interface Failure<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
  /** What is wrong with which part of the input. */
  readonly problems?: readonly Problem[];
  readonly detail?: JsonObject;
}

type More = Omit<Failure, "code" | "message">;

export function failure(code: KernelCode, message: string, more: More = {}): Failure<KernelCode> {
  return { code, message, ...more };
}

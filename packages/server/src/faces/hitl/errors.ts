/** The HITL dialect: the protocol's error codes, body and statuses. */

import type { Code } from "@holdpoint/protocol";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { HITL_ERROR_STATUS, type HitlErrorCode } from "@holdpoint/protocol/hitl/words";
import type { Entity } from "../../kernel/entity.ts";
import type { Failure } from "../../kernel/failure.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { fallbackFor, policyOf } from "../../kernel/hold/verification.ts";
import { failWith, type HttpFailure } from "../http/failure.ts";
import { type HttpReply, transportHeaders } from "../http/respond.ts";

export const caseFailure = failWith<HitlErrorCode>;

/** Shared codes that have another name in HITL; every other code becomes an invalid request. */
const WORDS: Partial<Readonly<Record<string, HitlErrorCode>>> = {
  unauthenticated: "unauthorized",
  agent_mismatch: "unauthorized",
  not_allowed: "unauthorized",
  too_large: "payload_too_large",
} satisfies Partial<Record<Code, HitlErrorCode>>;

const CHALLENGES: ReadonlySet<string> = new Set<Code | HitlErrorCode>([
  "unauthenticated",
  "unauthorized",
  "invalid_token",
]);

function errorOf(code: string): HitlErrorCode {
  const isOwn = Object.hasOwn(HITL_ERROR_STATUS, code);
  return isOwn ? (code as HitlErrorCode) : (WORDS[code] ?? "invalid_request");
}

export function hitlDialect({ failure, transport }: HttpFailure): HttpReply {
  const { code, message, problems, detail } = failure;
  const error = errorOf(code);
  return {
    status: HITL_ERROR_STATUS[error],
    body: {
      error,
      message: message === "" ? error.replaceAll("_", " ") : message,
      ...detail,
      ...(problems === undefined ? {} : { fields: problems }),
    },
    headers: transportHeaders(transport, CHALLENGES.has(code)),
  };
}

const REFUSALS: Readonly<Partial<Record<string, HitlErrorCode>>> = {
  not_found: "not_found",
  hold_expired: "case_expired",
  already_settled: "duplicate_submission",
  invalid_action: "invalid_action",
  invalid_answer: "validation_failed",
  not_entitled: "identity_mismatch",
  strength_too_low: "identity_mismatch",
  not_proven: "verification_failed",
};

/** A refusal of the kernel, for a caller who may see the case. */
export function refusedCase(
  { code, message, problems, detail }: Failure,
  hold: Entity<Hold> | undefined,
  publicUrl: string,
): HttpFailure {
  if (code === "already_settled" && hold !== undefined) return settledFailure(hold.body);
  const caseId = hold === undefined ? {} : { case_id: caseIdOf(hold.id) };
  const more = { detail: caseId, ...(problems === undefined ? {} : { problems }) };
  if (code === "verification_required" || code === "verification_failed")
    return caseFailure(code, message, { detail: { ...caseId, ...pageHint(hold, code, publicUrl) } });
  if (code !== "not_allowed") return caseFailure(REFUSALS[code] ?? "invalid_request", message, more);
  if (detail?.["door"] !== "page" || hold === undefined)
    return caseFailure("identity_mismatch", message, more);
  // Without a token, because only its hash is stored. Agents got the complete URL with the 202.
  const onPage = { ...caseId, review_url: `${publicUrl}/review/${caseIdOf(hold.id)}` };
  const error = detail["because"] === "account" ? "identity_mismatch" : "action_not_inline";
  return caseFailure(error, message, { detail: onPage });
}

/** Where the case can be answered instead, unless its policy says that there is no other way. */
function pageHint(hold: Entity<Hold> | undefined, code: string, publicUrl: string) {
  const policy = hold === undefined ? undefined : policyOf(hold.body);
  if (hold === undefined || policy === undefined || fallbackFor(policy, code) === "reject") return {};
  return { review_url: `${publicUrl}/review/${caseIdOf(hold.id)}` };
}

/** The loser of a race gets the outcome that won (G1). */
export function settledFailure({ id, status }: Hold): HttpFailure {
  const detail = { case_id: caseIdOf(id) };
  if (status === "expired") return caseFailure("case_expired", "nobody answered in time", { detail });
  if (status === "cancelled")
    return caseFailure("case_cancelled", "the case was cancelled before", { detail });
  return caseFailure("duplicate_submission", "the case was answered before", { detail });
}

/** Replies in the protocol's own words. */

import { isRetryableError, isTerminalError } from "@holdpoint/protocol/client";
import { HITL_ERROR_STATUS, type HitlErrorCode } from "@holdpoint/protocol/hitl/words";

export function json(status: number, body: unknown, headers: HeadersInit = {}): Response {
  const merged = new Headers(headers);
  merged.set("content-type", "application/json");
  if (!merged.has("cache-control")) merged.set("cache-control", "no-store");
  return new Response(JSON.stringify(body), { status, headers: merged });
}

export function refuse(code: HitlErrorCode, message: string, headers: HeadersInit = {}): Response {
  return json(HITL_ERROR_STATUS[code], { error: code, message }, headers);
}

/** What a hold client threw, as this protocol says it. What is not known here is not the caller's business, and is thrown on. */
export function refuseFor(error: unknown, caseId = "of this request"): Response {
  if (isRetryableError(error)) {
    const headers = { "retry-after": String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))) };
    return refuse(error.status === 429 ? "rate_limited" : "unavailable", "Please try again later.", headers);
  }
  if (!isTerminalError(error)) throw error;
  switch (error.code) {
    case "key_reused":
      return refuse("invalid_request", "This key belongs to a different question: use a new one.");
    case "not_found":
      return refuse("not_found", `There is no case ${caseId}.`);
    case "hold_expired":
      return refuse("case_expired", `The case ${caseId} has expired.`);
    case "already_settled":
      return error.outcome?.kind === "cancelled"
        ? refuse("case_cancelled", `The case ${caseId} has been cancelled.`)
        : refuse("duplicate_submission", `The case ${caseId} has been answered.`);
    default:
      throw error;
  }
}

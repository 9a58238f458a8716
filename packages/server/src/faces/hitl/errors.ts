/** What goes wrong, in the protocol's words: its own codes, its own body, the statuses of its table. */

import type { Code } from "@holdpoint/protocol";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { HITL_ERROR_STATUS, type HitlErrorCode } from "@holdpoint/protocol/hitl/words";
import type { Entity } from "../../kernel/entity.ts";
import type { Failure } from "../../kernel/failure.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { type Dialect, HttpTrouble, type Trouble, troubleHeaders } from "../http/respond.ts";

/** A trouble that already knows its word here. */
interface CaseTrouble extends Trouble {
  readonly error: HitlErrorCode;
  readonly caseId?: string;
  readonly reviewUrl?: string;
}

type Details = Pick<CaseTrouble, "caseId" | "reviewUrl" | "fields" | "retryAfterMs">;

/** The native code only decides the headers that go with it. */
const NATIVE: Partial<Readonly<Record<HitlErrorCode, Code>>> = {
  unauthorized: "unauthenticated",
  invalid_token: "unauthenticated",
  rate_limited: "rate_limited",
};

export function caseTrouble(error: HitlErrorCode, detail: string, more: Details = {}): HttpTrouble {
  const trouble: CaseTrouble = { code: NATIVE[error] ?? "invalid_body", error, detail, ...more };
  return new HttpTrouble(trouble);
}

/** What the shared parts of the server refuse. Whatever is not named here is a request that is not as declared. */
const WORDS: Partial<Readonly<Record<Code, HitlErrorCode>>> = {
  invalid_json: "invalid_json",
  unauthenticated: "unauthorized",
  agent_mismatch: "unauthorized",
  not_allowed: "unauthorized",
  not_found: "not_found",
  method_not_allowed: "method_not_allowed",
  too_large: "payload_too_large",
  rate_limited: "rate_limited",
  internal: "internal",
  unavailable: "unavailable",
};

export const hitlDialect: Dialect = (trouble) => {
  const {
    error = WORDS[trouble.code] ?? "invalid_request",
    caseId,
    reviewUrl,
  } = trouble as Partial<CaseTrouble> & Trouble;
  const { detail, fields } = trouble;
  return {
    status: HITL_ERROR_STATUS[error],
    body: {
      error,
      message: detail ?? error.replaceAll("_", " "),
      ...(caseId === undefined ? {} : { case_id: caseId }),
      ...(reviewUrl === undefined ? {} : { review_url: reviewUrl }),
      ...(fields === undefined ? {} : { fields }),
    },
    headers: { "cache-control": "no-store", ...troubleHeaders(trouble) },
  };
};

const REFUSALS: Readonly<Partial<Record<string, HitlErrorCode>>> = {
  not_found: "not_found",
  hold_expired: "case_expired",
  already_settled: "duplicate_submission",
  invalid_action: "invalid_action",
  invalid_answer: "validation_failed",
};

/** What the core refused about a case that the caller has found. */
export function refusedCase(
  { code, message, problems }: Failure,
  hold: Entity<Hold> | undefined,
): HttpTrouble {
  const known = hold === undefined ? {} : { caseId: caseIdOf(hold.id) };
  const fields = problems === undefined ? {} : { fields: problems };
  if (code === "already_settled" && hold !== undefined) return settledTrouble(hold.body);
  if (code === "not_allowed") return caseTrouble("identity_mismatch", message, { ...known, ...fields });
  return caseTrouble(REFUSALS[code] ?? "invalid_request", message, { ...known, ...fields });
}

/** Losers of a race are told what they lost to (G1). */
export function settledTrouble({ id, status }: Hold): HttpTrouble {
  const caseId = caseIdOf(id);
  if (status === "expired") return caseTrouble("case_expired", "nobody answered in time", { caseId });
  if (status === "cancelled")
    return caseTrouble("case_cancelled", "the case was cancelled before", { caseId });
  return caseTrouble("duplicate_submission", "the case was answered before", { caseId });
}

/** One look at the poll address, and what it says in our words. */

import { defined } from "@holdpoint/protocol/client";
import { CASE_STATUSES, type CaseStatus, type OPEN_STATUSES } from "@holdpoint/protocol/hitl/words";
import { retryAfterMsOf } from "@holdpoint/protocol/http";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { type Access, discard, request } from "./access.ts";
import { HitlError } from "./errors.ts";
import type { Review } from "./review.ts";

export interface Progress {
  readonly currentStep?: number;
  readonly totalSteps?: number;
  readonly completedFields?: number;
  readonly totalFields?: number;
}

export interface Open {
  readonly kind: "open";
  readonly status: (typeof OPEN_STATUSES)[number];
  readonly progress?: Progress;
}

/** How a review ended. Only `completed` is a person's decision. */
export type Decision =
  | {
      readonly kind: "completed";
      readonly caseId: string;
      readonly action: string;
      readonly data: JsonObject;
      readonly completedAt?: string;
      readonly respondedBy?: { readonly name?: string; readonly email?: string };
      readonly nextCaseId?: string;
    }
  /** Nobody answered: `action` is what was agreed for that, and the agent's to carry out. */
  | {
      readonly kind: "expired";
      readonly caseId: string;
      readonly action: string;
      readonly expired: true;
      readonly expiredAt?: string;
    }
  | {
      readonly kind: "cancelled";
      readonly caseId: string;
      readonly cancelled: true;
      readonly reason?: string;
    };

export type Looked =
  | {
      readonly kind: "state";
      readonly state: Open | Decision;
      readonly etag?: string;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "unchanged"; readonly retryAfterMs?: number }
  | { readonly kind: "limited"; readonly retryAfterMs?: number }
  /** No answer, or one that may be better next time. */
  | { readonly kind: "failed"; readonly cause: unknown };

/** At least a second, so that no service can talk an agent into a storm. */
export function retryAfterMs(response: Response, nowMs: number): number | undefined {
  const ms = retryAfterMsOf(response.headers.get("Retry-After"), nowMs);
  return ms === undefined ? undefined : Math.max(ms, 1_000);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

function progressOf(value: unknown): Progress | undefined {
  if (!isObject(value)) return undefined;
  return defined({
    currentStep: numberOf(value["current_step"]),
    totalSteps: numberOf(value["total_steps"]),
    completedFields: numberOf(value["completed_fields"]),
    totalFields: numberOf(value["total_fields"]),
  });
}

function personOf(value: unknown): { readonly name?: string; readonly email?: string } | undefined {
  if (!isObject(value)) return undefined;
  return defined({ name: textOf(value["name"]), email: textOf(value["email"]) });
}

/** Reads a poll body. A reply that is not about this case, or not in the protocol's words, is not a decision. */
function readState(review: Review, body: unknown): Open | Decision {
  const wrong = (why: string) =>
    new HitlError("bad_reply", review.caseId, `The reply to the poll of ${review.caseId} ${why}.`);
  if (!isObject(body)) throw wrong("is not a JSON object");
  if (body["case_id"] !== review.caseId) throw wrong("is about another case");
  const status = CASE_STATUSES.find((word) => word === body["status"]) as CaseStatus | undefined;
  const { caseId } = review;
  switch (status) {
    case "completed": {
      const result = body["result"];
      if (!isObject(result) || typeof result["action"] !== "string")
        throw wrong("says completed, but has no result");
      return defined({
        kind: "completed" as const,
        caseId,
        action: result["action"],
        data: isObject(result["data"]) ? result["data"] : {},
        completedAt: textOf(body["completed_at"]),
        respondedBy: personOf(body["responded_by"]),
        nextCaseId: textOf(body["next_case_id"]),
      });
    }
    case "expired": {
      const action = textOf(body["default_action"]) ?? review.defaultAction;
      const expiredAt = textOf(body["expired_at"]);
      return defined({ kind: "expired" as const, caseId, action, expired: true as const, expiredAt });
    }
    case "cancelled":
      return defined({
        kind: "cancelled" as const,
        caseId,
        cancelled: true as const,
        reason: textOf(body["reason"]),
      });
    case undefined:
      throw wrong("has a status that the protocol does not have");
    default:
      return defined({ kind: "open" as const, status, progress: progressOf(body["progress"]) });
  }
}

const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);

function refusal(review: Review, status: number): HitlError {
  const { caseId, pollUrl } = review;
  const origin = new URL(pollUrl).origin;
  if (status === 401 || status === 403)
    return new HitlError(
      "unauthorized",
      caseId,
      `Polling ${caseId} needs credentials for ${origin} (${status}).`,
    );
  if (status === 404 || status === 410)
    return new HitlError("not_found", caseId, `${origin} has no case ${caseId} (${status}).`);
  return new HitlError("bad_reply", caseId, `The poll of ${caseId} was answered with status ${status}.`);
}

export interface LookOptions {
  readonly access: Access;
  readonly nowMs: number;
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function look(review: Review, options: LookOptions): Promise<Looked> {
  const { access, nowMs, etag, signal } = options;
  let response: Response;
  let body: unknown;
  try {
    const headers = { accept: "application/json", ...(etag === undefined ? {} : { "if-none-match": etag }) };
    response = await request(access, review.pollUrl, {
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.status === 200) body = await response.json();
    else discard(response);
  } catch (cause) {
    signal?.throwIfAborted();
    return { kind: "failed", cause };
  }
  const wait = retryAfterMs(response, nowMs);
  if (response.status === 304) return defined({ kind: "unchanged" as const, retryAfterMs: wait });
  if (response.status === 429) return defined({ kind: "limited" as const, retryAfterMs: wait });
  if (TRANSIENT.has(response.status)) return { kind: "failed", cause: refusal(review, response.status) };
  if (response.status !== 200) throw refusal(review, response.status);
  return defined({
    kind: "state" as const,
    state: readState(review, body),
    etag: response.headers.get("ETag") ?? undefined,
    retryAfterMs: wait,
  });
}

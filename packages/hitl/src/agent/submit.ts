/** Passing a person's tap on to the service. The agent adds who and where, and never anything of its own. */

import { defined } from "@holdpoint/protocol/client";
import type { VerificationEvidence } from "@holdpoint/protocol/hitl";
import { isObject } from "@holdpoint/protocol/rules";
import { type Access, accessWith } from "./access.ts";
import { type HumanAction, isHumanAction } from "./human-action.ts";
import { retryAfterMs } from "./poll.ts";
import type { Review } from "./review.ts";

export type Submitted =
  | { readonly kind: "accepted"; readonly action: string; readonly completedAt?: string }
  /** This answer needs the page. The link is the one of the 202: the service keeps no token to repeat. */
  | { readonly kind: "use_page"; readonly reviewUrl: string; readonly reason: string }
  | { readonly kind: "closed"; readonly reason: "answered" | "expired" | "cancelled" }
  | { readonly kind: "limited"; readonly retryAfterMs?: number }
  /** No person stands behind it, or the service will not have it. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** Not known whether it arrived. Submitting the same tap again is safe: a case takes one answer. */
  | { readonly kind: "unknown"; readonly cause: unknown };

export interface SubmitOptions {
  readonly access?: Access;
  readonly nowMs?: number;
  /** Proof from the person's own proof flow, passed on as it is (0.8). */
  readonly evidence?: readonly VerificationEvidence[];
}

const NO_HUMAN: Submitted = {
  kind: "refused",
  code: "human_action_required",
  message: "Only a person's own action can be submitted.",
};

function bodyOf(tap: HumanAction, evidence: readonly VerificationEvidence[] | undefined) {
  return defined({
    action: tap.action,
    data: tap.data,
    submitted_via: tap.via,
    submitted_by: defined({
      platform: tap.by.platform,
      platform_user_id: tap.by.platformUserId,
      display_name: tap.by.displayName,
    }),
    verification_evidence: evidence,
  });
}

async function errorOf(response: Response): Promise<{ readonly code: string; readonly message: string }> {
  const body: unknown = await response.json().catch(() => undefined);
  const text = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise);
  const read = isObject(body) ? body : {};
  return { code: text(read["error"], `http_${response.status}`), message: text(read["message"], "") };
}

async function outcomeOf(
  review: Review,
  tap: HumanAction,
  response: Response,
  nowMs: number,
): Promise<Submitted> {
  if (response.status === 200) {
    const body: unknown = await response.json().catch(() => undefined);
    const completedAt =
      isObject(body) && typeof body["completed_at"] === "string" ? body["completed_at"] : undefined;
    return defined({ kind: "accepted" as const, action: tap.action, completedAt });
  }
  const { code, message } = await errorOf(response);
  switch (response.status) {
    case 403:
      return { kind: "use_page", reviewUrl: review.reviewUrl, reason: code };
    case 409:
      return { kind: "closed", reason: code === "case_cancelled" ? "cancelled" : "answered" };
    case 410:
      return { kind: "closed", reason: "expired" };
    case 429:
      return defined({ kind: "limited" as const, retryAfterMs: retryAfterMs(response, nowMs) });
    default:
      return response.status >= 500 ? { kind: "unknown", cause: code } : { kind: "refused", code, message };
  }
}

/** Submits what a person tapped. Asks the service only when the case allows that action inline. */
export async function submitInline(
  review: Review,
  tap: HumanAction,
  options: SubmitOptions = {},
): Promise<Submitted> {
  if (!isHumanAction(tap)) return NO_HUMAN;
  if (review.inline?.actions.includes(tap.action) !== true)
    return { kind: "use_page", reviewUrl: review.reviewUrl, reason: "action_not_inline" };
  const { fetch } = options.access ?? accessWith();
  try {
    // Only the submit token opens this door; the agent's own key has no business here.
    const response = await fetch(review.inline.url, {
      method: "POST",
      redirect: "error",
      headers: { authorization: `Bearer ${review.inline.token}`, "content-type": "application/json" },
      body: JSON.stringify(bodyOf(tap, options.evidence)),
    });
    return await outcomeOf(review, tap, response, options.nowMs ?? Date.now());
  } catch (cause) {
    return { kind: "unknown", cause };
  }
}

/**
 * The port to the store of approval requests: Holdpoint's server, or a stand-in. Every implementation passes
 * `approvals.suite.ts`.
 *
 * A1  A key has at most one live request: pending, or approved and neither used up, taken back nor too old to count.
 *     Requesting it again finds that one, whatever else differs; a request that is over is never revived.
 * A2  A claim succeeds as often as the request allows, once unless it says otherwise, one execution after another,
 *     for any caller and any number of simultaneous calls.
 * A3  A claim that was never reported is `unknown`, and stays claimed until a person releases it. From the claim until
 *     then its request is live: asking for another approval would be a way to repeat what nobody knows about.
 * A4  Nothing here executes anything.
 */

import type { ProposalCard } from "@holdpoint/protocol/proposal";
import type { JsonObject, Uses } from "@holdpoint/protocol/rules";
import type { ApprovalState } from "./state.ts";

export interface ApprovalRequest {
  readonly key: string;
  /** What is asked; the policy's public reason, never its internal one. */
  readonly prompt: string;
  /** What reviewers see, from `showProposal`. */
  readonly card: ProposalCard;
  /** What arguments may be approved instead; absent: any. */
  readonly argumentsSchema?: JsonObject;
  /** How often an approval may be used before it is over. */
  readonly uses: Uses;
  /** An approval given before counts no more, so that people are asked again; absent: it counts without limit. */
  readonly approvedSince?: string;
  /** Where the full proposal is found, for auditors; no second copy of it. */
  readonly reference: { readonly run_id: string; readonly call_id: string; readonly turn: number };
}

/** What a person granted. */
export interface Approval {
  readonly at: string;
  readonly by: string;
  /** Given instead of the proposed arguments; then only these are approved. */
  readonly editedArguments?: unknown;
  /** Taken back; any value counts. */
  readonly revokedAt?: string;
}

export type Execution = "claimed" | "done" | "failed" | "unknown";

export interface ApprovalTicket {
  readonly id: string;
  readonly key: string;
  readonly state: ApprovalState;
  readonly usesLeft: Uses;
  /** Of what was shown, where the keeper has one; a claim is held against it. */
  readonly digest?: string;
  /** Present once approved. */
  readonly approval?: Approval;
  /** What is known of the latest use. */
  readonly execution?: Execution;
}

export type ClaimOutcome =
  | { readonly kind: "claimed"; readonly claimId: string }
  /** Somebody else was first, or the request is not approved (any more). */
  | { readonly kind: "refused"; readonly execution?: Execution };

export interface ExecutionReport {
  readonly ok: boolean;
  /** Why it failed: an error's name, never its message. */
  readonly detail?: JsonObject;
}

export interface Approvals {
  /** Opens a request, or joins the live one of that key. */
  request(request: ApprovalRequest): Promise<ApprovalTicket>;
  /** The newest request of that key. */
  find(key: string): Promise<ApprovalTicket | null>;
  claim(ticket: ApprovalTicket): Promise<ClaimOutcome>;
  report(ticket: ApprovalTicket, claimId: string, report: ExecutionReport): Promise<void>;
}

/** Whether a request for the same key joins this one. */
export function isLive(
  ticket: ApprovalTicket,
  { approvedSince }: Pick<ApprovalRequest, "approvedSince">,
): boolean {
  const { state, usesLeft, approval, execution } = ticket;
  if (state !== "approved" || approval === undefined) return state === "pending";
  if (approval.revokedAt !== undefined) return false;
  // Who claimed it may have died: it is not known yet that nobody knows how it ended.
  if (execution === "claimed" || execution === "unknown") return true;
  const isTooOld = approvedSince !== undefined && Date.parse(approval.at) < Date.parse(approvedSince);
  return usesLeft !== 0 && !isTooOld;
}

/**
 * A blocked proposal as an OpenIntent suspension, and its response as evidence: for hosts whose people answer intents.
 * Pure. A response executes nothing; it becomes a grant, and the proposal is replayed through policy like any other.
 */

import { defined } from "@holdpoint/protocol/client";
import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/protocol/proposal";
import { createApprovalRequestSeed } from "../evidence.ts";
import type { ApprovalState } from "./state.ts";

/** The part of OpenIntent's suspension record that asks. */
export interface SuspensionAsk {
  readonly id: string;
  readonly question: string;
  readonly response_type: "choice";
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly context: {
    readonly proposalHash: string;
    readonly kind: "tool" | "handoff";
    readonly resourceName: string;
    readonly policyVersion?: string;
    readonly expiresAt?: string;
  };
}

/** The part of the record that says how it ended; all absent while it is open. */
export interface SuspensionEnd {
  readonly id: string;
  readonly resolution?: string | null;
  readonly response?: unknown;
  readonly responded_at?: string | null;
  readonly responded_by?: string | null;
  /** `asker`: it was answered by a link that the asking agent had been given. */
  readonly link_given_to?: string | null;
}

const APPROVE = "approve";
const DENY = "deny";

/**
 * The suspension that asks about a proposal. The question is the public reason, never the internal one.
 *
 * @example
 * ```ts
 * await patchState(intentId, { _suspension: suspensionOf("s1", error.suspendedProposal) });
 * ```
 */
export function suspensionOf(id: string, proposal: SuspendedProposal): SuspensionAsk {
  const { proposalHash, kind, resourceName, policyVersion, expiresAt, publicReason } =
    createApprovalRequestSeed(proposal);
  const given = publicReason?.trim() ?? "";
  return {
    id,
    question: given === "" ? "Action requires approval." : given,
    response_type: "choice",
    choices: [
      { value: APPROVE, label: "Approve" },
      { value: DENY, label: "Deny" },
    ],
    context: { proposalHash, kind, resourceName, ...defined({ policyVersion, expiresAt }) },
  };
}

/**
 * The state of the approval request that a suspension stands for. Only a person's `approve` approves: a fallback that
 * was applied when nobody answered does not, whatever it says, and neither does an answer by a link that the asking
 * agent had been given (G7).
 *
 * @example
 * ```ts
 * suspensionState(intent.state._suspension); // "pending"
 * ```
 */
export function suspensionState({
  resolution,
  response,
  link_given_to: givenTo,
}: SuspensionEnd): ApprovalState {
  switch (resolution) {
    case undefined:
    case null:
      return "pending";
    case "responded":
      return response === APPROVE && (givenTo ?? null) === null ? "approved" : "rejected";
    case "cancelled":
      return "dismissed";
    default:
      return "expired";
  }
}

/**
 * The evidence in an answered suspension; `null` unless a person approved.
 *
 * @example
 * ```ts
 * const grant = suspensionGrant(intent.state._suspension, proposal.proposalHash);
 * ```
 */
export function suspensionGrant(
  end: SuspensionEnd & Partial<SuspensionAsk>,
  proposalHash: string,
): ApprovalGrant | null {
  const isAbout = end.context?.proposalHash === proposalHash;
  if (!isAbout || suspensionState(end) !== "approved" || typeof end.responded_at !== "string") return null;
  const metadata = { suspension_id: end.id, ...defined({ responded_by: end.responded_by ?? undefined }) };
  return { proposalHash, approvedAt: end.responded_at, metadata };
}

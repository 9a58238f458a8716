/** What an approved request is evidence of. */

import { defined } from "@holdpoint/protocol/client";
import type { ApprovalGrant } from "@holdpoint/protocol/proposal";
import type { ApprovalTicket } from "./approvals.ts";

/**
 * The grant for the proposal as it was made; `null` when it is not approved, or only with other arguments.
 *
 * @param grantForMs how long it counts once given.
 */
export function grantOf(
  ticket: ApprovalTicket,
  proposalHash: string,
  grantForMs: number | undefined,
): ApprovalGrant | null {
  return ticket.approval?.editedArguments === undefined
    ? approvedGrant(ticket, proposalHash, grantForMs)
    : null;
}

/** The grant for what was approved instead. */
export function editedGrantOf(
  ticket: ApprovalTicket,
  editedHash: string,
  editedFrom: string,
  grantForMs: number | undefined,
): ApprovalGrant | null {
  const grant = approvedGrant(ticket, editedHash, grantForMs);
  return grant && { ...grant, metadata: { ...grant.metadata, edited_from: editedFrom } };
}

function approvedGrant(
  { id, state, approval }: ApprovalTicket,
  proposalHash: string,
  grantForMs: number | undefined,
): ApprovalGrant | null {
  if (state !== "approved" || approval === undefined) return null;
  const { at: approvedAt, by, revokedAt } = approval;
  const expiresAt =
    grantForMs === undefined ? undefined : new Date(Date.parse(approvedAt) + grantForMs).toISOString();
  return { proposalHash, approvedAt, ...defined({ expiresAt, revokedAt }), metadata: { hold_id: id, by } };
}

export function isUsedUp({ usesLeft }: ApprovalTicket): boolean {
  return usesLeft !== "unlimited" && usesLeft < 1;
}

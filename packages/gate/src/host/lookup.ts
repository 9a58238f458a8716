/**
 * From an operation's hash to what people said about it. An edited operation has a hash of its own that no request
 * names; edited proposals that were handed out are remembered here, so that its grant is found under that hash too.
 */

import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/protocol/proposal";
import { assertUntouched } from "../replay-proposal.ts";
import type { ApprovalTicket } from "./approvals.ts";
import { editProposal } from "./edit.ts";
import { editedGrantOf, grantOf, isUsedUp } from "./grant.ts";

export interface Found {
  readonly ticket: ApprovalTicket;
  /** Of exactly the operation that was looked up; `null` when it is not approved, or only with other arguments. */
  readonly grant: ApprovalGrant | null;
}

export interface ApprovedOperation extends Found {
  /** What was approved: the proposal itself, or the edited one. */
  readonly effective: SuspendedProposal;
}

export interface LookupSetup {
  readonly find: (proposalHash: string) => Promise<ApprovalTicket | null>;
  readonly sensitiveOf: (proposal: SuspendedProposal) => readonly string[];
  readonly grantForMs: number | undefined;
}

export interface Lookup {
  readonly byHash: (proposalHash: string) => Promise<Found | null>;
  /** @throws {ProposalMismatchError} when the stored proposal was tampered with. */
  readonly byProposal: (proposal: SuspendedProposal) => Promise<ApprovedOperation | null>;
}

export function approvalLookup({ find, sensitiveOf, grantForMs }: LookupSetup): Lookup {
  const originals = new Map<string, SuspendedProposal>();

  async function byProposal(proposal: SuspendedProposal): Promise<ApprovedOperation | null> {
    // Before anything is derived from it: an edited proposal made from a forged one would look genuine.
    assertUntouched(proposal);
    const { proposalHash } = proposal;
    const ticket = await find(proposalHash);
    if (ticket === null) return null;
    const edited = ticket.approval?.editedArguments;
    if (edited === undefined) {
      return { ticket, effective: proposal, grant: grantOf(ticket, proposalHash, grantForMs) };
    }
    const effective = editProposal(proposal, edited, sensitiveOf(proposal));
    originals.set(effective.proposalHash, proposal);
    const grant = editedGrantOf(ticket, effective.proposalHash, proposalHash, grantForMs);
    return { ticket, effective, grant };
  }

  return {
    byProposal,
    byHash: async (proposalHash) => {
      const ticket = await find(proposalHash);
      const own = ticket && { ticket, grant: grantOf(ticket, proposalHash, grantForMs) };
      const original = originals.get(proposalHash);
      if (original === undefined || (own !== null && isUsable(own))) return own;
      const operation = await byProposal(original);
      // What people say now counts: the newest request of the original may have been decided otherwise since.
      const edited = operation?.effective.proposalHash === proposalHash ? operation : null;
      return edited !== null && isUsable(edited) ? edited : (own ?? edited);
    },
  };
}

function isUsable({ ticket, grant }: Found): boolean {
  return grant !== null && !isUsedUp(ticket);
}

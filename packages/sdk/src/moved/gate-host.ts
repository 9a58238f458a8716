import { moved } from "./moved.ts";

/** Throws: everything of this entry is in `@holdpoint/gate/host` now. The names are still listed, because an import of a missing name fails before this sentence could be read. */
export const {
  APPROVAL_STATES,
  ClaimRefusedError,
  approvalHost,
  approvalKey,
  approvalStateOf,
  canBecome,
  connectApprovals,
  editProposal,
  holdApprovals,
  placeOf,
  showProposal,
  suspensionGrant,
  suspensionOf,
  suspensionState,
  ticketOf,
} = moved("@holdpoint/sdk/gate/host", "@holdpoint/gate/host");

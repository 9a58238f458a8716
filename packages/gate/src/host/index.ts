/**
 * @module
 * The host's side of the gate: approval requests, evidence, claims and resuming. The queue itself, the reviewers and
 * their notifications are the server's.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 * import { connectApprovals } from "@holdpoint/gate/host";
 *
 * const host = connectApprovals({ scope: "acme" }, new Holdpoint());
 * await host.resume(proposal, agent, { context: (grants) => ({ grants }), policies });
 * ```
 */
export type {
  Approval,
  ApprovalRequest,
  Approvals,
  ApprovalTicket,
  ClaimOutcome,
  Execution,
  ExecutionReport,
} from "./approvals.ts";
export type { ReviewNotes } from "./card.ts";
export { showProposal } from "./card.ts";
export { ClaimRefusedError } from "./claim.ts";
export type { ConnectedApprovals, ConnectOptions, RuledApprovals } from "./connect.ts";
export { connectApprovals } from "./connect.ts";
export { editProposal } from "./edit.ts";
export { placeOf, ticketOf } from "./hold.ts";
export type { HoldTerms } from "./hold-approvals.ts";
export { holdApprovals } from "./hold-approvals.ts";
export type { ApprovalHost, ApprovalHostOptions } from "./host.ts";
export { approvalHost } from "./host.ts";
export { approvalKey } from "./request.ts";
export type { ResumeOptions, ResumeOutcome } from "./resume.ts";
export type { ApprovalState } from "./state.ts";
export { APPROVAL_STATES, approvalStateOf, canBecome } from "./state.ts";
export type { SuspensionAsk, SuspensionEnd } from "./suspension.ts";
export { suspensionGrant, suspensionOf, suspensionState } from "./suspension.ts";

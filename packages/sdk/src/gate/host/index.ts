/**
 * @module
 * The host's side of the gate: approval requests, evidence, claims and resuming. The queue itself, the reviewers and
 * their notifications are the server's.
 *
 * @example
 * ```ts
 * import { approvalHost } from "@holdpoint/sdk/gate/host";
 *
 * const host = approvalHost(approvals, { scope: "acme" });
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
  Uses,
} from "./approvals.ts";
export type { ReviewNotes } from "./card.ts";
export { showProposal } from "./card.ts";
export { ClaimRefusedError } from "./claim.ts";
export { editProposal } from "./edit.ts";
export { placeOf, ticketOf } from "./hold.ts";
export type { ApprovalHost, ApprovalHostOptions } from "./host.ts";
export { approvalHost } from "./host.ts";
export { approvalKey } from "./request.ts";
export type { ResumeOptions, ResumeOutcome } from "./resume.ts";
export type { ApprovalState } from "./state.ts";
export { APPROVAL_STATES, approvalStateOf, canBecome } from "./state.ts";

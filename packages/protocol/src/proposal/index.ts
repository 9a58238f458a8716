/**
 * @module
 * Blocked proposals and their fingerprints, computed alike by agents, servers and browsers.
 *
 * @example
 * ```ts
 * import { createToolProposalFingerprint } from "@holdpoint/protocol/proposal";
 *
 * const { proposalHash } = createToolProposalFingerprint({
 *   agentName: "Finance Agent",
 *   toolName: "export_report",
 *   parsedArguments: { reportId: "rpt-1" },
 * });
 * ```
 */
export { parseProposalArguments } from "./arguments.ts";
export { canonicalProposalJson } from "./canonical.ts";
export type { HandoffCard, ProposalCard, Risk, ToolCard } from "./card.ts";
export { readProposalCard } from "./card.ts";
export type {
  HandoffProposalContent,
  HandoffProposalFingerprint,
  ToolProposalContent,
  ToolProposalFingerprint,
} from "./fingerprint.ts";
export { createHandoffProposalFingerprint, createToolProposalFingerprint } from "./fingerprint.ts";
export type { ApprovalGrant, ApprovalRequestSeed } from "./grant.ts";
export { hashCanonicalProposal, sha256Hex } from "./hash.ts";
export type {
  ProposalFault,
  SuspendedHandoffProposal,
  SuspendedProposal,
  SuspendedProposalBase,
  SuspendedToolProposal,
} from "./proposal.ts";
export { proposalFault } from "./proposal.ts";

/**
 * What identifies a proposal: who wants to do what with which content. Call ids, run ids, times and the policy's
 * rationale are left out on purpose, so that the same operation proposed again has the same hash.
 */

import { canonicalProposalJson } from "./canonical.ts";
import { hashCanonicalProposal } from "./hash.ts";

export interface ToolProposalContent {
  readonly agentName: string;
  readonly toolName: string;
  /** As parsed from the model's text, before any schema adds defaults. */
  readonly parsedArguments: unknown;
}

export interface ToolProposalFingerprint {
  readonly proposalHash: string;
  readonly argsCanonicalJson: string;
}

export interface HandoffProposalContent {
  readonly fromAgentName: string;
  readonly toAgentName: string;
  readonly handoffPayload: unknown;
}

export interface HandoffProposalFingerprint {
  readonly proposalHash: string;
  readonly payloadCanonicalJson: string;
}

/**
 * Fingerprint of a tool call.
 *
 * @example
 * ```ts
 * const { proposalHash } = createToolProposalFingerprint({
 *   agentName: "Finance Agent",
 *   toolName: "export_report",
 *   parsedArguments: { reportId: "rpt-1" },
 * });
 * ```
 */
export function createToolProposalFingerprint(content: ToolProposalContent): ToolProposalFingerprint {
  const { agentName, toolName } = content;
  const argsCanonicalJson = canonicalProposalJson(content.parsedArguments);
  const proposalHash = hashCanonicalProposal({ kind: "tool", agentName, toolName, argsCanonicalJson });
  return { proposalHash, argsCanonicalJson };
}

/**
 * Fingerprint of a handoff.
 *
 * @example
 * ```ts
 * const { proposalHash } = createHandoffProposalFingerprint({
 *   fromAgentName: "Source Agent",
 *   toAgentName: "Target Agent",
 *   handoffPayload: { reason: "route" },
 * });
 * ```
 */
export function createHandoffProposalFingerprint(
  content: HandoffProposalContent,
): HandoffProposalFingerprint {
  const { fromAgentName, toAgentName } = content;
  const payloadCanonicalJson = canonicalProposalJson(content.handoffPayload);
  const proposalHash = hashCanonicalProposal({
    kind: "handoff",
    fromAgentName,
    toAgentName,
    payloadCanonicalJson,
  });
  return { proposalHash, payloadCanonicalJson };
}

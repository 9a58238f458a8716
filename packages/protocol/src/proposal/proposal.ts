/** The exact tool call or handoff that a policy blocked, as aioc RFC-0005 types it. Audit data, never public text. */

import { parseProposalArguments } from "./arguments.ts";
import { createHandoffProposalFingerprint, createToolProposalFingerprint } from "./fingerprint.ts";

export interface SuspendedProposalBase {
  /** When it was blocked, ISO 8601 in UTC. */
  timestamp: string;
  runId: string;
  /** The model's turn, from 1. */
  turn: number;
  /** The provider's call id, verbatim; links to the run, never identifies the operation. */
  callId: string;
  agentName: string;
  proposalHash: string;
  /** The policy's internal code; only `publicReason` is meant for users and models. */
  reason: string;
  publicReason?: string;
  policyVersion?: string;
  /** Informational: nothing acts on it. */
  expiresAt?: string;
  metadata?: Record<string, unknown>;
}

export interface SuspendedToolProposal extends SuspendedProposalBase {
  kind: "tool";
  toolName: string;
  rawArguments: string;
  parsedArguments: unknown;
  argsCanonicalJson: string;
}

export interface SuspendedHandoffProposal extends SuspendedProposalBase {
  kind: "handoff";
  fromAgentName: string;
  toAgentName: string;
  handoffPayload: unknown;
  payloadCanonicalJson: string;
}

export type SuspendedProposal = SuspendedToolProposal | SuspendedHandoffProposal;

/** Why a stored proposal cannot be trusted to be the one that was blocked. */
export type ProposalFault = "arguments_differ" | "canonical_differs" | "hash_differs";

/**
 * Computes a stored proposal's fingerprint again. Otherwise somebody who can edit the store could swap the arguments under
 * an approved hash.
 *
 * @returns the first fault found, or `null` when every part agrees with every other.
 *
 * @example
 * ```ts
 * if (proposalFault(stored) !== null) throw new Error("this is not what was blocked");
 * ```
 */
export function proposalFault(proposal: SuspendedProposal): ProposalFault | null {
  return proposal.kind === "tool" ? toolFault(proposal) : handoffFault(proposal);
}

function toolFault(proposal: SuspendedToolProposal): ProposalFault | null {
  const { agentName, toolName, parsedArguments, argsCanonicalJson } = proposal;
  const fromText = createToolProposalFingerprint({
    agentName,
    toolName,
    parsedArguments: parseProposalArguments(proposal.rawArguments),
  });
  const fromValue = createToolProposalFingerprint({ agentName, toolName, parsedArguments });
  if (fromText.proposalHash !== fromValue.proposalHash) return "arguments_differ";
  if (fromValue.argsCanonicalJson !== argsCanonicalJson) return "canonical_differs";
  return fromValue.proposalHash === proposal.proposalHash ? null : "hash_differs";
}

function handoffFault(proposal: SuspendedHandoffProposal): ProposalFault | null {
  const { fromAgentName, toAgentName, handoffPayload } = proposal;
  const computed = createHandoffProposalFingerprint({ fromAgentName, toAgentName, handoffPayload });
  if (computed.payloadCanonicalJson !== proposal.payloadCanonicalJson) return "canonical_differs";
  return computed.proposalHash === proposal.proposalHash ? null : "hash_differs";
}

/** From a suspended proposal to the request that people answer. */

import { defined } from "@holdpoint/protocol/client";
import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import type { Uses } from "@holdpoint/protocol/rules";
import { USES_MAX } from "@holdpoint/protocol/rules";
import type { ApprovalRequest } from "./approvals.ts";
import type { ReviewNotes } from "./card.ts";
import { showProposal } from "./card.ts";

/**
 * The key of an approval request. The hash names the operation only, so tenant, thread or environment belong into the
 * scope: an approval never crosses it.
 *
 * @example
 * ```ts
 * approvalKey("acme", proposal.proposalHash); // "gate:acme:486e7d85…"
 * ```
 */
export function approvalKey(scope: string, proposalHash: string): string {
  return `gate:${scope}:${proposalHash}`;
}

export function approvalRequest(
  scope: string,
  proposal: SuspendedProposal,
  notes: ReviewNotes = {},
): ApprovalRequest {
  const { proposalHash, publicReason, runId, callId, turn } = proposal;
  const what = proposal.kind === "tool" ? `run ${proposal.toolName}` : `hand over to ${proposal.toAgentName}`;
  const given = publicReason?.trim() ?? "";
  return {
    key: approvalKey(scope, proposalHash),
    prompt: given === "" ? `May ${proposal.agentName} ${what}?` : given,
    card: showProposal(proposal, notes),
    ...defined({ argumentsSchema: notes.argumentsSchema }),
    uses: usesOf(proposal.metadata),
    reference: { run_id: runId, call_id: callId, turn },
  };
}

/** A policy may opt into more than one use with `metadata: { uses: 5 }` or `"unlimited"`; what makes no sense means one. */
function usesOf(metadata: Readonly<Record<string, unknown>> = {}): Uses {
  const { uses } = metadata;
  if (uses === "unlimited") return uses;
  return typeof uses === "number" && Number.isSafeInteger(uses) && uses > 0 && uses <= USES_MAX ? uses : 1;
}

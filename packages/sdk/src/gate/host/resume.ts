/** Resuming: the exact approved proposal, through policy again, under a claim. */

import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/protocol/proposal";
import type { Agent } from "../agent.ts";
import {
  isApprovalRequiredError,
  isHandoffPolicyDeniedError,
  isToolCallPolicyDeniedError,
} from "../errors.ts";
import type { Fence } from "../fence.ts";
import type { ProposalReplay, ReplayProposalOptions } from "../replay-proposal.ts";
import { assertUntouched, replayProposal } from "../replay-proposal.ts";
import type { Approvals, ApprovalTicket, Execution } from "./approvals.ts";
import { ClaimRefusedError, executeClaimed } from "./claim.ts";
import { editProposal } from "./edit.ts";
import { editedGrantOf, grantOf, isUsedUp } from "./grant.ts";
import type { ApprovalState } from "./state.ts";

export interface ResumeOptions<TContext>
  extends Omit<ReplayProposalOptions<TContext>, "fence" | "context" | "provider"> {
  /** Puts the evidence where the policy looks for it. */
  readonly context: (grants: readonly ApprovalGrant[]) => TContext;
}

export type ResumeOutcome<TContext> =
  | { readonly kind: "executed"; readonly output: unknown; readonly replay: ProposalReplay<TContext> }
  /** It ran and threw; it is not tried again. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** The policy does not allow it, whatever people said. */
  | { readonly kind: "blocked"; readonly reason: string }
  /** Somebody else executes or has executed it. */
  | { readonly kind: "claimed_elsewhere"; readonly execution: Execution | undefined }
  | { readonly kind: "not_approved"; readonly state: Exclude<ApprovalState, "approved"> | "never_requested" };

export interface ResumeSetup {
  readonly approvals: Approvals;
  readonly ticket: ApprovalTicket | null;
  readonly sensitive: readonly string[];
  readonly grantForMs: number | undefined;
  readonly isActive: (grant: ApprovalGrant) => boolean;
}

export async function resumeProposal<TContext>(
  proposal: SuspendedProposal,
  agent: Agent<TContext>,
  options: ResumeOptions<TContext>,
  setup: ResumeSetup,
): Promise<ResumeOutcome<TContext>> {
  const { ticket, approvals } = setup;
  // Before anything is derived from it: an edited proposal made from a forged one would look genuine.
  assertUntouched(proposal);
  if (ticket === null) return { kind: "not_approved", state: "never_requested" };
  if (ticket.state !== "approved") return { kind: "not_approved", state: ticket.state };
  const { effective, grant } = approvedOperation(proposal, ticket, setup);
  if (grant === null || !setup.isActive(grant)) return { kind: "not_approved", state: "expired" };
  if (isUsedUp(ticket)) return { kind: "claimed_elsewhere", execution: ticket.execution };
  let started = false;
  const fence: Fence = (_call, proceed) =>
    executeClaimed(approvals, ticket, () => {
      started = true;
      return proceed();
    });
  const { context, ...replayOptions } = options;
  try {
    const replay = await replayProposal(agent, effective, {
      ...replayOptions,
      context: context([grant]),
      fence,
    });
    const { envelope } = replay;
    if (envelope.status === "ok") return { kind: "executed", output: envelope.data, replay };
    return { kind: "blocked", reason: envelope.code };
  } catch (error) {
    return outcomeOfError(error, started);
  }
}

/** What was approved: the proposal itself, or the edited one, which the policy will see as what it is. */
function approvedOperation(
  proposal: SuspendedProposal,
  ticket: ApprovalTicket,
  { sensitive, grantForMs }: ResumeSetup,
): { effective: SuspendedProposal; grant: ApprovalGrant | null } {
  const edited = ticket.approval?.editedArguments;
  if (edited === undefined) {
    return { effective: proposal, grant: grantOf(ticket, proposal.proposalHash, grantForMs) };
  }
  const effective = editProposal(proposal, edited, sensitive);
  const grant = editedGrantOf(ticket, effective.proposalHash, proposal.proposalHash, grantForMs);
  return { effective, grant };
}

function outcomeOfError<TContext>(error: unknown, started: boolean): ResumeOutcome<TContext> {
  if (started) return { kind: "failed", error };
  if (error instanceof ClaimRefusedError) return { kind: "claimed_elsewhere", execution: error.execution };
  if (
    isApprovalRequiredError(error) ||
    isToolCallPolicyDeniedError(error) ||
    isHandoffPolicyDeniedError(error)
  ) {
    return { kind: "blocked", reason: error.result.policyResult.reason };
  }
  throw error;
}

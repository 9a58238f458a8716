/** Resuming: the exact approved proposal, through policy again, under a claim. */

import type { OutstandingReport } from "@holdpoint/protocol/client";
import type { ApprovalGrant } from "@holdpoint/protocol/proposal";
import type { Agent } from "../agent.ts";
import {
  isApprovalRequiredError,
  isHandoffPolicyDeniedError,
  isToolCallPolicyDeniedError,
} from "../errors.ts";
import type { Fence } from "../fence.ts";
import type { ProposalReplay, ReplayProposalOptions } from "../replay-proposal.ts";
import { replayProposal } from "../replay-proposal.ts";
import type { Approvals, Execution } from "./approvals.ts";
import { ClaimRefusedError, executeClaimed } from "./claim.ts";
import { isUsedUp } from "./grant.ts";
import type { ApprovedOperation } from "./lookup.ts";
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
  readonly isActive: (grant: ApprovalGrant) => boolean;
  readonly onOutstanding?: ((report: OutstandingReport) => void) | undefined;
}

/** The edited operation, where people approved that instead, passes the policy as what it is. */
export async function resumeProposal<TContext>(
  operation: ApprovedOperation | null,
  agent: Agent<TContext>,
  options: ResumeOptions<TContext>,
  { approvals, isActive, onOutstanding }: ResumeSetup,
): Promise<ResumeOutcome<TContext>> {
  if (operation === null) return { kind: "not_approved", state: "never_requested" };
  const { ticket, effective, grant } = operation;
  if (ticket.state !== "approved") return { kind: "not_approved", state: ticket.state };
  if (grant === null || !isActive(grant)) return { kind: "not_approved", state: "expired" };
  if (isUsedUp(ticket)) return { kind: "claimed_elsewhere", execution: ticket.execution };
  let started = false;
  const fence: Fence = (_call, proceed) => {
    const work = () => {
      started = true;
      return proceed();
    };
    return executeClaimed(approvals, ticket, work, onOutstanding);
  };
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

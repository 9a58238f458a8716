/**
 * The host's side of the gate: requests out, evidence in, one execution for one approval.
 *
 * H1  A proposal is requested before the model or the caller hears that it is blocked (G2).
 * H2  Evidence is bound to scope and hash; a grant for one operation is no evidence for any other.
 * H3  A granted call executes only after its claim succeeded, and its end is reported; one that was claimed and never
 *     reported is not repeated.
 * H4  Resuming asks the policy again and executes only what it allows (G10).
 */

import { defined, type OutstandingReport } from "@holdpoint/protocol/client";
import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/protocol/proposal";
import type { Agent } from "../agent.ts";
import { isApprovalGrantActive } from "../evidence.ts";
import type { Fence } from "../fence.ts";
import type { Approvals } from "./approvals.ts";
import type { ReviewNotes } from "./card.ts";
import { ClaimRefusedError, executeClaimed } from "./claim.ts";
import { isUsedUp } from "./grant.ts";
import { approvalLookup } from "./lookup.ts";
import { approvalKey, approvalRequest } from "./request.ts";
import type { ResumeOptions, ResumeOutcome } from "./resume.ts";
import { resumeProposal } from "./resume.ts";
import type { ApprovalState } from "./state.ts";

export interface ApprovalHostOptions {
  /** Tenant, thread or environment that approvals must not cross. */
  readonly scope: string;
  /** By tool name, or by target agent for handoffs. */
  readonly review?: Readonly<Record<string, ReviewNotes>>;
  /** How long an approval counts once given; without limit when absent. */
  readonly grantForMs?: number;
  /** Epoch milliseconds; the system clock when absent. */
  readonly now?: () => number;
  /** Told when an operation ran and the report of it is outstanding; a warning on the console when absent. */
  readonly onOutstanding?: (report: OutstandingReport) => void;
}

export interface ApprovalHost {
  /** Give it to runs and guards as `onSuspended`. */
  readonly onSuspended: (proposal: SuspendedProposal) => Promise<void>;
  /**
   * Give it to runs and guards as `fence`: what people were asked about is claimed before it runs, and does not run
   * without their approval. A policy that allows such an operation for another reason says so with
   * `metadata: { grant: false }`.
   */
  readonly fence: Fence;
  /** Evidence for a policy: the active, unused grant for exactly this proposal, if there is one. */
  readonly grants: (proposalHash: string) => Promise<readonly ApprovalGrant[]>;
  readonly state: (proposalHash: string) => Promise<ApprovalState | null>;
  /**
   * What people approved: the proposal, or the one they made of it with other arguments; `null` when neither counts.
   * For who calls guarded tools: `callProposal(tools, approved)` proposes it again.
   */
  readonly approved: (proposal: SuspendedProposal) => Promise<SuspendedProposal | null>;
  /** Proposes again exactly what was approved; nothing ever does that by itself. */
  readonly resume: <TContext>(
    proposal: SuspendedProposal,
    agent: Agent<TContext>,
    options: ResumeOptions<TContext>,
  ) => Promise<ResumeOutcome<TContext>>;
}

/**
 * Connects runs and guards to the store of approval requests.
 *
 * @example
 * ```ts
 * const host = approvalHost(approvals, { scope: "acme", review: { refund: { risk: "high" } } });
 * const toolPolicy: ToolPolicy = async ({ proposalHash }) =>
 *   (await host.grants(proposalHash)).length > 0 ? allow("approval_granted") : requireApproval("needs_a_person");
 *
 * await run(agent, "Refund order 7", {
 *   provider,
 *   policies: { toolPolicy },
 *   onSuspended: host.onSuspended,
 *   fence: host.fence,
 * });
 * ```
 */
export function approvalHost(approvals: Approvals, options: ApprovalHostOptions): ApprovalHost {
  const { scope, review = {}, grantForMs, now = Date.now, onOutstanding } = options;
  const notesFor = (proposal: SuspendedProposal): ReviewNotes => {
    const name = proposal.kind === "tool" ? proposal.toolName : proposal.toAgentName;
    return (Object.hasOwn(review, name) ? review[name] : undefined) ?? {};
  };
  const { byHash, byProposal } = approvalLookup({
    find: (proposalHash) => approvals.find(approvalKey(scope, proposalHash)),
    sensitiveOf: (proposal) => notesFor(proposal).sensitive ?? [],
    grantForMs,
  });
  const isActive = (grant: ApprovalGrant) => isApprovalGrantActive(grant, new Date(now()).toISOString());
  return {
    onSuspended: async (proposal) => {
      const request = approvalRequest(scope, proposal, notesFor(proposal));
      const since = grantForMs === undefined ? undefined : new Date(now() - grantForMs).toISOString();
      await approvals.request({ ...request, ...defined({ approvedSince: since }) });
    },
    grants: async (proposalHash) => {
      const found = await byHash(proposalHash);
      if (found === null || found.grant === null || isUsedUp(found.ticket)) return [];
      return isActive(found.grant) ? [found.grant] : [];
    },
    state: async (proposalHash) => {
      const found = await byHash(proposalHash);
      if (found === null) return null;
      return found.grant !== null && !isActive(found.grant) ? "expired" : found.ticket.state;
    },
    fence: async (call, proceed) => {
      const found = await byHash(call.proposalHash);
      if (found === null || call.policyResult.metadata?.["grant"] === false) return await proceed();
      // A policy may have seen a grant that another host has used since, even if the next request is open by now: what
      // people were asked about runs only under a claim.
      const { ticket, grant } = found;
      if (grant === null || !isActive(grant)) throw new ClaimRefusedError(ticket, ticket.execution);
      return await executeClaimed(approvals, ticket, proceed, onOutstanding);
    },
    approved: async (proposal) => {
      const operation = await byProposal(proposal);
      return operation?.grant && isActive(operation.grant) ? operation.effective : null;
    },
    resume: async (proposal, agent, resumeOptions) => {
      const operation = await byProposal(proposal);
      return await resumeProposal(operation, agent, resumeOptions, { approvals, isActive, onOutstanding });
    },
  };
}

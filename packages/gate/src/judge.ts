/**
 * The gate itself: one proposal in, one verdict out, the same for a run's calls and for guarded functions.
 *
 * J1  Only a policy's `allow` gives an `allowed` verdict; whatever goes wrong on the way is a hard deny.
 * J2  What the policy judged, what the proposal shows and what the hash covers come from one text, parsed again for
 *     each of them, so that nobody can change what another sees.
 * J3  Every verdict is traced; every `require_approval` makes exactly one suspended proposal, handed on before
 *     anybody is told that it is blocked (G2).
 */

import { defined } from "@holdpoint/protocol/client";
import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import {
  createHandoffProposalFingerprint,
  createToolProposalFingerprint,
  parseProposalArguments,
} from "@holdpoint/protocol/proposal";
import type { BlockedEnvelope } from "./envelope.ts";
import { blockedEnvelope } from "./envelope.ts";
import {
  errorNote,
  HandoffApprovalRequiredError,
  HandoffPolicyDeniedError,
  ToolCallApprovalRequiredError,
  ToolCallPolicyDeniedError,
} from "./errors.ts";
import { evaluatePolicy, hardDeny } from "./evaluate.ts";
import { notPlainJson } from "./plain-json.ts";
import type { Policies, PolicyResult, RunContext } from "./policy.ts";

interface Proposed {
  readonly runId: string;
  readonly turn: number;
  readonly callId: string;
  readonly agentName: string;
  /** The name the model called: a tool, or a handoff's reserved name. */
  readonly toolName: string;
  readonly rawArguments: string;
}

export interface ProposedTool extends Proposed {
  readonly kind: "tool";
}

export interface ProposedHandoff extends Proposed {
  readonly kind: "handoff";
  readonly toAgentName: string;
}

export type ProposedCall = ProposedTool | ProposedHandoff;

/** Where verdicts are told. */
export interface Trace {
  decided(call: ProposedCall, result: PolicyResult): Promise<void>;
  suspended(proposal: SuspendedProposal, result: PolicyResult): Promise<void>;
}

export interface JudgeSetup<TContext> {
  readonly policies: Policies<TContext>;
  readonly runContext: RunContext<TContext>;
  readonly trace: Trace;
  readonly now: () => number;
}

export type Verdict =
  | { readonly kind: "allowed"; readonly policyResult: PolicyResult; readonly proposalHash: string }
  | { readonly kind: "blocked"; readonly policyResult: PolicyResult; readonly proposal?: SuspendedProposal };

export async function judge<TContext>(call: ProposedCall, setup: JudgeSetup<TContext>): Promise<Verdict> {
  const fingerprint = fingerprintOf(call);
  if ("denied" in fingerprint) {
    await setup.trace.decided(call, fingerprint.denied);
    return { kind: "blocked", policyResult: fingerprint.denied };
  }
  const policyResult = await evaluatePolicy(questionFor(call, fingerprint, setup));
  await setup.trace.decided(call, policyResult);
  if (policyResult.decision === "allow") {
    return { kind: "allowed", policyResult, proposalHash: fingerprint.proposalHash };
  }
  if (policyResult.decision === "deny") return { kind: "blocked", policyResult };
  const proposal = suspend(call, fingerprint, policyResult, setup.now());
  await setup.trace.suspended(proposal, policyResult);
  return { kind: "blocked", policyResult, proposal };
}

/** A refusal that comes before any policy is asked, traced like a policy's own. */
export async function refuse(
  call: ProposedCall,
  reason: string,
  trace: Trace,
  metadata?: Record<string, unknown>,
): Promise<PolicyResult> {
  const policyResult = hardDeny(reason, metadata);
  await trace.decided(call, policyResult);
  return policyResult;
}

/** Tells a blocked verdict as its policy wants it told: as an envelope for the model, or by throwing. */
export function tellBlocked(call: ProposedCall, verdict: Verdict & { kind: "blocked" }): BlockedEnvelope {
  const { policyResult, proposal } = verdict;
  if (policyResult.resultMode === "tool_result") return blockedEnvelope(policyResult);
  throw blockedError(call, policyResult, proposal);
}

export function blockedError(
  call: ProposedCall,
  policyResult: PolicyResult,
  suspendedProposal: SuspendedProposal | undefined,
): Error {
  if (call.kind === "tool") {
    const { toolName } = call;
    return suspendedProposal === undefined
      ? new ToolCallPolicyDeniedError({ toolName, policyResult })
      : new ToolCallApprovalRequiredError({ toolName, policyResult, suspendedProposal });
  }
  const ends = { fromAgent: call.agentName, toAgent: call.toAgentName };
  return suspendedProposal === undefined
    ? new HandoffPolicyDeniedError({ ...ends, policyResult })
    : new HandoffApprovalRequiredError({ ...ends, policyResult, suspendedProposal });
}

interface Fingerprint {
  readonly proposalHash: string;
  readonly canonicalJson: string;
}

function fingerprintOf(call: ProposedCall): Fingerprint | { readonly denied: PolicyResult } {
  const payload = parseProposalArguments(call.rawArguments);
  try {
    // `1e999` is JSON, is read as Infinity, and would have the hash of null.
    const stray = notPlainJson(payload);
    if (stray !== null) return { denied: hardDeny("proposal_not_canonical", { at: stray }) };
    if (call.kind === "tool") {
      const { agentName, toolName } = call;
      const { proposalHash, argsCanonicalJson } = createToolProposalFingerprint({
        agentName,
        toolName,
        parsedArguments: payload,
      });
      return { proposalHash, canonicalJson: argsCanonicalJson };
    }
    const { agentName: fromAgentName, toAgentName } = call;
    const { proposalHash, payloadCanonicalJson } = createHandoffProposalFingerprint({
      fromAgentName,
      toAgentName,
      handoffPayload: payload,
    });
    return { proposalHash, canonicalJson: payloadCanonicalJson };
  } catch (error) {
    // JSON nested deeper than the stack: what cannot be identified cannot be approved either.
    return { denied: hardDeny("proposal_not_canonical", { errorName: errorNote(error).errorName }) };
  }
}

function questionFor<TContext>(
  call: ProposedCall,
  { proposalHash, canonicalJson }: Fingerprint,
  { policies, runContext }: JudgeSetup<TContext>,
): (() => unknown) | undefined {
  const { agentName, toolName, rawArguments, turn } = call;
  const payload = parseProposalArguments(rawArguments);
  if (call.kind === "tool") {
    const policy = policies.toolPolicy;
    const identity = { agentName, toolName, rawArguments, parsedArguments: payload };
    return (
      policy &&
      (() => policy({ ...identity, proposalHash, argsCanonicalJson: canonicalJson, runContext, turn }))
    );
  }
  const policy = policies.handoffPolicy;
  const identity = { fromAgentName: agentName, toAgentName: call.toAgentName, handoffPayload: payload };
  return (
    policy &&
    (() => policy({ ...identity, proposalHash, payloadCanonicalJson: canonicalJson, runContext, turn }))
  );
}

function suspend(
  call: ProposedCall,
  { proposalHash, canonicalJson }: Fingerprint,
  policyResult: PolicyResult,
  now: number,
): SuspendedProposal {
  const { runId, turn, callId, agentName, toolName, rawArguments } = call;
  const { reason, publicReason, policyVersion, expiresAt, metadata } = policyResult;
  const timestamp = new Date(now).toISOString();
  const told = { reason, ...defined({ publicReason, policyVersion, expiresAt, metadata }) };
  const base = { timestamp, runId, turn, callId, agentName, proposalHash, ...told };
  const payload = parseProposalArguments(rawArguments);
  if (call.kind === "tool") {
    const content = { toolName, rawArguments, parsedArguments: payload, argsCanonicalJson: canonicalJson };
    return { kind: "tool", ...base, ...content };
  }
  const ends = { fromAgentName: agentName, toAgentName: call.toAgentName };
  return { kind: "handoff", ...base, ...ends, handoffPayload: payload, payloadCanonicalJson: canonicalJson };
}

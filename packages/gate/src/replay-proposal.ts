/**
 * Proposes again exactly what was suspended, without asking a model. The proposal passes the gate like any other:
 * it runs only if a policy, looking at whatever evidence the host has put into the context, allows it now.
 */

import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import { proposalFault } from "@holdpoint/protocol/proposal";
import type { Agent } from "./agent.ts";
import type { ToolResultEnvelope } from "./envelope.ts";
import { isToolResultEnvelope } from "./envelope.ts";
import { ProposalMismatchError } from "./errors.ts";
import { handoffTools } from "./handoff.ts";
import type { RunInput } from "./items.ts";
import type { ModelProvider, ProviderEvent } from "./provider.ts";
import { scriptedProvider } from "./provider.ts";
import { recordedCalls } from "./recorded-calls.ts";
import type { RunResult } from "./run.ts";
import { run } from "./run.ts";
import type { RunOptions } from "./session.ts";

export interface ReplayProposalOptions<TContext> extends Omit<RunOptions<TContext>, "provider"> {
  /** Goes on after the proposal; when absent the run ends with it. */
  readonly provider?: ModelProvider;
  /** What the run starts from; nothing when absent. */
  readonly input?: RunInput;
}

export interface ProposalReplay<TContext> extends RunResult<TContext> {
  /** What became of the proposal. */
  readonly envelope: ToolResultEnvelope;
}

/**
 * Replays a suspended proposal in a run of its own.
 *
 * @throws {ProposalMismatchError} when the stored proposal was tampered with, or is not one of this agent's.
 *
 * @example
 * ```ts
 * const { envelope } = await replayProposal(agent, proposal, { context: { grants }, policies });
 * ```
 */
export async function replayProposal<TContext>(
  agent: Agent<TContext>,
  proposal: SuspendedProposal,
  options: ReplayProposalOptions<TContext>,
): Promise<ProposalReplay<TContext>> {
  const { input = [], provider, ...runOptions } = options;
  const call = proposedAgain(agent, proposal);
  const rest: ProviderEvent[][] = provider === undefined ? [[{ type: "completed" }]] : [];
  const script = scriptedProvider([[call], ...rest], { afterwards: provider });
  const before = typeof input === "string" ? 1 : input.length;
  const result = await run(agent, input, { ...runOptions, provider: script });
  const envelope = recordedCalls(result.history.slice(before))[0]?.output;
  if (!isToolResultEnvelope(envelope))
    throw new TypeError(`Invariant: the replayed call ${proposal.callId} has no envelope`);
  return { ...result, envelope };
}

/** @throws {ProposalMismatchError} when a stored proposal's parts do not agree with its hash. */
export function assertUntouched(proposal: SuspendedProposal): void {
  const fault = proposalFault(proposal);
  if (fault !== null)
    throw new ProposalMismatchError(`The stored proposal was changed after it was blocked: ${fault}`);
}

function proposedAgain<TContext>(agent: Agent<TContext>, proposal: SuspendedProposal): ProviderEvent {
  assertUntouched(proposal);
  const proposer = proposal.kind === "tool" ? proposal.agentName : proposal.fromAgentName;
  if (proposer !== agent.name) {
    throw new ProposalMismatchError(
      `Agent ${proposer} made this proposal, not ${agent.name}. Pass that agent.`,
    );
  }
  const { callId } = proposal;
  if (proposal.kind === "tool") {
    return { type: "tool_call", callId, name: proposal.toolName, arguments: proposal.rawArguments };
  }
  const handoff = handoffTools(agent).find(({ target }) => target.name === proposal.toAgentName);
  if (handoff === undefined) {
    throw new ProposalMismatchError(`Agent ${agent.name} has no handoff to ${proposal.toAgentName}`);
  }
  return { type: "tool_call", callId, name: handoff.name, arguments: proposal.payloadCanonicalJson };
}

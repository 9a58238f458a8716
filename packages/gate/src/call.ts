/** One proposed call through the gate: judged, fenced, executed, told. */

import { parseProposalArguments } from "@holdpoint/protocol/proposal";
import type { Agent } from "./agent.ts";
import type { ToolResultEnvelope } from "./envelope.ts";
import { okEnvelope } from "./envelope.ts";
import { errorNote, ToolCallError } from "./errors.ts";
import { throughFence } from "./fence.ts";
import type { HandoffTool } from "./handoff.ts";
import type { ProposedCall, Verdict } from "./judge.ts";
import { judge, refuse, tellBlocked } from "./judge.ts";
import type { Session } from "./session.ts";
import type { Tool } from "./tool.ts";

/** A call as the model made it. */
export interface ModelCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

export interface CallOutcome<TContext> {
  readonly envelope: ToolResultEnvelope;
  /** Who takes over, after an allowed handoff. */
  readonly successor?: Agent<TContext>;
}

/** A call is judged as the agent's that proposed it, also when an earlier call of the turn has handed over. */
export async function makeCall<TContext>(
  session: Session<TContext>,
  agent: Agent<TContext>,
  handoffs: readonly HandoffTool<TContext>[],
  call: ModelCall,
): Promise<CallOutcome<TContext>> {
  const placed = { agent: agent.name, turn: session.turn };
  const named = { toolName: call.name, callId: call.callId };
  await session.log({ level: "info", ...placed }, { type: "tool_call_started", ...named });
  try {
    const outcome = await gated(session, agent, handoffs, call);
    await session.log({ level: "info", ...placed }, { type: "tool_call_completed", ...named });
    return outcome;
  } catch (error) {
    const failed = { type: "tool_call_failed", ...named, ...errorNote(error) } as const;
    await session.log({ level: "error", ...placed }, failed);
    throw error;
  }
}

async function gated<TContext>(
  session: Session<TContext>,
  agent: Agent<TContext>,
  handoffs: readonly HandoffTool<TContext>[],
  call: ModelCall,
): Promise<CallOutcome<TContext>> {
  const { callId, name: toolName, arguments: rawArguments } = call;
  const { turn, recorder } = session;
  const proposed = { runId: recorder.runId, turn, callId, agentName: agent.name, toolName, rawArguments };
  const handoff = handoffs.find(({ name }) => name === toolName);
  if (handoff !== undefined) {
    const toAgentName = handoff.target.name;
    return await callHandoff(session, { kind: "handoff", ...proposed, toAgentName }, handoff.target);
  }
  const toolCall = { kind: "tool", ...proposed } as const;
  const tool = agent.tools.find(({ name }) => name === toolName);
  if (tool !== undefined) return await callTool(session, toolCall, tool);
  await refuse(toolCall, "tool_not_registered", session.trace);
  throw new ToolCallError(`Agent ${agent.name} has no tool ${toolName}`);
}

async function callTool<TContext>(
  session: Session<TContext>,
  call: ProposedCall,
  tool: Tool<TContext>,
): Promise<CallOutcome<TContext>> {
  const verdict = await judge(call, session);
  if (verdict.kind === "blocked") return { envelope: tellBlocked(call, verdict) };
  const input = await tool.parameters.validate(tool.name, parseProposalArguments(call.rawArguments));
  const allowed = allowedCall(call, tool.name, verdict);
  const output = await throughFence(session.fence, allowed, () => tool.execute(input, session.runContext));
  return { envelope: okEnvelope(output) };
}

async function callHandoff<TContext>(
  session: Session<TContext>,
  call: ProposedCall,
  target: Agent<TContext>,
): Promise<CallOutcome<TContext>> {
  const verdict = await judge(call, session);
  if (verdict.kind === "blocked") return { envelope: tellBlocked(call, verdict) };
  const payload = parseProposalArguments(call.rawArguments);
  const successor = await throughFence(session.fence, allowedCall(call, target.name, verdict), () => target);
  return { envelope: okEnvelope({ handoffTo: target.name, accepted: true, payload }), successor };
}

function allowedCall(call: ProposedCall, resourceName: string, verdict: Verdict & { kind: "allowed" }) {
  const { kind, runId, turn, callId, agentName } = call;
  const { proposalHash, policyResult } = verdict;
  return { kind, runId, turn, callId, agentName, resourceName, proposalHash, policyResult };
}

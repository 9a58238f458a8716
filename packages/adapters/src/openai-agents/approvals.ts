/** Approvals for agents on the OpenAI Agents SDK. */

import { type ClientSource, holdClientOf } from "@holdpoint/protocol/client";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import {
  type Agent,
  type AgentInputItem,
  RunState,
  type RunToolApprovalItem,
  run as runAgent,
} from "@openai/agents";
import type { CallDecision, GuardedTool, ToolCall, WrapOptions } from "../tool-calls/call.ts";
import { asJson } from "../tool-calls/json.ts";
import { type AgentStep, type ToolClient, type ToolRunOptions, toolRun } from "../tool-calls/tool-run.ts";
import type { SuspendableRun } from "../workflow/workflow.ts";
import { type AnyFunctionTool, argsIn, guarded, guardOf } from "./wrap.ts";

// biome-ignore lint/suspicious/noExplicitAny: an agent of any context and output.
type AnyAgent = Agent<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: a state of any context, of any agent.
type AnyState = RunState<any, any>;
export type AgentInput = string | AgentInputItem[] | AnyState;

/** What is used of the result of a run, streamed or not. */
export interface AgentRunResult {
  readonly interruptions: readonly RunToolApprovalItem[];
  readonly state: AnyState;
  readonly finalOutput?: unknown;
  /** Of a stream: everything before it must have been read. */
  readonly completed?: Promise<unknown>;
}

export interface OpenAiRunOptions extends Pick<ToolRunOptions<OpenAiResult>, "key" | "store" | "version"> {
  readonly agent: AnyAgent;
  /** What the run begins with; not looked at when it has begun. */
  readonly input: string | AgentInputItem[];
  /** Runs the agent, with settings or a stream of your own: by `run(agent, input)` when absent. */
  readonly start?: (agent: AnyAgent, input: AgentInput) => Promise<AgentRunResult>;
}

export interface OpenAiResult {
  readonly output: Json;
}

export interface OpenAiApprovals {
  /** The same tools, each of which stops for people. Its body runs after an approval, with the approved arguments, once. */
  wrap<const Tools extends readonly AnyFunctionTool[]>(tools: Tools, options?: WrapOptions): [...Tools];
  wrap<Wrapped extends AnyFunctionTool>(tool: Wrapped, options?: WrapOptions): Wrapped;
  /** A run of an agent for `advanceRun` and `finishRun`. */
  run(options: OpenAiRunOptions): SuspendableRun<OpenAiResult>;
}

export function approvals(holdpoint: ClientSource<ToolClient>): OpenAiApprovals {
  const guards = new Map<string, GuardedTool>();
  const client = holdClientOf(holdpoint);
  const wrapOne = <Wrapped extends AnyFunctionTool>(tool: Wrapped, options: WrapOptions): Wrapped => {
    guards.set(tool.name, guardOf(tool, options));
    return guarded(tool);
  };
  return {
    wrap: ((tools: AnyFunctionTool | readonly AnyFunctionTool[], options: WrapOptions = {}) =>
      "invoke" in tools
        ? wrapOne(tools, options)
        : tools.map((tool) => wrapOne(tool, options))) as OpenAiApprovals["wrap"],
    run({ agent, input, start = (given, from) => runAgent(given, from as string), ...options }) {
      return toolRun<OpenAiResult>({
        ...options,
        holdpoint: client,
        tools: guards,
        agent: {
          start: async () => stepAfter(await start(agent, input)),
          async resume(saved, decisions) {
            const state = (await RunState.fromString(agent, saved as string)) as AnyState;
            for (const item of state.getInterruptions()) decide(state, item, decisions);
            return stepAfter(await start(agent, state));
          },
        },
      });
    },
  };
}

async function stepAfter(result: AgentRunResult): Promise<AgentStep<OpenAiResult>> {
  await result.completed;
  if (result.interruptions.length === 0) {
    return { kind: "done", result: { output: asJson(result.finalOutput) } };
  }
  return { kind: "stopped", state: result.state.toString(), calls: result.interruptions.map(callOf) };
}

function callOf(item: RunToolApprovalItem): ToolCall {
  const raw: Readonly<Record<string, unknown>> = { ...item.rawItem };
  const args = raw["arguments"];
  return {
    // A hosted tool's call has an `id` only.
    id: String(raw["callId"] ?? raw["id"] ?? ""),
    tool: item.toolName ?? String(raw["name"] ?? ""),
    args: typeof args === "string" ? argsIn(args) : (asJson(raw) as JsonObject),
  };
}

/** Never for later calls: each of them is a question of its own. */
function decide(
  state: AnyState,
  item: RunToolApprovalItem,
  decisions: ReadonlyMap<string, CallDecision>,
): void {
  const { id } = callOf(item);
  const decision = decisions.get(id);
  if (decision === undefined) throw new Error(`Invariant: the call ${id} has no decision`);
  if (decision.kind === "run") state.approve(item);
  else state.reject(item, { message: decision.notice });
}

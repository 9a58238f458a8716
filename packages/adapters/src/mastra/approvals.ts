/** Approvals for agents on Mastra. Its storage keeps a suspended run, and the run's store what was asked about it. */

import { type ClientSource, holdClientOf } from "@holdpoint/protocol/client";
import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import type { CallDecision, GuardedTool, ToolCall, WrapOptions } from "../tool-calls/call.ts";
import { asJson } from "../tool-calls/json.ts";
import { type AgentStep, type ToolClient, type ToolRunOptions, toolRun } from "../tool-calls/tool-run.ts";
import type { SuspendableRun } from "../workflow/workflow.ts";
import type { MastraAgent, MastraOutput, MastraTool, SuspendedCall } from "./agent.ts";
import { guarded, guardOf, isRetry } from "./wrap.ts";

export interface MastraRunOptions extends Pick<ToolRunOptions<MastraResult>, "key" | "store" | "version"> {
  /** An agent of a `Mastra` instance with a storage. */
  readonly agent: MastraAgent;
  /** What the run begins with; not looked at when it has begun. */
  readonly messages: unknown;
  /** Passed to `generate` and to whatever resumes it, such as `memory`. */
  readonly options?: object;
}

export interface MastraResult {
  /** Empty when Mastra finished the run and the process was lost before it could save the text. */
  readonly text: string;
}

export interface MastraApprovals {
  /** The same tools, each of which stops for people. Its body runs after an approval, with the approved arguments, once. */
  wrap<Tools extends Readonly<Record<string, MastraTool>>>(tools: Tools, options?: WrapOptions): Tools;
  /** A run of an agent for `advanceRun` and `finishRun`. Its key is Mastra's `runId`. */
  run(options: MastraRunOptions): SuspendableRun<MastraResult>;
}

export function approvals(holdpoint: ClientSource<ToolClient>): MastraApprovals {
  const guards = new Map<string, GuardedTool>();
  const client = holdClientOf(holdpoint);
  return {
    wrap(tools, options = {}) {
      const wrapped = Object.entries(tools).map(([name, tool]) => {
        guards.set(name, guardOf(name, tool, options));
        return [name, guarded(name, tool)] as const;
      });
      return Object.fromEntries(wrapped) as typeof tools;
    },
    run({ agent, messages, options = {}, ...rest }) {
      const run = new MastraRun(agent, rest.key, options, guards);
      return toolRun<MastraResult>({
        ...rest,
        holdpoint: client,
        tools: guards,
        agent: {
          start: () => run.start(messages),
          resume: (_state, decisions) => run.goOn(decisions),
        },
      });
    },
  };
}

const CALL_FIRST = "The call that Mastra suspended has no id. Use a version that reports `toolCallId`.";

class MastraRun {
  readonly #agent: MastraAgent;
  readonly #runId: string;
  readonly #options: object;
  readonly #guards: ReadonlyMap<string, GuardedTool>;

  constructor(agent: MastraAgent, runId: string, options: object, guards: ReadonlyMap<string, GuardedTool>) {
    this.#agent = agent;
    this.#runId = runId;
    this.#options = options;
    this.#guards = guards;
  }

  async start(messages: unknown): Promise<AgentStep<MastraResult>> {
    // A process that was lost after Mastra had suspended the run: what it asked about is still there.
    const suspended = await this.#suspended();
    if (suspended !== undefined) return stopped([callOf(suspended)]);
    const runId = this.#runId;
    return this.#stepAfter(await this.#agent.generate(messages, { ...this.#options, runId }), new Map());
  }

  /** Mastra suspends one call of a step after another: each is resumed with its own decision. */
  async goOn(decisions: ReadonlyMap<string, CallDecision>): Promise<AgentStep<MastraResult>> {
    let step: AgentStep<MastraResult> = { kind: "done", result: { text: "" } };
    for (let round = 0; round <= decisions.size; round += 1) {
      const suspended = await this.#suspended();
      if (suspended === undefined) return step;
      const decision = decisions.get(suspended.toolCallId ?? "");
      if (decision === undefined) return step.kind === "stopped" ? step : stopped([callOf(suspended)]);
      step = await this.#stepAfter(await this.#resumed(suspended, decision), decisions);
    }
    return step;
  }

  #resumed(suspended: SuspendedCall, decision: CallDecision): Promise<MastraOutput> {
    const { toolCallId } = suspended;
    if (toolCallId === undefined) throw new Error(CALL_FIRST);
    const call = { ...this.#options, runId: this.#runId, toolCallId };
    if (suspended.requiresApproval === false) return this.#agent.resumeGenerate({ retry: true }, call);
    if (decision.kind === "run") return this.#agent.approveToolCallGenerate(call);
    return this.#agent.declineToolCallGenerate({ ...call, reason: decision.notice });
  }

  async #suspended(): Promise<SuspendedCall | undefined> {
    const { runs } = await this.#agent.listSuspendedRuns({});
    return runs.find(({ runId }) => runId === this.#runId)?.toolCalls[0];
  }

  #stepAfter(output: MastraOutput, decisions: ReadonlyMap<string, CallDecision>): AgentStep<MastraResult> {
    if (output.finishReason !== "suspended") return { kind: "done", result: { text: output.text ?? "" } };
    const payload = output.suspendPayload;
    const first = isRetry(payload) || !isObject(payload) ? [] : [callOf(payload as SuspendedCall)];
    const finished = new Set((output.toolResults ?? []).map((result) => callOf(result.payload).id));
    const others = (output.toolCalls ?? [])
      .map((call) => callOf(call.payload))
      .filter(({ id, tool }) => id !== first[0]?.id && this.#guards.has(tool) && !finished.has(id));
    return stopped([...first, ...others].filter(({ id }) => !decisions.has(id)));
  }
}

function stopped(calls: readonly ToolCall[]): AgentStep<MastraResult> {
  // Mastra's storage has the state.
  return { kind: "stopped", state: null as Json, calls };
}

function callOf(payload: unknown): ToolCall {
  const { toolCallId = "", toolName = "", args } = (isObject(payload) ? payload : {}) as SuspendedCall;
  return { id: toolCallId, tool: toolName, args: asJson(args ?? {}) as JsonObject };
}

/** Everything one run carries along. Only `history`, `agent`, `turn` and `response` change while it runs. */

import type { Agent } from "./agent.ts";
import type { Fence } from "./fence.ts";
import type { AgentInputItem, RunInput, RunItem } from "./items.ts";
import { inputItems } from "./items.ts";
import type { Trace } from "./judge.ts";
import type { WriteLog } from "./log.ts";
import { logWriter } from "./log.ts";
import type { Policies, RunContext } from "./policy.ts";
import type { ModelProvider } from "./provider.ts";
import type { RunRecordOptions } from "./record.ts";
import type { Recorder } from "./recorder.ts";
import { createRecorder } from "./recorder.ts";
import type { SuspensionChannels } from "./trace.ts";
import { createTrace } from "./trace.ts";

export interface RunOptions<TContext = unknown> extends SuspensionChannels {
  readonly provider: ModelProvider;
  /** Handed to instructions, tools and policies; the only way for evidence to reach a policy. */
  readonly context?: TContext;
  /** Absent policies deny. */
  readonly policies?: Policies<TContext> | undefined;
  /** 10 when absent. */
  readonly maxTurns?: number | undefined;
  readonly record?: RunRecordOptions<TContext> | undefined;
  readonly fence?: Fence | undefined;
  /** Epoch milliseconds; the system clock when absent. */
  readonly now?: (() => number) | undefined;
}

export type RunStreamEvent<TContext = unknown> =
  | { readonly type: "raw_model_stream_event"; readonly data: { readonly delta: string } }
  | { readonly type: "agent_updated_stream_event"; readonly agent: Agent<TContext> }
  | { readonly type: "run_item_stream_event"; readonly item: RunItem };

export interface Session<TContext> {
  readonly provider: ModelProvider;
  readonly runContext: RunContext<TContext>;
  readonly policies: Policies<TContext>;
  readonly maxTurns: number;
  readonly fence: Fence | undefined;
  readonly now: () => number;
  readonly log: WriteLog;
  readonly recorder: Recorder;
  readonly trace: Trace;
  readonly history: AgentInputItem[];
  agent: Agent<TContext>;
  /** 0 until the first turn. */
  turn: number;
  response: string;
}

export async function openSession<TContext>(
  agent: Agent<TContext>,
  input: RunInput,
  options: RunOptions<TContext>,
): Promise<Session<TContext>> {
  const { provider, policies = {}, maxTurns = 10, fence, now = Date.now, record = {} } = options;
  // Who gives no context has policies and tools that read none.
  const context = (options.context ?? {}) as TContext;
  const history = inputItems(input);
  const log = logWriter(options.logger, now);
  const providerName = provider.name;
  const recording = { input, inputItemCount: history.length, context, providerName, options: record, now };
  const recorder = await createRecorder(recording);
  const trace = createTrace(options, log, recorder);
  const fixed = { provider, runContext: { context }, policies, maxTurns, fence, now, log, recorder, trace };
  return { ...fixed, history, agent, turn: 0, response: "" };
}

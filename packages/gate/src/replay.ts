/**
 * Runs a recorded run again, through policy, with the tools' recorded outputs.
 *
 * P1  Policies are evaluated again; a recorded verdict is never reused.
 * P2  Only outputs of calls that ran are reused; a recorded `denied` or `approval_required` is no output.
 * P3  Strict replay executes no tool. Hybrid replay executes what the record has no output for.
 * P4  Outputs that were part of the run's input are claims of the input's author, and are not reused.
 */

import { canonicalProposalJson } from "@holdpoint/protocol/proposal";
import type { Agent } from "./agent.ts";
import { mapTools } from "./agent.ts";
import { isToolResultEnvelope } from "./envelope.ts";
import { ReplayMissError } from "./errors.ts";
import type { RunInput } from "./items.ts";
import type { RunRecord } from "./record.ts";
import { recordedCalls } from "./recorded-calls.ts";
import type { RunResult } from "./run.ts";
import { run } from "./run.ts";
import type { RunOptions } from "./session.ts";
import type { Tool } from "./tool.ts";

export type ReplayMode = "strict" | "hybrid";

/** Where the replay's input came from; only the first two are faithful to the run's history. */
export type ReplayInputSource = "inputItemCount" | "requestFingerprint" | "questionFallback" | "question";

export interface ReplayStats {
  readonly inputSource: ReplayInputSource;
  readonly recordedToolCalls: number;
  readonly replayedFromRecord: number;
  readonly missingToolCalls: number;
  readonly liveFallbackCalls: number;
}

export interface ReplayOptions<TContext> extends RunOptions<TContext> {
  readonly mode: ReplayMode;
  /** `question` starts from the question alone; the recorded input when absent. */
  readonly input?: "recorded" | "question";
}

export interface Replay<TContext> {
  readonly result: RunResult<TContext>;
  readonly stats: ReplayStats;
}

/**
 * Replays a recorded run. Give `recordedProvider(record)` as the provider to repeat the model's words too.
 *
 * @example
 * ```ts
 * const { result, stats } = await replayRun(record, agent, {
 *   mode: "strict",
 *   provider: recordedProvider(record),
 *   context,
 *   policies,
 * });
 * ```
 */
export async function replayRun<TContext>(
  record: RunRecord<TContext>,
  agent: Agent<TContext>,
  options: ReplayOptions<TContext>,
): Promise<Replay<TContext>> {
  const { mode, input: inputMode = "recorded", ...runOptions } = options;
  const { input, inputSource, inputCount } = replayInput(record, inputMode);
  const outputs = reusableOutputs(record, inputCount);
  const counts = { replayedFromRecord: 0, missingToolCalls: 0, liveFallbackCalls: 0 };
  const recordedToolCalls = outputs.size;
  const replayed = mapTools(agent, (tool) => replayTool(tool, mode, outputs, counts));
  const result = await run(replayed, input, runOptions);
  return { result, stats: { inputSource, recordedToolCalls, ...counts } };
}

function replayInput<TContext>(
  record: RunRecord<TContext>,
  inputMode: "recorded" | "question",
): { input: RunInput; inputSource: ReplayInputSource; inputCount: number } {
  const { items, question } = record;
  const fits = (count: number | undefined): count is number =>
    count !== undefined && Number.isInteger(count) && count >= 0 && count <= items.length;
  const counted = record.inputItemCount;
  const inferred = record.requestFingerprints[0]?.messageCount;
  const known = fits(counted) ? counted : fits(inferred) ? inferred : undefined;
  const inputCount = known ?? 0;
  if (inputMode === "question") return { input: question, inputSource: "question", inputCount };
  if (known === undefined) return { input: question, inputSource: "questionFallback", inputCount };
  const inputSource = fits(counted) ? "inputItemCount" : "requestFingerprint";
  return { input: items.slice(0, known), inputSource, inputCount };
}

/** A queue for each operation, in call order: the second equal call gets the second output. */
class Outputs {
  readonly size: number;
  readonly #queues: ReadonlyMap<string, unknown[]>;

  constructor(entries: readonly (readonly [operation: string, data: unknown])[]) {
    const queues = new Map<string, unknown[]>();
    for (const [operation, data] of entries) {
      queues.set(operation, [...(queues.get(operation) ?? []), data]);
    }
    this.size = entries.length;
    this.#queues = queues;
  }

  take(operation: string): { readonly data: unknown } | undefined {
    const queue = this.#queues.get(operation) ?? [];
    return queue.length === 0 ? undefined : { data: queue.shift() };
  }
}

function reusableOutputs<TContext>(record: RunRecord<TContext>, inputCount: number): Outputs {
  const calls = recordedCalls(record.items.slice(inputCount));
  return new Outputs(
    calls.flatMap(({ name, arguments: args, output }) =>
      isToolResultEnvelope(output) && output.status === "ok"
        ? [[operationOf(name, args), output.data] as const]
        : [],
    ),
  );
}

function operationOf(toolName: string, parsedArguments: unknown): string {
  return canonicalProposalJson([toolName, parsedArguments]);
}

function replayTool<TContext>(
  tool: Tool<TContext>,
  mode: ReplayMode,
  outputs: Outputs,
  counts: { replayedFromRecord: number; missingToolCalls: number; liveFallbackCalls: number },
): Tool<TContext> {
  return {
    ...tool,
    // Outputs are found by the arguments as proposed, so the schema must not add its defaults before.
    parameters: { ...tool.parameters, validate: async (_toolName, parsedArguments) => parsedArguments },
    execute: async (parsedArguments, runContext) => {
      const recorded = outputs.take(operationOf(tool.name, parsedArguments));
      if (recorded !== undefined) {
        counts.replayedFromRecord += 1;
        return recorded.data;
      }
      counts.missingToolCalls += 1;
      if (mode === "strict")
        throw new ReplayMissError(
          `The record has no output for this call of ${tool.name}. Use mode "hybrid" to execute it.`,
        );
      counts.liveFallbackCalls += 1;
      const input = await tool.parameters.validate(tool.name, parsedArguments);
      return await tool.execute(input, runContext);
    },
  };
}

/** A thread of a compiled graph as a run that waits at Holdpoint. The graph's own checkpointer keeps its state. */

import type { Json } from "@holdpoint/protocol/rules";
import type { InterruptAnswer } from "@holdpoint/sdk/agui";
import { Command } from "@langchain/langgraph";
import type { Progress, SuspendableRun } from "../workflow/workflow.ts";
import { askIn } from "./ask.ts";

interface Interrupted {
  readonly id?: string;
  readonly value?: unknown;
}

interface Snapshot<Values> {
  readonly values: Values;
  readonly next: readonly string[];
  readonly tasks: readonly { readonly interrupts: readonly Interrupted[] }[];
}

interface GraphConfig {
  readonly configurable: { readonly thread_id: string };
}

/** What is used of a compiled graph; every one with a checkpointer fits. */
export interface HoldableGraph<Values> {
  invoke(input: never, config: GraphConfig): Promise<unknown>;
  getState(config: GraphConfig): Promise<unknown>;
  /** Only to tell the values' type. */
  readonly "~values"?: Values;
}

export interface GraphRunOptions<Values> {
  readonly graph: HoldableGraph<Values>;
  /** The graph's thread; the run's holds are placed under it. */
  readonly threadId: string;
  /** What it begins with; not looked at when the thread has begun. */
  readonly input: unknown;
}

/**
 * The thread as a run for `advanceRun` or `finishRun`. Answers go back by the ids of their interrupts, so parallel branches and
 * branches that come and go cannot be given each other's.
 */
export function graphRun<Values>(options: GraphRunOptions<Values>): SuspendableRun<Values> {
  const { graph, threadId, input } = options;
  const config: GraphConfig = { configurable: { thread_id: threadId } };
  const look = async () => (await graph.getState(config)) as Snapshot<Values>;
  return {
    key: `langgraph:${threadId}`,
    async look() {
      const before = await look();
      const hasBegun = before.next.length > 0 || Object.keys((before.values ?? {}) as object).length > 0;
      if (interruptsOf(before).length > 0 || (hasBegun && before.next.length === 0))
        return progressOf(before);
      // With work left and nothing asked, a process died between two steps: the graph goes on from its checkpoint.
      await graph.invoke((hasBegun ? null : input) as never, config);
      return progressOf(await look());
    },
    async resume(answers) {
      const waiting = interruptsOf(await look()).map(({ id = "", value }) => {
        const answer = answers.get(id);
        return answer === undefined ? [] : [[id, resumeValue(value, answer)] as const];
      });
      await graph.invoke(new Command({ resume: Object.fromEntries(waiting.flat()) }) as never, config);
      return progressOf(await look());
    },
  };
}

function interruptsOf<Values>({ tasks }: Snapshot<Values>): readonly Interrupted[] {
  return tasks.flatMap(({ interrupts }) => interrupts);
}

function progressOf<Values>(snapshot: Snapshot<Values>): Progress<Values> {
  const interrupts = interruptsOf(snapshot);
  if (interrupts.length === 0) return { kind: "done", result: snapshot.values };
  return {
    kind: "suspended",
    suspensions: interrupts.map(({ id = "", value }) => ({ id, ask: askIn(value).ask })),
  };
}

/** Who asked through us gets the whole answer; a plain `interrupt()` what it would be resumed with anyway. */
function resumeValue(value: unknown, answer: InterruptAnswer): Json {
  if (askIn(value).isOurs) return answer as unknown as Json;
  return answer.status === "resolved" ? answer.payload : { cancelled: true, expired: answer.expired };
}

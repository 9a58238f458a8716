/** A thread of a compiled graph as a run that waits at Holdpoint. The graph's own checkpointer keeps its state. */

import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import { Command } from "@langchain/langgraph";
import type { CallDecision } from "../tool-calls/call.ts";
import { type CurrentRun, inRun } from "../tool-calls/current.ts";
import type { Progress, SuspendableRun } from "../workflow/workflow.ts";
import { resumeValue, type Unanswered } from "./ask.ts";
import { resumeWrites } from "./given.ts";
import type { Guards } from "./guards.ts";
import { type Question, questionsOf, retriesIn, type Snapshot } from "./question.ts";

interface GraphConfig {
  readonly configurable: { readonly thread_id: string };
}

/** What is used of a compiled graph; every one with a checkpointer fits. */
export interface HoldableGraph<Values> {
  invoke(input: never, config: GraphConfig): Promise<unknown>;
  getState(config: GraphConfig): Promise<unknown>;
  readonly checkpointer?: unknown;
  /** Only to tell the values' type. */
  readonly "~values"?: Values;
}

export interface GraphRunOptions<Values> {
  readonly graph: HoldableGraph<Values>;
  /** The graph's thread; the run's holds are placed under it. */
  readonly threadId: string;
  /** What it begins with; not looked at when the thread has begun. */
  readonly input: unknown;
  /** What a plain `interrupt()` is resumed with when nobody answers it. Left out, the run throws `NotAnswered`. */
  readonly unanswered?: Unanswered;
}

/**
 * The thread as a run for `advanceRun` or `finishRun`. Answers go back by the ids of their interrupts, so parallel branches and
 * branches that come and go cannot be given each other's.
 */
export function graphRun<Values>(options: GraphRunOptions<Values>): SuspendableRun<Values> {
  return guardedGraphRun(options, undefined);
}

export function graphKey(threadId: string): string {
  return `langgraph:${threadId}`;
}

/** With guards, the graph's guarded tools find what was decided about their calls. */
export function guardedGraphRun<Values>(
  options: GraphRunOptions<Values>,
  guards: Guards | undefined,
): SuspendableRun<Values> {
  const { graph, threadId, input, unanswered } = options;
  const key = graphKey(threadId);
  const config: GraphConfig = { configurable: { thread_id: threadId } };
  const look = async () => {
    const snapshot = (await graph.getState(config)) as Snapshot<Values>;
    const questions = questionsOf(snapshot, await resumeWrites(graph.checkpointer, config));
    return { snapshot, questions, retries: retriesIn(snapshot) };
  };
  const invoke = async (given: unknown, decisions: ReadonlyMap<string, CallDecision>) => {
    if (guards === undefined) return graph.invoke(given as never, config);
    const run: CurrentRun = { key, client: guards.client, decisions };
    const values = await inRun(run, () => graph.invoke(given as never, config));
    if (run.halted !== undefined) throw run.halted;
    return values;
  };
  const goOn = async (
    questions: readonly Question[],
    answers: ReadonlyMap<string, InterruptAnswer>,
  ): Promise<Progress<Values>> => {
    const parts = questions.flatMap((question) => question.parts);
    const all = (await guards?.answers(parts, answers)) ?? answers;
    const given = questions.flatMap(({ interruptId, value, parts: asked }) => {
      const theirs = asked.flatMap(({ name }) => all.get(name) ?? []);
      return theirs.length < asked.length
        ? []
        : [[interruptId, resumeValue(value, theirs, unanswered)] as const];
    });
    const resume = Object.fromEntries(given);
    await invoke(new Command({ resume }), (await guards?.decisions(parts, all)) ?? new Map());
    return settle(await look());
  };
  const settle = async (now: Looked<Values>): Promise<Progress<Values>> => {
    if (now.questions.length === 0) return { kind: "done", result: now.snapshot.values };
    const parts = now.questions.flatMap((question) => question.parts);
    const plain = () => parts.map(({ name, ask }) => ({ id: name, ask }));
    const suspensions = guards === undefined ? plain() : await guards.suspensions(parts);
    if (suspensions.length === 0) return goOn(now.questions, new Map());
    return { kind: "suspended", suspensions };
  };
  return {
    key,
    async look() {
      const before = await look();
      const { next, values } = before.snapshot;
      const hasBegun = next.length > 0 || Object.keys((values ?? {}) as object).length > 0;
      const isCertain = before.questions.every(({ isDoubtful }) => !isDoubtful);
      const isAtRest = before.questions.length > 0 || (hasBegun && next.length === 0);
      if (isAtRest && isCertain && before.retries.length === 0) return settle(before);
      // With work left and nothing asked, a process died between two steps: the graph goes on from its checkpoint. With a
      // question that may have its answer already, it goes as far as that answer takes it.
      const isNew = !hasBegun && before.questions.length === 0;
      const from = before.retries.length === 0 ? null : new Command({ resume: retried(before.retries) });
      await invoke(isNew ? input : from, (isNew ? undefined : await guards?.onRecord()) ?? new Map());
      return settle(await look());
    },
    resume: async (answers) => goOn((await look()).questions, answers),
  };
}

function retried(interruptIds: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(interruptIds.map((id) => [id, true]));
}

interface Looked<Values> {
  readonly snapshot: Snapshot<Values>;
  readonly questions: readonly Question[];
  /** Interrupts of guarded tools that could not settle their call. */
  readonly retries: readonly string[];
}

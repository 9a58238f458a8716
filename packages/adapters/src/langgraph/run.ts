/**
 * A thread of a compiled graph as a run that waits at Holdpoint. The graph's own checkpointer keeps its state.
 *
 * L1  A graph's interrupt has the id of its task, and every question of a task the same one: what a hold is found by names
 *     the question too, so that no answer is taken for an answer to the next.
 */

import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import { Command } from "@langchain/langgraph";
import type { Progress, SuspendableRun } from "../workflow/workflow.ts";
import { askIn, resumeValue, type Unanswered } from "./ask.ts";
import { givenTo, type ResumeWrite, resumeWrites } from "./given.ts";

interface Task {
  readonly id: string;
  readonly interrupts: readonly { readonly id?: string; readonly value?: unknown }[];
}

interface Snapshot<Values> {
  readonly values: Values;
  readonly next: readonly string[];
  readonly tasks: readonly Task[];
}

/** A question that the graph waits with. */
interface Question {
  /** By which the graph takes the answer. */
  readonly interruptId: string;
  /** By which its hold is found: the same after every restart, another for every question. */
  readonly name: string;
  readonly value: unknown;
  /** Its task was given answers, and this may be one of their questions: a process was lost before it could go on. */
  readonly isDoubtful: boolean;
}

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
  const { graph, threadId, input, unanswered } = options;
  const config: GraphConfig = { configurable: { thread_id: threadId } };
  const look = async () => {
    const snapshot = (await graph.getState(config)) as Snapshot<Values>;
    return { snapshot, questions: questionsOf(snapshot, await resumeWrites(graph.checkpointer, config)) };
  };
  return {
    key: `langgraph:${threadId}`,
    async look() {
      const before = await look();
      const { next, values } = before.snapshot;
      const hasBegun = next.length > 0 || Object.keys((values ?? {}) as object).length > 0;
      const isCertain = before.questions.every(({ isDoubtful }) => !isDoubtful);
      const isAtRest = before.questions.length > 0 || (hasBegun && next.length === 0);
      if (isAtRest && isCertain) return progressOf(before);
      // With work left and nothing asked, a process died between two steps: the graph goes on from its checkpoint. With a
      // question that may have its answer already, it goes as far as that answer takes it.
      await graph.invoke((hasBegun || before.questions.length > 0 ? null : input) as never, config);
      return progressOf(await look());
    },
    async resume(answers) {
      const { questions } = await look();
      const given = questions.flatMap(({ interruptId, name, value }) => {
        const answer: InterruptAnswer | undefined = answers.get(name);
        return answer === undefined ? [] : [[interruptId, resumeValue(value, answer, unanswered)] as const];
      });
      await graph.invoke(new Command({ resume: Object.fromEntries(given) }) as never, config);
      return progressOf(await look());
    },
  };
}

function questionsOf<Values>(
  { tasks }: Snapshot<Values>,
  writes: readonly ResumeWrite[],
): readonly Question[] {
  return tasks.flatMap((task) =>
    task.interrupts.map(({ id: interruptId = "", value }): Question => {
      const asked = askIn(value);
      const before = givenTo(writes, task.id, interruptId);
      const place = asked.kind === "plain" ? before : asked.question;
      // "bare": earlier versions asked plain interrupts in another way, under "plain"; those answers are not taken.
      const name = `${interruptId}.${asked.kind === "plain" ? "bare" : asked.kind}.${place}`;
      const isDoubtful = asked.kind === "plain" ? before > 0 : before > asked.question;
      return { interruptId, name, value, isDoubtful };
    }),
  );
}

function progressOf<Values>(now: {
  readonly snapshot: Snapshot<Values>;
  readonly questions: readonly Question[];
}): Progress<Values> {
  if (now.questions.length === 0) return { kind: "done", result: now.snapshot.values };
  return {
    kind: "suspended",
    suspensions: now.questions.map(({ name, value }) => ({ id: name, ask: askIn(value).ask })),
  };
}

/**
 * What a graph waits with: its interrupts as questions to people, each found again after a restart.
 *
 * L1  A graph's interrupt has the id of its task, and every question of a task the same one: what a hold is found by names
 *     the question too, so that no answer is taken for an answer to the next.
 */

import type { PersonAsk } from "../person-ask.ts";
import type { ToolCall } from "../tool-calls/call.ts";
import { type Asked, askIn, asksOf, isRetryMark } from "./ask.ts";
import { toolCallsFor } from "./calls.ts";
import { givenTo, type ResumeWrite } from "./given.ts";

interface Task {
  readonly id: string;
  readonly interrupts: readonly { readonly id?: string; readonly value?: unknown }[];
}

export interface Snapshot<Values> {
  readonly values: Values;
  readonly next: readonly string[];
  readonly tasks: readonly Task[];
}

/** One thing that a person is asked. */
export interface Part {
  /** By which its hold is found: the same after every restart, another for every question. */
  readonly name: string;
  readonly ask: PersonAsk;
  /** The tool call that LangChain's middleware asks about, if it is known which one. */
  readonly call?: ToolCall;
  /** Whether the middleware takes other arguments for it. */
  readonly canEdit?: boolean;
}

/** An interrupt of the graph. */
export interface Question {
  /** By which the graph takes the answer. */
  readonly interruptId: string;
  readonly value: unknown;
  readonly parts: readonly Part[];
  /** Its task was given answers, and this may be one of their questions: a process was lost before it could go on. */
  readonly isDoubtful: boolean;
}

export function questionsOf<Values>(
  { tasks, values }: Snapshot<Values>,
  writes: readonly ResumeWrite[],
): readonly Question[] {
  return tasks.flatMap((task) =>
    task.interrupts.flatMap(({ id: interruptId = "", value }): readonly Question[] => {
      if (isRetryMark(value)) return [];
      const asked = askIn(value);
      const before = givenTo(writes, task.id, interruptId);
      const isDoubtful = asked.kind === "ours" ? before > asked.question : before > 0;
      return [{ interruptId, value, isDoubtful, parts: partsOf(asked, interruptId, before, values) }];
    }),
  );
}

/** The ids of interrupts that guarded tools raised because they could not settle their call. */
export function retriesIn<Values>({ tasks }: Snapshot<Values>): readonly string[] {
  return tasks.flatMap(({ interrupts }) =>
    interrupts.flatMap(({ id = "", value }) => (isRetryMark(value) ? [id] : [])),
  );
}

function partsOf(asked: Asked, interruptId: string, before: number, values: unknown): readonly Part[] {
  const asks = asksOf(asked);
  switch (asked.kind) {
    case "ours":
      return asks.map((ask) => ({ name: `${interruptId}.ours.${asked.question}`, ask }));
    // "bare": earlier versions asked plain interrupts in another way, under "plain"; those answers are not taken.
    case "plain":
      return asks.map((ask) => ({ name: `${interruptId}.bare.${before}`, ask }));
    case "calls": {
      const { actions } = asked.request;
      const calls = toolCallsFor(actions, values);
      return asks.map((ask, at): Part => {
        const call = calls[at];
        const canEdit = actions[at]?.allowed.includes("edit") ?? false;
        const name = `${interruptId}.call${at}.${before}`;
        return { name, ask, canEdit, ...(call === undefined ? {} : { call }) };
      });
    }
  }
}

/** Asking from inside a node, and nodes whose questions cannot be swallowed. */

import { AsyncLocalStorage } from "node:async_hooks";
import {
  type HitlRequest,
  hitlAsk,
  hitlRequestIn,
  hitlResponse,
  type InterruptAnswer,
  plainAsk,
} from "@holdpoint/protocol/agui";
import { isObject, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import { interrupt, isGraphInterrupt } from "@langchain/langgraph";
import type { PersonAsk } from "../person-ask.ts";

/** Under which an interrupt's value carries a question of ours. */
const OURS = "holdpoint";

interface Watch {
  raised?: unknown;
  /** Questions so far. A node that starts again asks the same ones in the same order. */
  asked: number;
}

/** An answer that says which question of its node it belongs to: the graph tells them apart by their order alone. */
interface Given {
  readonly question: number;
  readonly answer: InterruptAnswer;
}

const watching = new AsyncLocalStorage<Watch>();

/**
 * Stops the graph until a person has answered, here or through any other door. Call it inside a node that `withHolds` made;
 * the node starts again with the answer, so put work with side effects after it.
 */
export function askPerson(ask: PersonAsk): InterruptAnswer {
  const watch = watching.getStore();
  if (watch === undefined)
    throw new Error(
      "askPerson was called outside a node. Wrap the node with withHolds and call askPerson inside it.",
    );
  const question = watch.asked;
  watch.asked += 1;
  try {
    for (;;) {
      // An ask may hold anything that JSON.stringify takes; the graph's checkpoint stores it as JSON.
      const given = interrupt({ [OURS]: ask as unknown as JsonObject, question }) as Given;
      // One that a lost process had given already comes a second time, and is not an answer to this.
      if (given.question === question) return given.answer;
    }
  } catch (error) {
    // A node that swallowed its first question must not ask, or do, anything else.
    watch.raised ??= error;
    throw watch.raised;
  }
}

/**
 * A node that stops when it asks. `interrupt()` stops by throwing, so an author's `catch` around it would go on as if somebody
 * had answered; here what such a node returns or throws is dropped, and the graph stops all the same.
 */
export function withHolds<Args extends unknown[], Update>(
  node: (...args: Args) => Promise<Update> | Update,
): (...args: Args) => Promise<Update> {
  return (...args) => {
    const watch: Watch = { asked: 0 };
    return watching.run(watch, async () => {
      try {
        const update = await node(...args);
        if (watch.raised === undefined) return update;
      } catch (error) {
        if (watch.raised === undefined || isGraphInterrupt(error)) throw error;
      }
      throw watch.raised;
    });
  };
}

/** Whether this node has asked and not been answered: what has an effect looks here first. */
export function isStopped(): boolean {
  return watching.getStore()?.raised !== undefined;
}

const RETRY = "holdpoint_retry";

/** The value with which a guarded tool stops the graph when its call cannot be settled now; nobody is asked about it. */
export function retryMark(callId: string): JsonObject {
  return { [RETRY]: callId };
}

export function isRetryMark(value: unknown): boolean {
  return isObject(value) && typeof member(value, RETRY) === "string";
}

/** The questions in an interrupt's value; anybody's `interrupt(value)` is one too. */
export type Asked =
  /** LangChain's human-in-the-loop middleware: a question for each tool call. */
  | { readonly kind: "calls"; readonly request: HitlRequest }
  | { readonly kind: "ours"; readonly ask: PersonAsk; readonly question: number }
  | { readonly kind: "plain"; readonly ask: PersonAsk };

export function askIn(value: unknown): Asked {
  const given = (value ?? null) as Json;
  const ours = isObject(given) ? member(given, OURS) : undefined;
  if (isObject(ours)) {
    const question = Number(member(given as JsonObject, "question"));
    // Only `askPerson` writes this member, and it writes an ask.
    return { kind: "ours", ask: ours as unknown as PersonAsk, question };
  }
  const request = hitlRequestIn(given);
  return request === null ? { kind: "plain", ask: plainAsk(given) } : { kind: "calls", request };
}

/** All questions of an interrupt, in order. */
export function asksOf(asked: Asked): readonly PersonAsk[] {
  return asked.kind === "calls" ? asked.request.actions.map(hitlAsk) : [asked.ask];
}

/**
 * Who asked through us gets the whole answer, LangChain's middleware its decisions; a plain `interrupt()` its bare value, `true`
 * or `false` (G14).
 */
export function resumeValue(
  value: unknown,
  answers: readonly InterruptAnswer[],
  unanswered: Unanswered | undefined,
): Json {
  const asked = askIn(value);
  if (asked.kind === "calls") return decisionsFor(asked.request, answers);
  const [answer] = answers;
  if (answer === undefined) throw new Error("Invariant: an interrupt was resumed without an answer");
  // Every member of an answer is JSON; the person who gave it is an interface, which lacks the index signature.
  if (asked.kind === "ours") return { question: asked.question, answer } as unknown as Json;
  if (answer.status === "resolved") return answer.payload;
  if (unanswered === undefined) throw new NotAnswered(answer.interruptId, answer.expired);
  return unanswered({ holdId: answer.interruptId, expired: answer.expired, value });
}

function decisionsFor(request: HitlRequest, answers: readonly InterruptAnswer[]): Json {
  const response = hitlResponse(request, answers);
  if (!response.ok) throw new DecisionNotTaken(response.tool, response.missing);
  return response.value;
}

/** A person decided in a way that the middleware's settings for this tool do not take: the graph stays stopped. */
export class DecisionNotTaken extends Error {
  override readonly name = "DecisionNotTaken";
  readonly tool: string;

  constructor(tool: string, missing: "approve" | "edit" | "reject") {
    super(
      `humanInTheLoopMiddleware does not accept "${missing}" for the tool ${tool}, which is what people decided, so the graph stays stopped. ` +
        `Add "${missing}" to its allowedDecisions.`,
    );
    this.tool = tool;
  }
}

/** What a plain `interrupt()` is resumed with when nobody answered it. */
export type Unanswered = (question: {
  readonly holdId: string;
  /** Time was up; otherwise somebody dismissed or cancelled the question. */
  readonly expired: boolean;
  /** What `interrupt()` was called with. */
  readonly value: unknown;
}) => Json;

/**
 * Nobody answered a plain `interrupt()`, and the author did not say what it is then resumed with: the graph stays stopped there
 * and nothing behind it runs.
 */
export class NotAnswered extends Error {
  override readonly name = "NotAnswered";
  readonly holdId: string;
  readonly expired: boolean;

  constructor(holdId: string, expired: boolean) {
    const why = expired ? "expired" : "was cancelled";
    super(
      `The question ${holdId} ${why} without an answer, so the graph stays stopped at its interrupt(). ` +
        "Give graphRun an `unanswered` function to resume it with a value of your own.",
    );
    this.holdId = holdId;
    this.expired = expired;
  }
}

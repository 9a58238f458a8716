/**
 * One call of the agent. It is read item by item: what it says, where it stops, how it ends. Begun again in a fresh process
 * it stays silent until it is past the last answered question; from there on both tell the same.
 */

import type { HoldClient } from "../../client/index.ts";
import { type Json, type JsonObject, member } from "../../rules/index.ts";
import { type AgUiEvent, type InterruptAnswer, type InterruptAsk, whyNotReason } from "../index.ts";
import {
  type AgUiAgent,
  type AgUiRun,
  explicitEnd,
  RunStopped,
  type ToolOutcome,
  type ToolUse,
} from "./agent.ts";
import { type Answered, whyNotTheSame } from "./answered.ts";
import { Book } from "./book.ts";
import { RunRefusal } from "./codes.ts";
import type { Work } from "./record.ts";
import { checkFrame } from "./size.ts";
import { askWithCall, CallListener } from "./streamed-calls.ts";
import { perform } from "./tools.ts";

export type Item =
  | { readonly kind: "event"; readonly event: AgUiEvent }
  | { readonly kind: "stopped"; readonly asks: readonly InterruptAsk[] }
  | {
      readonly kind: "returned";
      readonly result: Json | undefined;
      readonly pendingToolCallIds: readonly string[];
      /** Members of the end besides. */
      readonly more: { readonly usage?: readonly Json[] };
    }
  | { readonly kind: "failed"; readonly error: unknown };

/** What belongs to the request under way. */
export interface Binding {
  readonly threadId: string;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly book: Book;
}

export interface PerformanceOptions {
  readonly agent: AgUiAgent;
  readonly holdpoint: HoldClient;
  readonly work: Work;
  readonly binding: Binding;
  readonly reasons?: "checked" | "any";
  /** What the work's groups asked and were answered, oldest first. */
  readonly answers: readonly (readonly Answered[])[];
  /** Remembers a step's result before the agent sees it. */
  readonly remember: (step: string, result: Json) => Promise<void>;
  /** Told of what does not end the run. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export class Performance {
  readonly #options: PerformanceOptions;
  readonly work: Work;
  #binding: Binding;
  #remember: PerformanceOptions["remember"];
  /** Before the last answered question: what the clients have seen already. */
  #silent: Book | undefined;
  readonly #items: Item[] = [];
  #wake: () => void = () => undefined;
  #drained: () => void = () => undefined;
  #ids = 0;
  #steps = 0;
  #interrupts = 0;
  #waiting: ((answers: readonly InterruptAnswer[]) => void) | undefined;
  #pendingCalls: string[] = [];
  #isAsking = false;
  readonly #calls: CallListener;
  /** The subagents under way, by their id, with the event that began them. */
  readonly #subagents = new Map<string, AgUiEvent>();
  /** What has begun and must be over before anybody else goes on with the work. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: PerformanceOptions) {
    this.#options = options;
    this.work = options.work;
    this.#binding = options.binding;
    this.#remember = options.remember;
    const { messages, state } = options.work.input;
    this.#calls = new CallListener({}, messages);
    this.#silent = options.answers.length === 0 ? undefined : new Book(messages, state);
    void this.#pump();
  }

  /** Goes on where it stopped, for another request: the checkpoint style. */
  goOn(
    binding: Binding,
    answers: readonly InterruptAnswer[],
    remember: PerformanceOptions["remember"],
  ): void {
    const resolve = this.#waiting;
    if (resolve === undefined) throw new Error("the agent does not wait for an answer");
    this.#waiting = undefined;
    this.#binding = binding;
    this.#remember = remember;
    this.#reopen();
    resolve(answers);
  }

  /** The run before ended its subagents as suspended. They go on in this one, before anything of theirs is said. */
  #reopen(): void {
    for (const event of this.#subagents.values()) {
      this.#binding.book.take(event);
      this.#push({ kind: "event", event });
    }
  }

  async next(): Promise<Item> {
    while (this.#items.length === 0) {
      this.#drained();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#items.shift() as Item;
  }

  /** Resolves when nothing that the agent began is still being done. What it has not begun, it begins no more once aborted. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #pump(): Promise<void> {
    let agent: ReturnType<AgUiAgent> | undefined;
    try {
      agent = this.#options.agent(this.#run());
      for (;;) {
        const { done, value } = await agent.next();
        if (done === true) {
          const end = explicitEnd(value);
          this.#push({
            kind: "returned",
            result: plain(end === null ? value : end.result),
            pendingToolCallIds: end?.pendingToolCallIds ?? this.#pendingCalls,
            more: end?.usage === undefined ? {} : { usage: end.usage },
          });
          return;
        }
        for (const event of this.#eventsOf(value)) this.#say(event);
        // No faster than it is read; an agent that is abandoned stays here and is forgotten.
        if (this.#items.length > 0) {
          await new Promise<void>((resolve) => {
            this.#drained = resolve;
          });
        }
      }
    } catch (error) {
      this.#push({ kind: "failed", error });
      // One that said what cannot be said is not read any further, and may clean up.
      void agent?.return(undefined).catch(() => undefined);
    }
  }

  #eventsOf(value: string | AgUiEvent): readonly AgUiEvent[] {
    if (typeof value !== "string") return [value];
    const messageId = this.#newId("msg");
    if (value === "") return [];
    return [
      { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId, delta: value },
      { type: "TEXT_MESSAGE_END", messageId },
    ];
  }

  #say(given: AgUiEvent): void {
    // As it goes over the wire: what cannot be sent fails here, where it ends the run with its code.
    const text = JSON.stringify(given);
    checkFrame(given, text);
    const event = JSON.parse(text) as AgUiEvent;
    this.#calls.hear(event);
    const { subagentRunId } = event;
    if (event.type === "SUBAGENT_STARTED" && typeof subagentRunId === "string")
      this.#subagents.set(subagentRunId, event);
    if (event.type === "SUBAGENT_FINISHED" || event.type === "SUBAGENT_ERROR")
      this.#subagents.delete(String(subagentRunId));
    (this.#silent ?? this.#binding.book).take(event);
    if (this.#silent === undefined) this.#push({ kind: "event", event });
  }

  #push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  #newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.work.id}_${this.#ids}`;
  }

  /** One question, or set of questions, at a time: an answer must never reach another question than its own. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isAsking)
      throw this.#failed(new Error("ask one after the other, or all with interruptAll or toolAll"));
    this.#isAsking = true;
    try {
      return await work();
    } finally {
      this.#isAsking = false;
    }
  }

  /** The run fails, whatever the agent makes of it and wherever it has stopped meanwhile. */
  #failed(error: Error): Error {
    this.#items.splice(0, this.#items.length, { kind: "failed", error });
    this.#wake();
    return error;
  }

  #interruptAll(given: readonly InterruptAsk[]): Promise<readonly InterruptAnswer[]> {
    if (given.length === 0) return Promise.resolve([]);
    const calls = this.#calls.calls();
    const asks = given.map((ask) => askWithCall(ask, calls));
    for (const { reason } of this.#options.reasons === "any" ? [] : asks) {
      const wrong = whyNotReason(reason);
      if (wrong !== null) throw new Error(`${reason}: ${wrong}`);
    }
    const known = this.#options.answers[this.#interrupts];
    this.#interrupts += 1;
    if (known === undefined || this.#silent === undefined) {
      return new Promise((resolve) => {
        this.#waiting = resolve;
        this.#push({ kind: "stopped", asks });
      });
    }
    // An earlier version asked without the calls.
    const changed = whyNotTheSame(given, known) && whyNotTheSame(asks, known);
    if (changed !== null) return Promise.reject(this.#failed(new RunRefusal("ASK_CHANGED", `(${changed})`)));
    if (this.#interrupts === this.#options.answers.length) {
      this.#silent = undefined;
      this.#reopen();
    }
    return Promise.resolve(known.map(({ answer }) => answer));
  }

  async #step<Result extends Json>(work: () => Result | Promise<Result>): Promise<Result> {
    const name = String(this.#steps);
    this.#steps += 1;
    const { journal } = this.work;
    if (Object.hasOwn(journal, name)) return journal[name] as Result;
    return this.#whole(async () => {
      const result = await work();
      await this.#remember(name, result);
      return result;
    });
  }

  /** Begun only while the run is wanted, and then waited for. */
  async #whole<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#binding.signal.aborted) throw new RunStopped("the run was stopped");
    const done = work();
    this.#underWay.add(done);
    try {
      return await done;
    } finally {
      this.#underWay.delete(done);
    }
  }

  #toolAll(calls: readonly ToolUse[]): Promise<readonly ToolOutcome[]> {
    const isAsking = calls.some(({ approval }) => approval !== false);
    return isAsking ? this.#alone(() => this.#perform(calls)) : this.#perform(calls);
  }

  async #perform(calls: readonly ToolUse[]): Promise<readonly ToolOutcome[]> {
    return perform(calls, {
      holdpoint: this.#options.holdpoint,
      signal: () => this.#binding.signal,
      newId: (prefix) => this.#newId(prefix),
      say: (event) => this.#say(event),
      interruptAll: (asks) => this.#interruptAll(asks),
      step: (work) => this.#step(work),
      whole: (work) => this.#whole(work),
      keep: (name, value) => this.#remember(name, value),
      kept: (name) => member(this.work.journal, name),
      onOutstanding: (error) => this.#options.onError?.(error),
    });
  }

  #run(): AgUiRun {
    const self = this;
    const { input } = this.work;
    const one = <Value>(list: readonly Value[]): Value => list[0] as Value;
    return {
      get threadId() {
        return self.#binding.threadId;
      },
      get runId() {
        return self.#binding.runId;
      },
      get messages() {
        return (self.#silent ?? self.#binding.book).messages;
      },
      get state() {
        return (self.#silent ?? self.#binding.book).state;
      },
      get signal() {
        return self.#binding.signal;
      },
      tools: input.tools,
      context: input.context,
      forwardedProps: input.forwardedProps,
      interrupt: async (ask) => one(await self.#alone(() => self.#interruptAll([ask]))),
      interruptAll: (asks) => self.#alone(() => self.#interruptAll(asks)),
      tool: async (call) => one(await self.#toolAll([call])),
      toolAll: (calls) => self.#toolAll(calls),
      callClient: (call) => self.#callClient(call),
      step: (work) => self.#step(work),
      setState: (state) => self.#say({ type: "STATE_SNAPSHOT", snapshot: state }),
      newId: (prefix) => self.#newId(prefix),
      stop: () => {
        throw new RunStopped("the agent stopped the run");
      },
    };
  }

  #callClient({ name, args }: { readonly name: string; readonly args: JsonObject }): void {
    const toolCallId = this.#newId("call");
    this.#say({ type: "TOOL_CALL_START", toolCallId, toolCallName: name });
    this.#say({ type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(args) });
    this.#say({ type: "TOOL_CALL_END", toolCallId });
    this.#pendingCalls.push(toolCallId);
  }
}

/** What JSON makes of a result; nothing, where it makes nothing of it. */
function plain(value: unknown): Json | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text === "null" ? undefined : (JSON.parse(text) as Json);
}

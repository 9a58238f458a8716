/**
 * What a run has said so far: messages and state as every client will have them, and what is still open. It keeps an agent's
 * events lawful, because one that is not ends the run in the client (AG-047, AG-069, AG-071).
 */

import { type Json, member } from "../../rules/index.ts";
import type { AgUiEvent, AgUiMessage, AgUiToolCall, Interrupt } from "../index.ts";
import { Chunks } from "./chunks.ts";
import { PatchedDocument, type PatchStep } from "./json-patch.ts";

type Span = "TEXT_MESSAGE" | "TOOL_CALL" | "REASONING_MESSAGE" | "REASONING" | "STEP" | "SUBAGENT";

const SPANS: Readonly<Record<string, { readonly span: Span; readonly part: "start" | "inside" | "end" }>> = {
  TEXT_MESSAGE_START: { span: "TEXT_MESSAGE", part: "start" },
  TEXT_MESSAGE_CONTENT: { span: "TEXT_MESSAGE", part: "inside" },
  TEXT_MESSAGE_END: { span: "TEXT_MESSAGE", part: "end" },
  TOOL_CALL_START: { span: "TOOL_CALL", part: "start" },
  TOOL_CALL_ARGS: { span: "TOOL_CALL", part: "inside" },
  TOOL_CALL_END: { span: "TOOL_CALL", part: "end" },
  REASONING_MESSAGE_START: { span: "REASONING_MESSAGE", part: "start" },
  REASONING_MESSAGE_CONTENT: { span: "REASONING_MESSAGE", part: "inside" },
  REASONING_MESSAGE_END: { span: "REASONING_MESSAGE", part: "end" },
  REASONING_START: { span: "REASONING", part: "start" },
  REASONING_END: { span: "REASONING", part: "end" },
  STEP_STARTED: { span: "STEP", part: "start" },
  STEP_FINISHED: { span: "STEP", part: "end" },
  SUBAGENT_STARTED: { span: "SUBAGENT", part: "start" },
  SUBAGENT_FINISHED: { span: "SUBAGENT", part: "end" },
  SUBAGENT_ERROR: { span: "SUBAGENT", part: "end" },
};

const NAME_OF: Readonly<Record<Span, string>> = {
  TEXT_MESSAGE: "messageId",
  TOOL_CALL: "toolCallId",
  REASONING_MESSAGE: "messageId",
  REASONING: "messageId",
  STEP: "stepName",
  SUBAGENT: "subagentRunId",
};

/** A run's beginning and end are the handler's. */
const NOT_THE_AGENTS = new Set(["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR"]);

/** Each event looks through them, so what a run may add is bounded (G13). */
const ADDED_MAX = 10_000;
const OPEN_MAX = 1_000;

interface Open {
  readonly span: Span;
  readonly name: string;
}

export class Book {
  #messages: AgUiMessage[];
  #state: PatchedDocument;
  #open: Open[] = [];
  readonly #chunks = new Chunks();
  readonly #messagesMax: number;

  constructor(messages: readonly AgUiMessage[], state: Json) {
    this.#messages = [...messages];
    this.#messagesMax = messages.length + ADDED_MAX;
    this.#state = new PatchedDocument(state);
  }

  get messages(): readonly AgUiMessage[] {
    return this.#messages;
  }

  get state(): Json {
    return this.#state.value;
  }

  /** Takes an event in, or throws what is wrong with it. */
  take(event: AgUiEvent): void {
    if (typeof event.type !== "string") throw new Error("an event needs a type");
    if (NOT_THE_AGENTS.has(event.type)) throw new Error(`${event.type} is the handler's to send`);
    this.#track(event);
    for (const each of this.#chunks.expand(event)) this.#apply(each);
  }

  /** Ends for whatever is open, innermost first. Subagents stay open: how they end is not known yet. */
  closing(): readonly AgUiEvent[] {
    const [subagents, others] = [this.#subagents(), this.#open.filter(({ span }) => span !== "SUBAGENT")];
    this.#open = subagents;
    return others.toReversed().map(({ span, name }) => ({
      type: span === "STEP" ? "STEP_FINISHED" : `${span}_END`,
      [NAME_OF[span]]: name,
    }));
  }

  /** Ends for the subagents that are open. With interrupts they wait for people, each for its own; otherwise they are done. */
  closingSubagents(interrupts?: readonly Interrupt[]): readonly AgUiEvent[] {
    const open = this.#subagents();
    this.#open = this.#open.filter(({ span }) => span !== "SUBAGENT");
    return open.toReversed().map(({ name: subagentRunId }) => {
      if (interrupts === undefined)
        return { type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "success" } };
      const own = interrupts.filter((each) => each.subagentRunId === subagentRunId);
      const interruptIds = own.length === 0 ? {} : { interruptIds: own.map(({ id }) => id) };
      return { type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "suspended", ...interruptIds } };
    });
  }

  #subagents(): Open[] {
    return this.#open.filter(({ span }) => span === "SUBAGENT");
  }

  snapshots(): readonly AgUiEvent[] {
    return [
      { type: "STATE_SNAPSHOT", snapshot: this.#state.value },
      { type: "MESSAGES_SNAPSHOT", messages: this.#messages },
    ];
  }

  #track(event: AgUiEvent): void {
    const known = member(SPANS, event.type);
    if (known === undefined) return;
    const { span, part } = known;
    const name = event[NAME_OF[span]];
    if (typeof name !== "string" || name === "") throw new Error(`${event.type} lacks its ${NAME_OF[span]}`);
    const at = this.#open.findIndex((open) => open.span === span && open.name === name);
    if (part === "start") {
      if (at >= 0) throw new Error(`${event.type}: ${name} is already open`);
      if (this.#open.length >= OPEN_MAX) throw new Error(`${event.type}: at most ${OPEN_MAX} may be open`);
      this.#open.push({ span, name });
      return;
    }
    if (at < 0) throw new Error(`${event.type}: ${name} is not open`);
    if (part === "end") this.#open.splice(at, 1);
  }

  #apply(event: AgUiEvent): void {
    switch (event.type) {
      case "TEXT_MESSAGE_START": {
        const { messageId, role = "assistant" } = event as AgUiEvent & { messageId: string; role?: string };
        if (!this.#has(messageId)) this.#add({ id: messageId, role, content: "" });
        return;
      }
      case "TEXT_MESSAGE_CONTENT":
        this.#change(String(event["messageId"]), (message) => ({
          ...message,
          content: `${typeof message.content === "string" ? message.content : ""}${String(event["delta"])}`,
        }));
        return;
      case "TOOL_CALL_START":
        this.#startCall(event);
        return;
      case "TOOL_CALL_ARGS":
        this.#growArgs(String(event["toolCallId"]), String(event["delta"]));
        return;
      case "TOOL_CALL_RESULT":
        this.#insertResult(event);
        return;
      case "STATE_SNAPSHOT":
        this.#state = new PatchedDocument((event["snapshot"] ?? null) as Json);
        return;
      case "STATE_DELTA":
        this.#state.apply(event["delta"] as readonly PatchStep[]);
        return;
      case "MESSAGES_SNAPSHOT":
        this.#restate(event["messages"] as readonly AgUiMessage[]);
        return;
    }
  }

  /** A call without a parent lives in a message of its own, whose id is the call's: as the client does it (AG-047). */
  #startCall(event: AgUiEvent): void {
    const { toolCallId, toolCallName, parentMessageId } = event as Record<string, string>;
    const id = parentMessageId ?? (toolCallId as string);
    const call: AgUiToolCall = {
      id: toolCallId as string,
      type: "function",
      function: { name: String(toolCallName), arguments: "" },
    };
    if (!this.#has(id)) this.#add({ id, role: "assistant", toolCalls: [call] });
    else this.#change(id, (message) => ({ ...message, toolCalls: [...(message.toolCalls ?? []), call] }));
  }

  #growArgs(toolCallId: string, delta: string): void {
    const hasCall = ({ toolCalls }: AgUiMessage) => toolCalls?.some(({ id }) => id === toolCallId) ?? false;
    const at = this.#messages.findLastIndex(hasCall);
    const message = this.#messages[at];
    if (message?.toolCalls === undefined) return;
    const toolCalls = message.toolCalls.map((call) =>
      call.id === toolCallId
        ? { ...call, function: { ...call.function, arguments: call.function.arguments + delta } }
        : call,
    );
    this.#messages[at] = { ...message, toolCalls };
  }

  /** After the message that made the call and the results it already has. */
  #insertResult(event: AgUiEvent): void {
    const { messageId, toolCallId, content } = event as Record<string, string>;
    const result = {
      id: messageId as string,
      role: "tool",
      toolCallId: toolCallId as string,
      content: content as string,
    };
    const caller = this.#messages.findIndex(({ toolCalls }) =>
      toolCalls?.some(({ id }) => id === toolCallId),
    );
    let at = caller < 0 ? this.#messages.length : caller + 1;
    while (caller >= 0 && this.#messages[at]?.role === "tool") at += 1;
    this.#assertRoomFor(this.#messages.length + 1);
    this.#messages.splice(at, 0, result);
  }

  #restate(messages: readonly AgUiMessage[]): void {
    this.#assertRoomFor(messages.length);
    this.#messages = [...messages];
  }

  #add(message: AgUiMessage): void {
    this.#assertRoomFor(this.#messages.length + 1);
    this.#messages.push(message);
  }

  #assertRoomFor(messages: number): void {
    if (messages > this.#messagesMax) throw new Error(`a run may add at most ${ADDED_MAX} messages`);
  }

  #has(id: string): boolean {
    return this.#messages.some((message) => message.id === id);
  }

  #change(id: string, change: (message: AgUiMessage) => AgUiMessage): void {
    // What grows is nearly always the newest.
    const at = this.#messages.findLastIndex((message) => message.id === id);
    if (at >= 0) this.#messages[at] = change(this.#messages[at] as AgUiMessage);
  }
}

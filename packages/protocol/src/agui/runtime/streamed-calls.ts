/**
 * The tool calls that an agent has streamed, so that people see what they approve (G15).
 *
 * C1  Only what the agent sent counts. Messages of the client could show another call than the one that runs.
 * C2  A call that was streamed in two versions, or is too large to be shown, is unknown.
 * C3  Arguments that are not JSON, or that the reader does not take, are shown as the text that was streamed.
 */

import { CALL_UNKNOWN, isObject, type Json, type JsonObject, member, sameJson } from "../../rules/index.ts";
import type { AgUiEvent, AgUiMessage, InterruptAsk } from "../index.ts";

export interface StreamedCall {
  readonly tool: string;
  readonly args: Json;
}

/** Calls that have no result yet, by their ids. */
export type StreamedCalls = Readonly<Record<string, StreamedCall>>;

interface Heard {
  readonly tool: string;
  readonly text: string;
  readonly isDoubtful: boolean;
}

/** Collects the tool calls of one run from its events. */
export class CallListener {
  readonly #calls = new Map<string, Heard>();
  /** Ids that the client's own messages bring along: told again in a snapshot, they prove nothing. */
  readonly #fromClient: ReadonlySet<string>;
  readonly #read: (text: string) => Json;
  #lastId = "";

  constructor(
    earlier: StreamedCalls,
    messages: readonly AgUiMessage[],
    read: (text: string) => Json = parsed,
  ) {
    this.#read = (text) => (text.trim() === "" ? {} : read(text));
    for (const [id, { tool, args }] of Object.entries(earlier))
      this.#calls.set(id, { tool, text: JSON.stringify(args), isDoubtful: false });
    this.#fromClient = new Set(callsIn(messages).map(({ id }) => id));
  }

  hear(event: AgUiEvent): void {
    const id = String(event["toolCallId"] ?? this.#lastId);
    const name = event["toolCallName"];
    switch (event.type) {
      case "TOOL_CALL_START":
        this.#start(id, name);
        break;
      case "TOOL_CALL_CHUNK":
        if (!this.#calls.has(id) || (typeof name === "string" && id !== this.#lastId)) this.#start(id, name);
        this.#add(id, event["delta"]);
        break;
      case "TOOL_CALL_ARGS":
        this.#add(id, event["delta"]);
        break;
      case "TOOL_CALL_RESULT":
        this.#calls.delete(id);
        break;
      case "MESSAGES_SNAPSHOT":
        this.#restate(event["messages"]);
    }
  }

  #start(id: string, tool: unknown): void {
    this.#lastId = id;
    const isAgain = this.#calls.has(id);
    this.#calls.set(id, {
      tool: String(tool ?? ""),
      text: "",
      isDoubtful: isAgain || typeof tool !== "string",
    });
  }

  #add(id: string, delta: unknown): void {
    const call = this.#calls.get(id);
    if (call !== undefined && typeof delta === "string")
      this.#calls.set(id, { ...call, text: call.text + delta });
  }

  #restate(messages: unknown): void {
    for (const { id, tool, text } of callsIn(messages)) {
      const known = this.#calls.get(id);
      if (known === undefined) {
        if (!this.#fromClient.has(id)) this.#calls.set(id, { tool, text, isDoubtful: false });
      } else if (known.tool !== tool || !sameJson(this.#read(known.text), this.#read(text)))
        this.#calls.set(id, { ...known, isDoubtful: true });
    }
  }

  calls(): StreamedCalls {
    const known = [...this.#calls].filter(([, { isDoubtful }]) => !isDoubtful);
    return Object.fromEntries(known.map(([id, { tool, text }]) => [id, { tool, args: this.#read(text) }]));
  }
}

/** Calls that a list of messages names; what has not the right form is passed over. */
function callsIn(
  messages: unknown,
): readonly { readonly id: string; readonly tool: string; readonly text: string }[] {
  const list = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : []);
  const inside = (value: unknown, name: string) =>
    isObject(value as Json) ? member(value as JsonObject, name) : undefined;
  return list(messages)
    .flatMap((message) => list(inside(message, "toolCalls")))
    .flatMap((call) => {
      const [id, called] = [inside(call, "id"), inside(call, "function")];
      const [tool, text] = [inside(called, "name"), inside(called, "arguments")];
      const isCall = typeof id === "string" && typeof tool === "string" && typeof text === "string";
      return isCall ? [{ id, tool, text }] : [];
    });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Under these names a page looks for the call: what the agent says there itself must not be taken for it. */
const NAMES_OF_CALLS = new Set([
  ...["tool", "tool_name", "toolName", "function", "tool_call", "toolCall"],
  ...["args", "arguments", "tool_args", "toolArgs", "input", CALL_UNKNOWN],
]);

/** What people are shown: the call that the question is about, or the statement that it is unknown. */
export function contextWithCall(told: JsonObject, toolCallId: string, calls: StreamedCalls): JsonObject {
  const call = Object.hasOwn(calls, toolCallId) ? calls[toolCallId] : undefined;
  return call === undefined ? { ...told, [CALL_UNKNOWN]: true } : shownCall(told, call);
}

/** The same question with its call, unless its author has said already what it is about. */
export function askWithCall(ask: InterruptAsk, calls: StreamedCalls): InterruptAsk {
  const { reason, toolCallId, payload } = ask;
  if (reason !== "tool_call" && toolCallId === undefined) return ask;
  const told = (payload ?? {}) as JsonObject;
  if (["tool", "tool_call", CALL_UNKNOWN].some((name) => Object.hasOwn(told, name))) return ask;
  return { ...ask, payload: contextWithCall(told, toolCallId ?? "", calls) };
}

function shownCall(told: JsonObject, { tool, args }: StreamedCall): JsonObject {
  const split = (isClash: boolean) =>
    Object.fromEntries(Object.entries(told).filter(([name]) => NAMES_OF_CALLS.has(name) === isClash));
  const [said, rest] = [split(true), split(false)];
  const isRepeated = Object.entries(said).every(([name, value]) => sameJson(value, { tool, args }[name]));
  return { ...rest, tool, args, ...(isRepeated ? {} : { agent_says: said }) };
}

/**
 * Chunks: texts and calls that an agent sends without saying where they begin and end. Clients put them together, so a
 * snapshot that lacked them would take away what people have read.
 */

import type { AgUiEvent } from "../index.ts";

interface Kind {
  readonly name: "messageId" | "toolCallId";
  readonly start: string;
  readonly inside: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  TEXT_MESSAGE_CHUNK: { name: "messageId", start: "TEXT_MESSAGE_START", inside: "TEXT_MESSAGE_CONTENT" },
  TOOL_CALL_CHUNK: { name: "toolCallId", start: "TOOL_CALL_START", inside: "TOOL_CALL_ARGS" },
};

/** What may come between the chunks of one text. */
const BETWEEN = new Set(["RAW", "CUSTOM"]);

export class Chunks {
  #type: string | undefined;
  #id: string | undefined;

  /** The events that a chunk stands for; any other event stands for itself. */
  expand(event: AgUiEvent): readonly AgUiEvent[] {
    const kind = Object.hasOwn(KINDS, event.type) ? KINDS[event.type] : undefined;
    if (kind === undefined) {
      if (!BETWEEN.has(event.type)) this.#type = undefined;
      return [event];
    }
    const { name, start, inside } = kind;
    const given = event[name];
    const goesOn = this.#type === event.type && (given === undefined || given === this.#id);
    if (!goesOn && typeof given !== "string") throw new Error(`the first ${event.type} needs its ${name}`);
    const id = goesOn ? this.#id : String(given);
    this.#type = event.type;
    this.#id = id;
    const { delta } = event;
    return [
      ...(goesOn ? [] : [{ ...event, type: start }]),
      ...(typeof delta === "string" ? [{ type: inside, [name]: id, delta }] : []),
    ];
  }
}

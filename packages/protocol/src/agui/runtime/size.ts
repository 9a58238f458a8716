/**
 * How large things may get. Holdpoint keeps 10 MiB of a thread, and clients give up on a frame of more than that (AG-079): what
 * would not fit ends the run with a code, before anything depends on it.
 */

import { isObject, sameJson } from "../../rules/index.ts";
import type { AgUiEvent } from "../index.ts";
import { RunRefusal } from "./codes.ts";
import type { ThreadRecord, Work } from "./record.ts";
import { afterLong } from "./turns.ts";

const MIB = 1024 * 1024;
/** Less what goes around it on its way. */
const LENGTH_MAX = 10 * MIB - 4096;
/** What an agent may add to what it began with before it has to stop. */
export const ROOM_TO_BEGIN = MIB / 4;
/** What the names of a group take in its thread. */
export const ROOM_TO_STOP = 1024;

export function checkFrame(event: AgUiEvent, text = JSON.stringify(event)): void {
  if (text.length > LENGTH_MAX) throw new RunRefusal("EVENT_TOO_LARGE", `(${event.type})`);
}

/** Throws unless the thread can be kept like this, with so much room left. What is long takes some turns. */
export async function checkRoom(record: ThreadRecord, roomLeft = 0): Promise<void> {
  const max = LENGTH_MAX - roomLeft;
  const texts: string[] = [];
  let length = 0;
  for (const text of piecesOf(packed(record), PIECES_DEPTH)) {
    texts.push(text);
    length += text.length;
    if (length > max) throw new RunRefusal("CONVERSATION_TOO_LARGE");
    await afterLong(text.length);
  }
  // No character takes more than three bytes, so most threads need not be counted.
  if (length * 3 <= max) return;
  let bytes = 0;
  for (const text of texts) {
    bytes += new TextEncoder().encode(text).length;
    await afterLong(text.length);
  }
  if (bytes > max) throw new RunRefusal("CONVERSATION_TOO_LARGE");
}

/** As far as to the messages and the state that a run began with. */
const PIECES_DEPTH = 3;

/** The JSON of a value in pieces, one for each member this deep. */
function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || !isObject(value)) {
    yield JSON.stringify(value) ?? "";
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    yield `,${JSON.stringify(name)}:`;
    yield* piecesOf(inner, depth - 1);
  }
  yield "{}";
}

/** As it is written: work mostly began with messages that the thread has anyway, and then only their number is kept. */
export type PackedRecord = Omit<ThreadRecord, "work"> & {
  readonly work?: Omit<Work, "input"> & {
    readonly input: Omit<Work["input"], "messages"> & {
      readonly messages: Work["input"]["messages"] | number;
    };
  };
};

export function packed(record: ThreadRecord): PackedRecord {
  const { work, messages } = record;
  const begun = work?.input.messages;
  if (work === undefined || begun === undefined || begun.length > messages.length) return record;
  const isSame = begun.every(
    (one, at) => one === messages[at] || sameJson(one as never, messages[at] as never),
  );
  return isSame ? { ...record, work: { ...work, input: { ...work.input, messages: begun.length } } } : record;
}

export function unpacked(record: PackedRecord): ThreadRecord {
  const { work, messages } = record;
  if (work === undefined) return record as ThreadRecord;
  const begun = work.input.messages;
  const all = typeof begun === "number" ? messages.slice(0, begun) : begun;
  return { ...record, work: { ...work, input: { ...work.input, messages: all } } };
}

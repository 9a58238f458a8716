/**
 * What a notice of a commit says of the holds that it ended, so that another server reads the log only if somebody waits there for
 * one of them. A notice may be lost, and any role of the database can send one, so nothing depends on it but when the log is read.
 */

import { ENDINGS } from "../kernel/hold/facts.ts";
import type { SealedEvent } from "../kernel/record.ts";

/** Enough of an id to tell it from nearly all others: the part that was drawn at random. */
const MARK_LENGTH = 10;
/** A notice of PostgreSQL has at most 8000 bytes. */
const MARKS_MAX = 400;
const MARK = /^[\w-]+$/;
const HOLD_STREAM = "hold:";

/** The mark of a hold in notices. Two holds may have the same. */
export function markOf(holdId: string): string {
  return holdId.slice(-MARK_LENGTH);
}

/** The marks of the holds that the events end; `undefined`: not said, because they are too many or no plain words. */
export function endedBy(
  events: readonly Pick<SealedEvent, "type" | "stream">[],
): readonly string[] | undefined {
  const marks: string[] = [];
  for (const { type, stream } of events)
    if (ENDINGS.has(type)) marks.push(markOf(stream.slice(HOLD_STREAM.length)));
  return marks.length > MARKS_MAX || !marks.every((mark) => MARK.test(mark)) ? undefined : marks;
}

/** Begins with a sign of its own, so that "none" is told apart from "not said", which earlier versions send. */
const SIGN = "+";

export function endedText(ended: readonly string[] | undefined): string {
  return ended === undefined ? "" : SIGN + ended.join(",");
}

export function endedIn(text: string | undefined): readonly string[] | undefined {
  if (text?.startsWith(SIGN) !== true) return undefined;
  return text === SIGN ? [] : text.slice(SIGN.length).split(",");
}

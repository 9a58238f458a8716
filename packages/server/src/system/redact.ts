/**
 * What an operator never wants to leave in a notification, taken out of its text: the record and the page keep it. Patterns
 * are the operator's own, from the configuration; texts are the agents'. RE2 runs the patterns, so that no text makes one
 * backtrack, and long texts are looked at in several turns of the event loop. What would take too long all the same is left
 * out as a whole (G9, G13).
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import { RE2JS } from "re2js";

export type Redact = (text: string) => Promise<string>;

const MARK = "[redacted]";
/** A longer text is left out unread. Looking whether there is a match takes at most a tenth of a microsecond a character. */
const LENGTH_MAX = 400_000;
/** A longer text that matches is left out as a whole: finding where takes up to a microsecond a character. */
const FOUND_LENGTH_MAX = 50_000;
/** Each search may look at all that is left. With more searches than this allows, little of the text would remain. */
const SEARCHED_MAX = 20_000_000;
/** Characters that are looked at before others have a turn. */
const TURN_LENGTH = 50_000;

export function redactor(patterns: readonly string[]): Redact {
  const compiled = patterns.map(compile);
  let sinceTurn = 0;

  /** To be called before that many characters are looked at. */
  async function look(length: number): Promise<void> {
    sinceTurn += length;
    if (sinceTurn <= TURN_LENGTH) return;
    sinceTurn = length;
    await nextTurn();
  }

  /** Null: it takes too long to say what may stay. */
  async function without(text: string, pattern: RE2JS): Promise<string | null> {
    await look(text.length / 5);
    if (!pattern.test(text)) return text;
    if (text.length > FOUND_LENGTH_MAX) return null;
    const matcher = pattern.matcher(text);
    let clean = "";
    let from = 0;
    for (let left = SEARCHED_MAX; left > 0; left -= text.length - from) {
      await look(text.length - from);
      if (!matcher.find()) return clean + text.slice(from);
      clean += text.slice(from, matcher.start()) + MARK;
      from = matcher.end();
    }
    return null;
  }

  return async (text) => {
    if (compiled.length === 0) return text;
    if (text.length > LENGTH_MAX) return MARK;
    let clean: string | null = text;
    for (const pattern of compiled) clean = clean === null ? null : await without(clean, pattern);
    return clean ?? MARK;
  };
}

/** Why a pattern cannot be used, or null. */
export function whyNotRedactable(source: string): string | null {
  try {
    compile(source);
    return null;
  } catch (error) {
    const why = (error as Error).message.replace("error parsing regexp: ", "").slice(0, 200);
    return `is no RE2 pattern (no lookaround, no back-references): ${why}`;
  }
}

function compile(source: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(source), RE2JS.CASE_INSENSITIVE);
}

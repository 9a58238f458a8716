/**
 * Patterns that strangers write, run by RE2: its time grows with pattern size times text length and never faster. The size
 * is bounded here; whoever has a text looks at the product before matching.
 */

import type { PatternTest } from "@holdpoint/protocol/rules";
import { RE2JS } from "re2js";

export interface Pattern {
  /** Instructions; one step of matching is one of them on one character. */
  readonly size: number;
  /** Whether the whole text matches, as `pattern` of a form field means it. */
  readonly whole: PatternTest;
  /** Whether any part of the text matches, as JSON Schema means it. */
  somewhere(text: string): boolean;
}

const PATTERN_LENGTH_MAX = 1_000;
/** Compiling costs some 4 µs an instruction, and there are up to three of them for each letter that is unrolled. */
const UNROLLED_MAX = 3_000;
/** RE2 builds an automaton as it goes, which pays for small programs; large ones can make it build one state a character. */
const AUTOMATON_SIZE_MAX = 200;
/** An engine that has worked this hard has filled its caches with megabytes; it is made anew when next needed. */
const KEEP_STEPS_MAX = 200_000;
/** A class such as \p{L} is one instruction, but making it takes as long as making many. */
const UNICODE_CLASS_SIZE = 100;
const REASON_LENGTH_MAX = 200;

/** A pattern ready for use, or why it cannot be used. */
export function compilePattern(source: string): Pattern | string {
  if (source.length > PATTERN_LENGTH_MAX) return `must have at most ${PATTERN_LENGTH_MAX} characters`;
  // ECMAScript spellings that RE2 spells differently, such as \u0041, are common in schemas.
  const spelled = RE2JS.translateRegExp(source);
  // It would hide from the measure below what is a pattern and what is text, and nobody else knows it.
  if (spelled.match(ESCAPE)?.includes("\\Q") === true) return "must not quote with \\Q";
  if (unrolledSize(spelled) > UNROLLED_MAX) return "repeats too much to be checked in reasonable time";
  try {
    return patternOf(spelled, RE2JS.compile(spelled));
  } catch (error) {
    return `is no RE2 pattern: ${reasonOf(error)}`;
  }
}

function patternOf(spelled: string, compiled: RE2JS): Pattern {
  const size = compiled.programSize();
  let kept: RE2JS | null = compiled;

  function engineFor(text: string): RE2JS {
    const engine = kept ?? RE2JS.compile(spelled);
    kept = size * text.length > KEEP_STEPS_MAX ? null : engine;
    return engine;
  }

  const small = size <= AUTOMATON_SIZE_MAX;
  const whole = (text: string, engine: RE2JS): boolean =>
    small ? engine.testExact(text) : engine.matcher(text).matches();
  const somewhere = (text: string, engine: RE2JS): boolean =>
    small ? engine.test(text) : engine.matcher(text).find();
  return {
    size,
    whole: Object.assign((text: string) => whole(text, engineFor(text)), { size }),
    somewhere: (text) => somewhere(text, engineFor(text)),
  };
}

const ESCAPE = /\\./gs;
const ESCAPE_OR_CLASS = /\\.|\[\^?(?:\\.|[^[\]\\^])(?:\\.|[^[\]\\])*\]/gs;
const TOKEN = /\{(\d{1,9})(?:,(\d{0,9}))?\}|./gs;

/**
 * RE2 unrolls counted repeats, so a short pattern can become a huge program. This is about what it unrolls to, and never
 * far less. It expects RE2's spelling.
 */
export function unrolledSize(source: string): number {
  const flat = source.replace(ESCAPE_OR_CLASS, "x");
  // An odd class hides which parenthesis is one; then every repeat counts as one of all that stands before it.
  const unclear = flat.includes("[");
  const outer: number[] = [];
  let size = 0;
  let atom = 0;
  for (const [token, from, to] of flat.matchAll(TOKEN)) {
    if (from !== undefined) {
      const times = Math.max(Number(from), Number(to ?? 0), 1);
      const repeated = unclear ? size : atom;
      size += repeated * (times - 1);
      atom = repeated * times;
    } else if (token === "(" && !unclear) {
      outer.push(size);
      size = 0;
    } else if (token === ")" && !unclear) {
      atom = size + 2;
      size = atom + (outer.pop() ?? 0);
    } else {
      atom = 1;
      size += 1;
    }
  }
  const unicodeClasses = source.match(/\\[pP]/g)?.length ?? 0;
  return outer.reduce((sum, part) => sum + part, size) + unicodeClasses * UNICODE_CLASS_SIZE;
}

function reasonOf(error: unknown): string {
  return (error as Error).message.replace("error parsing regexp: ", "").slice(0, REASON_LENGTH_MAX);
}

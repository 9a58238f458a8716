/**
 * Patterns that clients wrote, run by RE2: its time grows with pattern size times text length and never faster. The size is
 * limited here; the caller limits the product before matching.
 */

import type { PatternTest } from "@holdpoint/protocol/rules";
import { RE2JS } from "re2js";

export interface Pattern {
  /** The number of instructions. One step of matching runs one of them on one character. */
  readonly size: number;
  /** Whether the whole text matches, as for `pattern` of a form field. */
  readonly whole: PatternTest;
  /** Whether any part of the text matches, as in JSON Schema. */
  somewhere(text: string): boolean;
}

const PATTERN_LENGTH_MAX = 1_000;
/** Compiling takes about 4 µs per instruction, and an unrolled letter becomes up to three instructions. */
const UNROLLED_MAX = 3_000;
/** RE2 builds an automaton while matching. That pays for small programs; a large one may build one state per character. */
const AUTOMATON_SIZE_MAX = 200;
/** After this many steps an engine's caches hold megabytes, so it is dropped and recreated when next needed. */
const KEEP_STEPS_MAX = 200_000;
/** A class such as \p{L} is one instruction, but compiling it takes as long as many. */
const UNICODE_CLASS_SIZE = 100;
const REASON_LENGTH_MAX = 200;

/** A compiled pattern, or the reason why it cannot be used. */
export function compilePattern(source: string): Pattern | string {
  if (source.length > PATTERN_LENGTH_MAX) return `must have at most ${PATTERN_LENGTH_MAX} characters`;
  // Translates ECMAScript syntax that RE2 writes differently, such as \u0041; it is common in schemas.
  const translated = RE2JS.translateRegExp(source);
  // \Q would hide from unrolledSize what is a pattern and what is text, and other engines do not have it.
  if (translated.match(ESCAPE)?.includes("\\Q") === true) return "must not quote with \\Q";
  if (unrolledSize(translated) > UNROLLED_MAX) return "repeats too much to be checked in reasonable time";
  try {
    return patternOf(translated, RE2JS.compile(translated));
  } catch (error) {
    return `is not an RE2 pattern: ${reasonOf(error)}`;
  }
}

function patternOf(translated: string, compiled: RE2JS): Pattern {
  const size = compiled.programSize();
  let kept: RE2JS | null = compiled;

  function engineFor(text: string): RE2JS {
    const engine = kept ?? RE2JS.compile(translated);
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
 * RE2 unrolls counted repeats, so a short pattern can become a huge program. This estimates the unrolled size and is never
 * far below it. It expects RE2's syntax.
 */
export function unrolledSize(source: string): number {
  const flat = source.replace(ESCAPE_OR_CLASS, "x");
  // An unclosed class makes parentheses ambiguous; then every repeat counts as a repeat of everything before it.
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

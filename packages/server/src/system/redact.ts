/**
 * Removes from notifications what the operator's patterns match; the hold and the review page keep it. The patterns come from
 * the configuration, the texts from agents. RE2 runs the patterns, so that no text makes one backtrack, and long texts are
 * scanned in several turns of the event loop. A text that would still take too long is removed as a whole (G9, G13).
 */

import { RE2JS } from "re2js";
import { ownTurn } from "./own-turn.ts";

export interface Redact {
  (text: string): Promise<string>;
  /** It leaves every text as it is. */
  readonly isIdle?: boolean;
}

const MARK = "[redacted]";
/** A longer text is removed without a scan. Testing for a match takes at most a tenth of a microsecond per character. */
const LENGTH_MAX = 400_000;
/** A longer text that matches is removed as a whole: locating matches takes up to a microsecond per character. */
const FOUND_LENGTH_MAX = 50_000;
/** Each search may scan the rest of the text. Beyond this total, the whole text is removed. */
const SEARCHED_MAX = 20_000_000;
/** The number of characters scanned before yielding to the event loop. */
const TURN_LENGTH = 50_000;
/** What it takes to try one pattern on a short text, in scanned characters: a message may have many short texts. */
const START_LENGTH = 20;

/** Where the operator has no patterns. */
export const REDACT_NOTHING: Redact = Object.assign(async (text: string) => text, { isIdle: true });

/** Follows the patterns, which admins change while the server runs. They are compiled again only when they differ. */
export function liveRedactor(patterns: () => readonly string[]): Redact {
  let compiled: readonly string[] = [];
  let redact = REDACT_NOTHING;
  const current = () => {
    const now = patterns();
    if (now === compiled) return redact;
    if (JSON.stringify(now) !== JSON.stringify(compiled)) redact = redactor(now);
    compiled = now;
    return redact;
  };
  const live = (text: string) => current()(text);
  return Object.defineProperty(live, "isIdle", { get: () => current() === REDACT_NOTHING });
}

export function redactor(patterns: readonly string[]): Redact {
  if (patterns.length === 0) return REDACT_NOTHING;
  const compiled = patterns.map(compile);
  let sinceTurn = 0;

  /** Call this before scanning that many characters. */
  async function look(length: number): Promise<void> {
    sinceTurn += length;
    if (sinceTurn <= TURN_LENGTH) return;
    sinceTurn = length;
    await ownTurn();
  }

  /** `null`: locating the matches takes too long. */
  async function without(text: string, pattern: RE2JS): Promise<string | null> {
    await look(START_LENGTH + text.length / 5);
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
    if (text.length > LENGTH_MAX) return MARK;
    let clean: string | null = text;
    for (const pattern of compiled) clean = clean === null ? null : await without(clean, pattern);
    return clean ?? MARK;
  };
}

/** Which of the patterns cannot be used, and why. */
export function whyNotPatterns(patterns: readonly string[]) {
  return patterns.flatMap((pattern, index) => {
    const why = whyNotRedactable(pattern);
    return why === null ? [] : [{ index, why }];
  });
}

/** Why a pattern cannot be used, or `null`. */
function whyNotRedactable(source: string): string | null {
  try {
    compile(source);
    return null;
  } catch (error) {
    const why = (error as Error).message.replace("error parsing regexp: ", "").slice(0, 200);
    return `is not an RE2 pattern (no lookaround, no back-references): ${why}`;
  }
}

function compile(source: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(source), RE2JS.CASE_INSENSITIVE);
}

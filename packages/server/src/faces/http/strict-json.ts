/**
 * Reads I-JSON (RFC 7493), which every parser understands in the same way: no duplicate member, no text that cannot be stored
 * or hashed, no number that changes when it is parsed. A reviewer must see, and the agent must execute, what was sent (G12).
 */

import { endOfJsonText, type JsonBounds, whyTooMuchJson } from "@holdpoint/protocol/rules";

export type JsonVerdict =
  | { readonly kind: "ok"; readonly value: unknown }
  | { readonly kind: "not_json"; readonly why: string }
  | { readonly kind: "too_deep" }
  | { readonly kind: "too_many" };

export function readStrictJson(text: string, limits: JsonBounds): JsonVerdict {
  return whyTooMuch(text, limits) ?? checked(text, parsed(text), limits);
}

/** The same in steps, so that the caller can serve other requests between them (G13). */
export function* strictJsonSteps(text: string, limits: JsonBounds): Generator<void, JsonVerdict> {
  const tooMuch = whyTooMuch(text, limits);
  if (tooMuch !== null) return tooMuch;
  yield;
  const read = parsed(text);
  yield;
  return checked(text, read, limits);
}

function whyTooMuch(text: string, limits: JsonBounds): JsonVerdict | null {
  // A value needs at least two characters with its comma, so a short text cannot have too many.
  const kind = text.length < 2 * limits.valuesMax ? null : whyTooMuchJson(text, limits);
  return kind === null ? null : { kind };
}

function parsed(text: string): JsonVerdict {
  try {
    return { kind: "ok", value: JSON.parse(text) };
  } catch {
    return { kind: "not_json", why: "the body is not JSON" };
  }
}

function checked(text: string, read: JsonVerdict, limits: JsonBounds): JsonVerdict {
  return read.kind === "ok" ? (whyRefused(text, limits.depthMax) ?? read) : read;
}

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** Tokens of text that is known to be JSON. Strings have their own pattern, because they may contain anything. */
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Scans valid JSON again for its depth and for what `JSON.parse` silently drops. */
function whyRefused(text: string, depthMax: number): JsonVerdict | null {
  const mayHide = text.includes("\\u") || !text.isWellFormed();
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    switch (code) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        open.push(code === OPEN_OBJECT ? new Set() : null);
        if (open.length > depthMax) return { kind: "too_deep" };
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
        break;
      case QUOTE: {
        const end = endOfJsonText(text, at);
        const names = isName(text, end) ? open.at(-1) : null;
        // Most strings are neither member names nor contain escapes, so they need not be extracted.
        if (mayHide || names) {
          const why = whyNotString(text.slice(at, end), names);
          if (why !== null) return { kind: "not_json", why };
        }
        at = end - 1;
        break;
      }
      default: {
        if (!startsNumber(code)) break;
        NUMBER.lastIndex = at;
        const number = NUMBER.exec(text)?.[0];
        if (number === undefined) break;
        if (!isKept(number)) {
          const why = `the number ${number.slice(0, 40)} cannot be kept as it is; send it as text`;
          return { kind: "not_json", why };
        }
        at += number.length - 1;
      }
    }
  }
  return null;
}

function startsNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === MINUS;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** The four white-space characters of JSON. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function whyNotString(token: string, names: Set<string> | null | undefined): string | null {
  const string: string = token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
  if (!isStorable(string)) return "text has a NUL or half a surrogate pair in it";
  if (names === null || names === undefined) return null;
  if (string === "__proto__") return "no member may be called __proto__";
  if (names.has(string)) return `the member ${JSON.stringify(string.slice(0, 100))} is there twice`;
  names.add(string);
  return null;
}

/** Whether every store and every hash accepts the text. */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

const EXACT_DIGITS = 15;

function isKept(number: string): boolean {
  if (number.length <= EXACT_DIGITS && !/e/i.test(number)) return true;
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  // An integer must be the same number when it is printed again. Every parser rounds fractions.
  return /[.eE]/.test(number) || String(value) === number || BigInt(number) === BigInt(value);
}

/** The bodies that cost a server most for their size, at the limits of what it reads. */

import type { Operation } from "@holdpoint/protocol";
import { nested } from "../hostile/bend.ts";
import { samplesOf } from "../hostile/samples.ts";

export interface WorstBody {
  readonly what: string;
  readonly body: string;
}

const MEBIBYTE = 1024 * 1024;
/** Conversations carry their messages along. */
const isLarge = ({ path }: Operation) => path.startsWith("/agui/") || path.startsWith("/v1/threads/");

const bytesMaxOf = (operation: Operation) => (isLarge(operation) ? 10 : 1) * MEBIBYTE - 1024;

/** As much of `part`, repeated with commas between, as fits. */
export const filled = (bytes: number, part: string) =>
  Array(Math.max(1, Math.floor(bytes / (part.length + 1))))
    .fill(part)
    .join(",");

const wide = (bytes: number, value: string) => {
  const members = Array.from(
    { length: Math.floor(bytes / (value.length + 12)) },
    (_, at) => `"k${at}":${value}`,
  );
  return `{${members.join(",")}}`;
};

/** Texts that patterns over links, dates, e-mail addresses and white space go back and forth on. */
const SLOW_TEXTS = ["a", " ", "a.", "a@", "1", "a-", "\\t", "0:", "((", "a/", "~1", "http://"];

function* worstValues(bytes: number): Generator<WorstBody> {
  yield made("empty objects", () => `[${filled(bytes, "{}")}]`);
  yield made("zeros", () => `[${filled(bytes, "0")}]`);
  yield made("texts", () => `[${filled(bytes, '"a"')}]`);
  yield made("a wide object", () => wide(bytes, "0"));
  yield made("a wide object of objects", () => wide(bytes, "{}"));
  yield made("deep lists", () => `[${filled(bytes, JSON.stringify(nested(40)))}]`);
  yield made("a list as long as is read", () => `[${filled(80_000, "0")}]`);
  yield made("as many objects as are read", () => `[${filled(120_000, "{}")}]`);
  yield made("an object as wide as is read", () => wide(450_000, "0"));
}

/** Large, and not always sent. */
const made = (what: string, make: () => string): WorstBody => ({
  what,
  get body() {
    return make();
  },
});

function* worstTexts(bytes: number): Generator<WorstBody> {
  for (const part of SLOW_TEXTS)
    yield made(`a text of ${part}`, () => `"${part.repeat(Math.floor(bytes / part.length) - 1)}!"`);
}

/** Whole bodies, and each member of a sample in turn. The quick ones are those that once cost most. */
export function* worstBodies(operation: Operation, isQuick: boolean): Generator<WorstBody> {
  if (operation.body === undefined) return;
  const bytes = bytesMaxOf(operation);
  yield* only(worstValues(bytes), isQuick ? ["empty objects", "a wide object"] : undefined);
  const seen = new Set<string>();
  for (const sample of samplesOf(operation.body)) {
    for (const [name, value] of Object.entries(sample as object)) {
      if (seen.has(name) || (isQuick && typeof value !== "object")) continue;
      seen.add(name);
      const rest = JSON.stringify({ ...(sample as object), [name]: 0 });
      const values = only(valuesLike(value, bytes - rest.length), isQuick ? QUICK : undefined);
      for (const { what, body } of values) {
        const whole = rest.replace(`${JSON.stringify(name)}:0`, () => `${JSON.stringify(name)}:${body}`);
        yield { what: `${name}: ${what}`, body: whole };
      }
    }
  }
}

const QUICK = ["as many objects as are read", "an object as wide as is read"];

function* valuesLike(value: unknown, bytes: number): Generator<WorstBody> {
  yield* worstValues(bytes);
  yield* worstTexts(bytes);
  const item = JSON.stringify(Array.isArray(value) ? value[0] : value);
  yield made("the same again and again", () => `[${filled(bytes, item)}]`);
  yield made("the same as often as is read", () => `[${filled(Math.min(bytes, 400_000), item)}]`);
}

function* only(bodies: Iterable<WorstBody>, names?: readonly string[]): Generator<WorstBody> {
  for (const body of bodies) if (names?.includes(body.what) ?? true) yield body;
}

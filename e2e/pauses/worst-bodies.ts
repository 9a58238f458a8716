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

export const bytesMaxOf = (operation: Operation) => (isLarge(operation) ? 10 : 1) * MEBIBYTE - 1024;

/** As much of `part`, repeated with commas between, as fits. */
export const filled = (bytes: number, part: string) =>
  Array(Math.max(1, Math.floor(bytes / (part.length + 1))))
    .fill(part)
    .join(",");

const wide = (bytes: number, value: string) => {
  const members = Array.from(
    { length: Math.floor(bytes / (value.length + 10)) },
    (_, at) => `"k${at}":${value}`,
  );
  return `{${members.join(",")}}`;
};

/** Texts that patterns over links, dates, e-mail addresses and white space go back and forth on. */
const SLOW_TEXTS = ["a", " ", "a.", "a@", "1", "a-", "\\t", "0:", "((", "a/", "~1", "http://"];

export function* worstValues(bytes: number): Generator<WorstBody> {
  yield { what: "empty objects", body: `[${filled(bytes, "{}")}]` };
  yield { what: "zeros", body: `[${filled(bytes, "0")}]` };
  yield { what: "texts", body: `[${filled(bytes, '"a"')}]` };
  yield { what: "a wide object", body: wide(bytes, "0") };
  yield { what: "a wide object of objects", body: wide(bytes, "{}") };
  yield { what: "deep lists", body: `[${filled(bytes, JSON.stringify(nested(40)))}]` };
  yield { what: "a list as long as is read", body: `[${filled(80_000, "0")}]` };
  yield { what: "as many objects as are read", body: `[${filled(120_000, "{}")}]` };
  yield { what: "an object as wide as is read", body: wide(450_000, "0") };
}

export function* worstTexts(bytes: number): Generator<WorstBody> {
  for (const part of SLOW_TEXTS)
    yield { what: `a text of ${part}`, body: `"${part.repeat(Math.floor(bytes / part.length))}!"` };
}

/** Whole bodies, and each member of a sample in turn. */
export function* worstBodies(operation: Operation, isQuick: boolean): Generator<WorstBody> {
  if (operation.body === undefined) return;
  const bytes = bytesMaxOf(operation);
  yield* isQuick ? [...worstValues(bytes)].slice(0, 4) : worstValues(bytes);
  const seen = new Set<string>();
  for (const sample of samplesOf(operation.body)) {
    for (const [name, value] of Object.entries(sample as object)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const rest = JSON.stringify({ ...(sample as object), [name]: 0 });
      const left = bytes - rest.length;
      const text = JSON.stringify(value);
      const values = [
        ...worstValues(left),
        ...worstTexts(left),
        { what: "the same again and again", body: `[${filled(left, text.replace(/^\[(.+)\]$/, "$1"))}]` },
        {
          what: "the same as often as is read",
          body: `[${filled(Math.min(left, 400_000), text.replace(/^\[(.+)\]$/, "$1"))}]`,
        },
      ];
      for (const { what, body } of isQuick ? quick(values) : values) {
        const whole = rest.replace(`${JSON.stringify(name)}:0`, () => `${JSON.stringify(name)}:${body}`);
        yield { what: `${name}: ${what}`, body: whole };
      }
    }
  }
}

const QUICK = ["as many objects as are read", "an object as wide as is read", "a text of a"];

const quick = (values: readonly WorstBody[]) => values.filter(({ what }) => QUICK.includes(what));

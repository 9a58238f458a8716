/**
 * What the rules need but cannot do themselves: run a pattern and a JSON Schema that a client wrote. The server brings
 * engines that cannot be made to hang (RE2, Ajv over RE2); a browser may bring its own. Both are pure functions.
 */

import type { Json, JsonObject } from "./json.ts";

/** One thing wrong with one place of an ask or an answer. `key` is a field key or a JSON pointer. */
export type Problem = {
  readonly key: string;
  readonly rule: string;
  readonly message: string;
};

export interface PatternTest {
  (value: string): boolean;
  /** How much work one character of a value can be, in steps; absent: next to none. */
  readonly size?: number;
}
export type SchemaTest = (value: Json) => readonly Problem[];

export interface Judge {
  /** A whole-value test, or why the pattern cannot be used. */
  pattern(source: string): PatternTest | string;
  /** A test that names every problem, or why the schema cannot be used. */
  schema(schema: JsonObject): SchemaTest | string;
}

/** The same judge for `steps` of work on patterns; a value that would take more than is left counts as not matching. */
export function withinWork(judge: Judge, steps: number): Judge {
  let left = steps;
  return {
    schema: judge.schema,
    pattern(source) {
      const test = judge.pattern(source);
      if (typeof test === "string") return test;
      return (value) => {
        left -= (test.size ?? 0) * value.length;
        return left >= 0 && test(value);
      };
    },
  };
}

/** Patterns and schemas in a browser. Whatever this lets pass the server checks again. */

import { type Judge, type SchemaTest, triedLengthMax } from "@holdpoint/protocol/rules";

/** A longer pattern is left to the server, whose engine cannot hang. */
const PATTERN_LENGTH_MAX = 200;
const anything = Object.assign(() => true, { size: 0 });

/** Checks answers on a page. Give it the test of `@holdpoint/react/schema-judge` to check schemas too. */
export function browserJudge(schema: (schema: object) => SchemaTest | string = () => () => []): Judge {
  return {
    schema,
    pattern(source) {
      const longest = source.length > PATTERN_LENGTH_MAX ? 0 : triedLengthMax(source);
      if (longest < 1) return anything;
      try {
        const whole = new RegExp(`^(?:${source})$`, "u");
        return (value) => value.length > longest || whole.test(value);
      } catch {
        return anything;
      }
    },
  };
}

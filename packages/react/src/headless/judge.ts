/** Patterns and schemas in a browser. Whatever this lets pass the server checks again. */

import type { Judge, SchemaTest } from "@holdpoint/protocol/rules";

/** A pattern of this length or a value of that one is left to the server, whose engine cannot hang. */
const PATTERN_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 1_000;
/** A repetition inside a repetition: the way patterns hang. */
const NESTED = /[*+}][^()]*\)[*+{]|\([^()]*[*+{][^()]*\)[*+{]/;

const anything = Object.assign(() => true, { size: 0 });

/** Checks answers on a page. Give it the test of `@holdpoint/react/schema-judge` to check schemas too. */
export function browserJudge(schema: (schema: object) => SchemaTest | string = () => () => []): Judge {
  return {
    schema,
    pattern(source) {
      if (source.length > PATTERN_LENGTH_MAX || NESTED.test(source)) return anything;
      try {
        const whole = new RegExp(`^(?:${source})$`, "u");
        return (value) => value.length > VALUE_LENGTH_MAX || whole.test(value);
      } catch {
        return anything;
      }
    },
  };
}

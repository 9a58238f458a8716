/**
 * @module
 * JSON Schema in a browser without `eval`, for pages with a strict policy. An entry of its own: only asks with a
 * `responseSchema` need to load it.
 */

import { Validator } from "@cfworker/json-schema";
import type { Problem, SchemaTest } from "@holdpoint/protocol/rules";

export function schemaTest(schema: object): SchemaTest | string {
  try {
    const validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], "2020-12", false);
    return (value) => {
      const { valid, errors } = validator.validate(value);
      if (valid) return [];
      const leaves = errors.filter(({ keyword }) => keyword !== "properties" && keyword !== "items");
      return leaves.map(
        ({ instanceLocation, keyword, error }): Problem => ({
          key: instanceLocation.replace(/^#/, ""),
          rule: keyword,
          message: error,
        }),
      );
    };
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
}

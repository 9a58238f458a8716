/** One schema as a test of values. */

import { format, Validator } from "@cfworker/json-schema";
import {
  isObject,
  type Json,
  type JsonObject,
  modernSchema,
  type Problem,
  type SchemaTest,
  triedLengthMax,
} from "../rules/index.ts";
import { serverFormats } from "./formats.ts";

// The library looks formats up in this table and takes no others.
Object.assign(format, serverFormats(format as Parameters<typeof serverFormats>[0]));

/**
 * The test, or why the schema cannot be used. A schema with `unevaluatedItems` or `unevaluatedProperties` is left to the server:
 * libraries read those two differently, and a page must not refuse what the server would accept. So is a value that one of the
 * patterns could take too long for: nobody may freeze a page by a pattern.
 */
export function schemaTest(schema: object): SchemaTest | string {
  try {
    const modern = modernSchema(schema as JsonObject);
    if (hasUnevaluated(modern)) return () => [];
    const validator = new Validator(modern as ConstructorParameters<typeof Validator>[0], "2020-12", false);
    const longest = Math.min(...patternsIn(modern).map(triedLengthMax));
    return (value) => {
      if (longestText(value) > longest) return [];
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

/** Names of properties that look like patterns count too: that only leaves more to the server. */
function patternsIn(schema: Json): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, part]: [string, Json]) => {
    const here =
      name === "pattern" ? [part] : name === "patternProperties" && isObject(part) ? Object.keys(part) : [];
    return [...here.filter((each) => typeof each === "string"), ...patternsIn(part)];
  });
}

/** Of names of members too, which `patternProperties` tests. */
function longestText(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (longest, [name, part]: [string, Json]) => Math.max(longest, name.length, longestText(part)),
    0,
  );
}

/** A property of that name counts too: that only leaves more to the server. */
function hasUnevaluated(schema: Json): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(
    ([name, part]) => name === "unevaluatedItems" || name === "unevaluatedProperties" || hasUnevaluated(part),
  );
}

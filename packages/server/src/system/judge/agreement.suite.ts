/** Schemas and values for which the server's judge and the judge of pages must agree: whether the value is accepted. */

import { schemaTest } from "@holdpoint/protocol/json-schema";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import * as fc from "fast-check";
import { expect } from "vitest";
import { createJudge } from "../judge.ts";

/** No empty name: inside `not`, Ajv takes it for present. */
const NAMES = ["a", "b", "ab", "x-1", "ä", "😀", "constructor", "toString", "hasOwnProperty"] as const;
const name = fc.constantFrom(...NAMES);
const NUMBERS = [0, -0, 1, -1, 2, 3, 7, 10, 0.1, 0.2, 0.3, 0.5, 1.5, 2.5, 19.99, 1e21, 1e-7, 2 ** 53 + 2];
const TEXTS = [
  "",
  "a",
  "ab",
  "abc",
  "😀",
  "😀😀",
  "é",
  "10",
  "a-b",
  "A",
  "2026-03-01",
  "12:30:00Z",
  "x@y.example",
];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false),
  fc.constantFrom(...NUMBERS),
  fc.integer({ min: -20, max: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(...TEXTS),
  fc.string({ maxLength: 4, unit: "grapheme" }),
);

const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(name, fc.string({ maxLength: 2 })), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

const PATTERNS = ["^a", "b$", "^[a-z]+$", "^\\d{1,2}$", "^.$", "a|b", "^x-", "", "\\u0061", "[^a]", "^\\w+$"];
const FORMATS = [
  "date",
  "time",
  "date-time",
  "email",
  "uri",
  "uuid",
  "ipv4",
  "ipv6",
  "hostname",
  "regex",
  "json-pointer",
];
const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
const count = fc.integer({ min: 0, max: 4 });
const number = fc.constantFrom(...NUMBERS);

/** Every keyword that pages judge, with values that a schema may have. */
const schema: fc.Arbitrary<Json> = fc.letrec<{ schema: Json }>((tie) => {
  const sub = tie("schema");
  const named = fc.dictionary(name, sub, { maxKeys: 3, noNullPrototype: true });
  const keywords = {
    type: fc.oneof(
      fc.constantFrom(...TYPES),
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
    ),
    enum: fc.array(value, { minLength: 1, maxLength: 4 }),
    const: value,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(1, 2, 3, 0.1, 0.01, 0.5, 1e-7),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom(...PATTERNS),
    format: fc.constantFrom(...FORMATS),
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    prefixItems: fc.array(sub, { minLength: 1, maxLength: 3 }),
    items: sub,
    contains: sub,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    required: fc.uniqueArray(name, { maxLength: 3 }),
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom(...PATTERNS), sub, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    additionalProperties: sub,
    propertyNames: sub,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    dependentSchemas: named,
    allOf: fc.array(sub, { minLength: 1, maxLength: 3 }),
    anyOf: fc.array(sub, { minLength: 1, maxLength: 3 }),
    oneOf: fc.array(sub, { minLength: 1, maxLength: 3 }),
    not: sub,
    if: sub,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: sub,
    else: sub,
    $ref: fc.constantFrom("#/$defs/one", "#/$defs/two"),
  };
  const names = Object.keys(keywords) as (keyof typeof keywords)[];
  const some = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
  const object = some.chain((chosen) =>
    fc.record(Object.fromEntries(chosen.map((each) => [each, keywords[each]]))),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      { arbitrary: fc.boolean(), weight: 1 },
      { arbitrary: object, weight: 6 },
    ),
  } as never;
}).schema;

/** A document with two definitions that it may refer to, in the words of 2020-12 or of the drafts before. */
const document: fc.Arbitrary<JsonObject> = fc
  .tuple(schema, schema, schema, fc.boolean())
  .map(([root, one, two, isOld]) => {
    const own = typeof root === "object" && root !== null ? (root as JsonObject) : { allOf: [root] };
    const whole: JsonObject = { ...own, $defs: { one: withoutRefs(one), two: withoutRefs(two) } };
    return isOld ? old(whole) : whole;
  });

/** Definitions that refer to each other could refer to themselves, which the server refuses. */
function withoutRefs(part: Json): Json {
  if (Array.isArray(part)) return part.map(withoutRefs);
  if (typeof part !== "object" || part === null) return part;
  const rest = Object.entries(part).filter(([key, inner]) => key !== "$ref" || typeof inner !== "string");
  return Object.fromEntries(rest.map(([key, inner]) => [key, withoutRefs(inner)]));
}

function old({ prefixItems, items, dependentRequired, dependentSchemas, ...rest }: JsonObject): JsonObject {
  const tuple = prefixItems === undefined ? { items } : { items: prefixItems, additionalItems: items };
  const dependencies = { ...(dependentRequired as JsonObject), ...(dependentSchemas as JsonObject) };
  const all = {
    ...rest,
    ...tuple,
    dependencies,
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "x:y",
  };
  return JSON.parse(JSON.stringify(all));
}

/** Compares the two judges on generated pairs; reports how many schemas were comparable. */
export function judgesAgree(runs: number, seed?: number): number {
  const judge = createJudge();
  let compared = 0;
  fc.assert(
    fc.property(document, fc.array(value, { minLength: 8, maxLength: 8 }), (written, values) => {
      const server = judge.schema(written);
      // What the server refuses is never asked, so no page meets it.
      if (typeof server === "string") return;
      const page = schemaTest(written);
      if (typeof page === "string") throw new Error(`the page refuses the schema: ${page}`);
      compared += 1;
      for (const one of values) {
        const [here, there] = [server(one).length === 0, page(one).length === 0];
        expect({ value: one, accepted: there }).toEqual({ value: one, accepted: here });
      }
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  );
  return compared;
}

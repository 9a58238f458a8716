import { describe, expect, test } from "vitest";
import type { Json } from "./json.ts";
import { modernSchema } from "./schema-document.ts";

describe("a schema document", () => {
  test.each<[string, Json, Json]>([
    ["a boolean schema", true, true],
    ["a list of items becomes a tuple", { items: [true] }, { prefixItems: [true] }],
    [
      "what follows a tuple becomes items",
      { items: [true], additionalItems: false },
      { prefixItems: [true], items: false },
    ],
    ["one schema for all items stays", { items: { type: "null" } }, { items: { type: "null" } }],
    [
      "dependencies become two keywords, beside those that are there",
      { dependencies: { a: ["b"], c: { type: "null" } }, dependentRequired: { d: ["e"] } },
      { dependentRequired: { a: ["b"], d: ["e"] }, dependentSchemas: { c: { type: "null" } } },
    ],
    ["dependencies that are no object are left out", { dependencies: 1 }, {}],
    ["the document's identity is left out", { $id: "x:y", $schema: "s", type: "null" }, { type: "null" }],
    [
      "schemas inside schemas change too, by one, by list and by name",
      { not: { items: [true] }, allOf: [{ items: [true] }], properties: { a: { items: [true] } } },
      {
        not: { prefixItems: [true] },
        allOf: [{ prefixItems: [true] }],
        properties: { a: { prefixItems: [true] } },
      },
    ],
    [
      "values that only look like schemas stay",
      { const: { items: [true] }, allOf: 1, properties: 1 },
      { const: { items: [true] }, allOf: 1, properties: 1 },
    ],
    [
      "a property called __proto__ is left out",
      JSON.parse('{"properties":{"__proto__":true,"a":true}}'),
      { properties: { a: true } },
    ],
  ])("is converted to the words of draft 2020-12: %s", (_what, schema, modern) => {
    expect(modernSchema(schema)).toEqual(modern);
  });
});

import { expect, test } from "vitest";
import { type Ask, type JsonObject, maskSensitive, sensitiveKeys } from "./index.ts";

const W = { withheld: true };
const input = (responseSchema: JsonObject): Ask => ({ type: "input", prompt: "?", responseSchema });
const secret = { type: "string", writeOnly: true };

test("HP-068 sensitive fields of a form are withheld, in fields and in steps", () => {
  const fields = [
    { key: "iban", label: "IBAN", type: "text", sensitive: true },
    { key: "name", label: "Name", type: "text", sensitive: false },
    { key: "city", label: "City", type: "text" },
  ] as const;
  for (const form of [{ fields }, { steps: [{ title: "One", fields }] }]) {
    expect(sensitiveKeys(form)).toEqual(["iban"]);
    const ask: Ask = { type: "input", prompt: "?", form };
    expect(maskSensitive(ask, { iban: "DE00", name: "A", city: "B" })).toEqual({
      iban: W,
      name: "A",
      city: "B",
    });
    expect(maskSensitive(ask, { iban: null, other: 1 })).toEqual({ iban: W, other: 1 });
  }
});

test("an ask without anything sensitive shows all of its answer", () => {
  const data = JSON.parse('{"a":{"b":[1]},"__proto__":{"c":1}}') as JsonObject;
  expect(JSON.stringify(maskSensitive({ type: "approval" }, data))).toBe(JSON.stringify(data));
  expect(maskSensitive(input({ type: "object" }), { a: { b: [1] } })).toEqual({ a: { b: [1] } });
});

test("a schema's writeOnly and password properties are withheld, however deep", () => {
  const schema = {
    properties: {
      user: { type: "string" },
      password: { type: "string", format: "password" },
      keys: { type: "array", items: { properties: { id: {}, value: secret } } },
    },
  };
  const data = { user: "u", password: "p", keys: [{ id: 1, value: "v" }, { id: 2 }, "odd"], more: "m" };
  expect(maskSensitive(input(schema), data)).toEqual({
    user: "u",
    password: W,
    keys: [{ id: 1, value: W }, { id: 2 }, "odd"],
    more: "m",
  });
});

test.each<[string, JsonObject]>([
  ["allOf", { allOf: [true, { properties: { s: secret } }] }],
  ["anyOf", { anyOf: [{ properties: { s: {} } }, { properties: { s: secret } }] }],
  ["oneOf", { oneOf: [{ properties: { s: secret } }] }],
  ["then", JSON.parse(`{"if":{},"then":{"properties":{"s":{"writeOnly":true}}},"else":{}}`) as JsonObject],
  ["else", { if: {}, else: { properties: { s: secret } } }],
  ["dependentSchemas", { dependentSchemas: { t: { properties: { s: secret } } } }],
  ["patternProperties", { patternProperties: { "^s": secret } }],
  ["patternProperties beside properties", { properties: { s: {} }, patternProperties: { "^s": secret } }],
  ["additionalProperties", { properties: { t: {} }, additionalProperties: secret }],
  ["unevaluatedProperties", { unevaluatedProperties: secret }],
  ["$ref to $defs", { properties: { s: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": secret } }],
  ["$ref with an escaped name", { properties: { s: { $ref: "#/$defs/a%20b" } }, $defs: { "a b": secret } }],
  ["$ref into a list", { properties: { s: { $ref: "#/list/1" } }, list: [{}, secret] }],
  [
    "$ref to an anchor",
    { properties: { s: { $ref: "#key" } }, $defs: { list: { allOf: [{ $anchor: "key", ...secret }] } } },
  ],
  [
    "$dynamicRef",
    { properties: { s: { $dynamicRef: "#key" } }, $defs: { k: { $dynamicAnchor: "key", ...secret } } },
  ],
])("a property is withheld when %s marks it", (_keyword, schema) => {
  expect(maskSensitive(input(schema), { s: "canary" })).toEqual({ s: W });
});

test.each<[string, JsonObject]>([
  ["prefixItems", { prefixItems: [{}, secret] }],
  ["items", { prefixItems: [{}], items: secret }],
  ["a list of items, as older drafts write it", { items: [{}, secret] }],
  ["contains", { contains: secret }],
  ["unevaluatedItems", { unevaluatedItems: secret }],
])("a list's member is withheld when %s marks it", (_keyword, list) => {
  const masked = maskSensitive(input({ properties: { list } }), { list: ["a", "canary"] });
  expect((masked["list"] as unknown[])[1]).toEqual(W);
});

test("additional properties say nothing about those that are named", () => {
  const schema = { properties: { open: {} }, additionalProperties: secret };
  expect(maskSensitive(input(schema), { open: "o", other: "x" })).toEqual({ open: "o", other: W });
});

test("references in a circle or to nowhere come to an end", () => {
  const list = { properties: { next: { $ref: "#" }, key: secret }, allOf: [{ $ref: "#" }] };
  expect(maskSensitive(input(list), { key: "a", next: { key: "b", next: {} } })).toEqual({
    key: W,
    next: { key: W, next: {} },
  });
  for (const $ref of [
    "#/$defs/none",
    "#none",
    "#/constructor",
    "#/a/b/c",
    "#/%",
    "https://example.com/s",
    5,
  ]) {
    expect(maskSensitive(input({ properties: { s: { $ref } }, a: "text" }), { s: "x" })).toEqual({ s: "x" });
  }
});

test("a sensitive value that is not an object is withheld as data.value", () => {
  expect(maskSensitive(input(secret), { value: "v", note: "n" })).toEqual({ value: W, note: "n" });
  expect(maskSensitive(input({ type: "string" }), { value: "v" })).toEqual({ value: "v" });
});

test("a schema that is sensitive as a whole withholds everything", () => {
  expect(maskSensitive(input({ writeOnly: true }), { a: 1 })).toEqual(W);
});

test("an approval's schema withholds members of the changed arguments", () => {
  const ask: Ask = { type: "approval", prompt: "?", responseSchema: { properties: { key: secret } } };
  const data = {
    key: "not an argument",
    edited_args: { key: "v", a: 1 },
    edits: { key: "v" },
    feedback: "f",
  };
  expect(maskSensitive(ask, data)).toEqual({
    key: "not an argument",
    edited_args: { key: W, a: 1 },
    edits: { key: W },
    feedback: "f",
  });
});

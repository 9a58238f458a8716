import type { Json, JsonObject, SchemaTest } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { createJudge } from "../judge.ts";

const judge = createJudge();

function compiled(schema: JsonObject): SchemaTest {
  const usable = judge.schema(schema);
  if (typeof usable === "string") throw new Error(usable);
  return usable;
}

const flaws = (schema: JsonObject, value: Json) =>
  compiled(schema)(value).map(({ key, rule }) => `${key} ${rule}`);

/** Measures processor time, because the machine may be busy. The limit is generous: it only detects a hang. */
function inTime<T>(work: () => T): T {
  const started = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(started);
  expect(user + system).toBeLessThan(2_000_000);
  return result;
}

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (at: number) => Json): JsonObject =>
  Object.fromEntries(many(count, (at) => [`p${at}`, make(at)]));

describe("checking a value against a schema", () => {
  test("a schema check reports all problems, each at the missing or surplus member", () => {
    const schema = {
      type: "object",
      required: ["a", "b/c"],
      properties: { a: { type: "number", minimum: 1 }, list: { items: { type: "string" } } },
      additionalProperties: false,
    };
    expect(flaws(schema, { a: 0, list: ["x", 5], "d~e": 1 })).toEqual([
      "/b~1c required",
      "/d~0e additionalProperties",
      "/a minimum",
      "/list/1 type",
    ]);
    expect(flaws(schema, { a: 1, "b/c": null, list: [] } as JsonObject)).toEqual([
      "/b~1c additionalProperties",
    ]);
    expect(flaws({ ...schema, additionalProperties: true }, { a: 1, "b/c": null })).toEqual([]);
  });

  test("messages of a schema check are short and never repeat the value", () => {
    const problems = compiled({ enum: ["x"], pattern: `^${"a".repeat(900)}$` })("canary");
    expect(problems.map(({ rule }) => rule).sort()).toEqual(["enum", "pattern"]);
    for (const { message } of problems) {
      expect(message.length).toBeLessThanOrEqual(201);
      expect(message).not.toContain("canary");
    }
  });

  test("references, anchors and recursion within one schema document work", () => {
    const tree = {
      $id: "https://example.com/tree",
      type: "object",
      properties: { next: { $ref: "#" } },
      additionalProperties: false,
    };
    expect(flaws(tree, { next: { next: {} } })).toEqual([]);
    expect(flaws(tree, { next: { nxt: {} } })).toEqual(["/next/nxt additionalProperties"]);
    const defs = { $defs: { "a b/c": { type: "string" }, n: { $anchor: "num", type: "number" } } };
    expect(flaws({ ...defs, properties: { s: { $ref: "#/$defs/a%20b~1c" } } }, { s: 1 })).toEqual([
      "/s type",
    ]);
    expect(flaws({ ...defs, properties: { s: { $ref: "#num" } } }, { s: "x" })).toEqual(["/s type"]);
    const dynamic = {
      $dynamicAnchor: "node",
      type: "object",
      properties: { child: { $dynamicRef: "#node" } },
    };
    expect(flaws(dynamic, { child: { child: 1 } })).toEqual(["/child/child type"]);
  });

  test("two schemas with the same $id and anchors do not affect each other", () => {
    const one = { $id: "https://example.com/s", $ref: "#a", $defs: { a: { $anchor: "a", type: "string" } } };
    const other = {
      $id: "https://example.com/s",
      $ref: "#a",
      $defs: { a: { $anchor: "a", type: "number" } },
    };
    expect([flaws(one, "x"), flaws(other, "x"), flaws(one, 1)]).toEqual([[], [" type"], [" type"]]);
  });

  test("keywords of older JSON Schema drafts keep their meaning", () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    expect(flaws({ $schema, items: [{ type: "string" }], additionalItems: false }, ["a"])).toEqual([]);
    expect(flaws({ $schema, items: [{ type: "string" }], additionalItems: false }, [1, 2])).toEqual([
      "/0 type",
      " items",
    ]);
    expect(flaws({ items: [{ type: "string" }] }, ["a", 5])).toEqual([]);
    const dependencies = { a: ["b"], c: { required: ["d"] } };
    expect(flaws({ dependencies }, { a: 1, c: 1 }).sort()).toEqual(["/b dependentRequired", "/d required"]);
    expect(flaws({ dependencies, dependentRequired: { a: ["z"] } }, { a: 1 })).toEqual([
      "/z dependentRequired",
    ]);
    expect(flaws({ definitions: { s: { type: "string" } }, $ref: "#/definitions/s" }, 1)).toEqual([" type"]);
  });

  test("unknown schema keywords and formats are ignored", () => {
    expect(
      flaws(
        { type: "string", "x-widget": "colour", format: "colour", example: {}, id: "x", $async: true },
        "#fff",
      ),
    ).toEqual([]);
    expect(flaws({ "holdpoint:cost": "mine", type: "string" }, 5)).toEqual([" type"]);
  });

  test.each([
    ["date", "2026-02-28", "2026-02-30"],
    ["date-time", "2026-01-01T00:00:00Z", "2026-01-01"],
    ["time", "12:00:00Z", "25:00:00Z"],
    ["duration", "P1D", "1 day"],
    ["email", "a@example.com", "a@"],
    ["uri", "https://example.com/a?b#c", "example.com"],
    ["uri-reference", "../a", "\\\\a"],
    ["url", "https://example.com", "nope"],
    ["hostname", "example.com", "-a-"],
    ["ipv4", "127.0.0.1", "256.0.0.1"],
    ["ipv6", "::1", "::g"],
    ["uuid", "7d444840-9dc0-11d1-b245-5ffdce74fad2", "7d44"],
    ["regex", "a+", "("],
    ["byte", "QUJD", "QUJ"],
    ["json-pointer", "/a/b", "a"],
  ])("the format %s accepts %j and refuses %j", (format, good, bad) => {
    expect(flaws({ format }, good)).toEqual([]);
    expect(flaws({ format }, bad)).toEqual([" format"]);
  });

  test("number formats are checked, and the format password accepts any text", () => {
    expect(flaws({ format: "int32" }, 2 ** 31)).toEqual([" format"]);
    expect(flaws({ format: "double" }, 1.5)).toEqual([]);
    expect(flaws({ format: "password" }, "x".repeat(5_000))).toEqual([]);
  });

  test("long data URIs and long base64 texts are accepted", () => {
    expect(flaws({ format: "uri" }, `data:image/png;base64,${"QUJD".repeat(20_000)}`)).toEqual([]);
    expect(flaws({ format: "byte" }, "QUJD".repeat(200_000))).toEqual([]);
    expect(flaws({ format: "hostname" }, "a".repeat(2_049))).toEqual([" format"]);
  });

  test("uniqueItems compares items by content, not by member order", () => {
    const schema = { uniqueItems: true };
    expect(flaws(schema, [1, "1", [1], { a: 1, b: 2 }, null])).toEqual([]);
    expect(
      flaws(schema, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toEqual([" uniqueItems"]);
    expect(flaws({ uniqueItems: false }, [1, 1])).toEqual([]);
  });

  test("enum and const compare values by content", () => {
    const schema = { enum: ["a", 1, null, { a: 1, b: [2] }, []] };
    for (const value of ["a", 1, null, { b: [2], a: 1 }, []]) expect(flaws(schema, value)).toEqual([]);
    for (const value of ["1", 0, false, { a: 1 }, [1], {}]) expect(flaws(schema, value)).toEqual([" enum"]);
    expect(flaws({ const: { a: [1] } }, { a: [1] })).toEqual([]);
    expect(flaws({ const: { a: [1] } }, { a: [2] })).toEqual([" const"]);
    expect(flaws({ const: null }, {})).toEqual([" const"]);
  });

  test("inherited property names do not count as members", () => {
    const inherited = ["constructor", "toString", "__proto__"];
    expect(flaws({ required: inherited }, {})).toHaveLength(3);
    expect(flaws({ properties: { constructor: { type: "string" } } }, {})).toEqual([]);
    expect(flaws({ additionalProperties: false }, JSON.parse('{"__proto__":1}') as Json)).toEqual([
      "/__proto__ additionalProperties",
    ]);
    const poisoned = JSON.parse(
      '{"__proto__":{"type":"string"},"properties":{"__proto__":{"type":"string"}}}',
    ) as JsonObject;
    expect(flaws(poisoned, 5)).toEqual([]);
  });

  test("a schema check neither changes the value nor keeps its errors", () => {
    const test = compiled({ properties: { a: { type: "string", default: "x" } } });
    const value = Object.freeze({ a: 5 });
    expect(test(value)).toHaveLength(1);
    expect(test(value)).toHaveLength(1);
    expect(test({})).toEqual([]);
  });

  test("a schema check reports at most 100 problems", () => {
    expect(compiled({ items: { type: "string" } })(many(5_000, () => 1))).toHaveLength(100);
  });
});

describe("refused schemas", () => {
  test.each<[string, JsonObject, RegExp]>([
    ["a wrong type", { properties: { a: { type: "strnig" } } }, /^properties\/a\/type must be/],
    ["a keyword of the wrong shape", { required: "a" }, /^required must be array/],
    ["null instead of a list", { allOf: null }, /^allOf must be array/],
    ["an invalid pattern", { pattern: "(" }, /^pattern is not an RE2 pattern: /],
    [
      "an invalid pattern for property names",
      { patternProperties: { "(?=a)": {} } },
      /^pattern is not an RE2 pattern: /,
    ],
    ["another dialect", { $schema: "http://json-schema.org/draft-03/schema#" }, /2020-12/],
    ["a dialect that is not text", { $schema: 5 }, /2020-12/],
    ["a reference to another document", { $ref: "https://example.com/schema.json" }, /stay within/],
    ["a reference to a file", { properties: { a: { $ref: "other.json#/a" } } }, /stay within/],
    ["a recursive reference to another document", { $recursiveRef: "other.json" }, /stay within/],
    ["a dynamic reference to another document", { $dynamicRef: "https://example.com/#a" }, /stay within/],
    ["a reference to a missing schema", { $ref: "#/$defs/none" }, /must name a schema/],
    ["a reference to a missing anchor", { $ref: "#none" }, /must name a schema/],
    [
      "a reference to a place that is not a schema",
      { $ref: "#/required", required: [] },
      /must name a schema/,
    ],
    ["a reference to an inherited property", { $ref: "#/constructor" }, /must name a schema/],
    ["a reference to __proto__", { $ref: "#/__proto__" }, /must name a schema/],
    ["a reference with invalid percent-encoding", { $ref: "#/%" }, /must name a schema/],
    ["a document inside the document", { $defs: { a: { $id: "https://example.com/a" } } }, /one document/],
    ["nullable without a type", { nullable: true }, /nullable/],
    ["the same anchor twice", { $defs: { a: { $anchor: "x" }, b: { $anchor: "x", type: "string" } } }, /x/],
  ])("a schema with %s is refused with a short reason", (_name, schema, reason) => {
    const refused = judge.schema(schema);
    expect(refused).toEqual(expect.stringMatching(reason));
    expect(String(refused).length).toBeLessThanOrEqual(201);
  });
});

describe("schemas with bounded cost", () => {
  const doubling = (depth: number, wrap: (next: JsonObject) => Json): JsonObject => ({
    $ref: "#/$defs/p0",
    $defs: named(depth, (at) =>
      at === depth - 1 ? { type: "string" } : (wrap({ $ref: `#/$defs/p${at + 1}` }) as JsonObject),
    ),
  });

  test.each<[string, JsonObject]>([
    ["one schema that refers to itself", { $ref: "#" }],
    [
      "two schemas that refer to each other",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
    ],
    ["a circle through not", { not: { $ref: "#" } }],
    ["a circle through dependent schemas", { dependentSchemas: { a: { $ref: "#" } } }],
    ["a circle through an anchor", { $anchor: "me", anyOf: [{ $ref: "#me" }] }],
    ["a circle that is never reached", { $defs: { a: { if: { $ref: "#/$defs/a" } } } }],
  ])("a circular schema is refused: %s", (_name, schema) => {
    expect(inTime(() => judge.schema(schema))).toEqual(expect.stringMatching(/refer to itself/));
  });

  test("a schema that is too large is refused", () => {
    expect(inTime(() => judge.schema({ enum: many(100_000, String) }))).toEqual(
      expect.stringMatching(/at most 65536 characters/),
    );
    expect(inTime(() => judge.schema({ allOf: many(501, () => ({})) }))).toEqual(
      expect.stringMatching(/at most 500 schemas/),
    );
    expect(inTime(() => judge.schema({ allOf: many(20_000, () => true) }))).not.toBeTypeOf("function");
  });

  test("a schema that is nested too deeply is refused", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level++) deep = { not: deep };
    expect(inTime(() => judge.schema(deep))).toEqual(expect.stringMatching(/64 levels/));
    let enough: JsonObject = {};
    for (let level = 0; level < 63; level++) enough = { not: enough };
    expect(judge.schema(enough)).toBeTypeOf("function");
  });

  test("a chain of references that is too long for the compiler ends in time", () => {
    const long = doubling(450, (next) => next);
    expect(inTime(() => judge.schema(long))).toBeDefined();
  });

  test.each<[string, JsonObject]>([
    ["allOf", { allOf: many(499, () => ({ type: "string", minLength: 1 })) }],
    ["oneOf", { oneOf: many(499, (at) => ({ const: `p${at}` })) }],
    ["properties", { properties: named(498, () => ({ type: "string" })), additionalProperties: false }],
    [
      "unevaluated properties",
      { anyOf: many(240, (at) => ({ properties: { [`q${at}`]: {} } })), unevaluatedProperties: false },
    ],
    [
      "references",
      {
        $defs: named(240, () => ({ type: "string" })),
        properties: named(240, (at) => ({ $ref: `#/$defs/p${at}` })),
      },
    ],
    ["patterns of names", { patternProperties: named(400, () => ({ type: "string" })) }],
    ["required names", { required: many(6_000, (at) => `p${at}`) }],
  ])("a schema with the largest allowed %s compiles and runs in time", (_name, schema) => {
    const test = inTime(() => judge.schema(schema));
    expect(test).toBeTypeOf("function");
    inTime(() => (test as SchemaTest)(named(10_000, String)));
    inTime(() => (test as SchemaTest)("x".repeat(1_000_000)));
  });

  test("a schema with too many patterns is refused", () => {
    const patterns = named(400, (at) => ({ pattern: `^[a-z]{${at + 100}}$` }));
    expect(inTime(() => judge.schema({ properties: patterns }))).toEqual(expect.stringMatching(/patterns/));
    const classes = named(400, (at) => ({ pattern: `${"[\\pL\\pN]".repeat(5)}${at}` }));
    expect(inTime(() => judge.schema({ properties: classes }))).toEqual(expect.stringMatching(/patterns/));
  });

  test.each<[string, JsonObject, Json]>([
    ["references that double at every step", doubling(60, (next) => ({ allOf: [next, next] })), 5],
    ["alternatives that double at every step", doubling(60, (next) => ({ anyOf: [next, next] })), 5],
    [
      "recursion that doubles with every level of the value",
      { properties: { a: { allOf: [{ $ref: "#" }, { $ref: "#" }] } }, type: "object" },
      many(60, () => 0).reduce<Json>((inner) => ({ a: inner }), {}),
    ],
    [
      "many checks on many items",
      { items: { allOf: many(400, () => ({ minimum: 1 })) } },
      many(200_000, () => 1),
    ],
    [
      "a long enum on many items",
      { items: { enum: many(5_000, (at) => `e${at}`) } },
      many(100_000, () => "none"),
    ],
    [
      "repeated length checks of a long text",
      { allOf: many(499, () => ({ maxLength: 5 })) },
      "x".repeat(1_000_000),
    ],
    [
      "a slow pattern on many items",
      { items: { pattern: "(a|b)*a(a|b){90}c" } },
      many(20_000, () => "ab".repeat(25)),
    ],
    [
      "many name patterns on many names",
      { patternProperties: named(400, () => ({})) },
      named(100_000, () => 1),
    ],
    ["repeated uniqueness checks", { allOf: many(400, () => ({ uniqueItems: true })) }, many(50_000, String)],
    [
      "a format that backtracks",
      { items: { format: "url" } },
      many(500, () => `http://${":".repeat(2_000)}`),
    ],
  ])("a schema check ends as too_complex: %s", (_name, schema, value) => {
    const test = compiled(schema);
    expect(inTime(() => test(value))).toEqual([
      { key: "", rule: "too_complex", message: "takes too long to be checked against its schema" },
    ]);
    // The judge still works afterwards.
    expect(flaws({ type: "string" }, 5)).toEqual([" type"]);
  });

  test.each<[string, JsonObject, Json, readonly string[]]>([
    ["a backtracking pattern", { pattern: "(a+)+$" }, `${"a".repeat(100_000)}!`, [" pattern"]],
    ["unique items of a list at the size limit", { uniqueItems: true }, many(24_000, (at) => ({ at })), []],
    [
      "a list with one duplicate among unique items",
      { uniqueItems: true },
      [...many(24_000, (at) => ({ at })), { at: 5 }],
      [" uniqueItems"],
    ],
    ["an enum of many objects", { enum: many(20_000, () => ({})) }, named(50_000, () => 1), [" enum"]],
    ["a list of numbers at the size limit", { items: { type: "number" } }, many(49_000, (at) => at), []],
    [
      "a large list of addresses",
      { items: { format: "email" } },
      many(10_000, (at) => `somebody${at}@mail.example.com`),
      [],
    ],
    ["a hostile address", { format: "email" }, `${"a.".repeat(50_000)}@`, [" format"]],
    ["a hostile host name", { format: "hostname" }, "a-".repeat(1_000), [" format"]],
  ])("a schema check ends in time: %s", (_name, schema, value, expected) => {
    const test = compiled(schema);
    expect(inTime(() => test(value)).map(({ key, rule }) => `${key} ${rule}`)).toEqual(expected);
  });
});

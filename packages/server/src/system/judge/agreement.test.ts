import { schemaTest } from "@holdpoint/protocol/json-schema";
import type { JsonObject, SchemaTest } from "@holdpoint/protocol/rules";
import { expect, inject, test } from "vitest";
import { createJudge } from "../judge.ts";
import { judgesAgree } from "./agreement.suite.ts";

test("the judge of pages accepts exactly the answers that the server accepts, for every schema that the server takes", () => {
  const runs = inject("isFull") ? 1_000 : 300;
  expect(judgesAgree(runs)).toBeGreaterThan(runs / 2);
});

const both = (schema: JsonObject) => [
  createJudge().schema(schema) as SchemaTest,
  schemaTest(schema) as SchemaTest,
];

test.each<[string, JsonObject, unknown, boolean]>([
  ["19.99 is a multiple of 0.01", { multipleOf: 0.01 }, 19.99, true],
  ["19.995 is no multiple of 0.01", { multipleOf: 0.01 }, 19.995, false],
  ["1e21 is a multiple of 1", { multipleOf: 1 }, 1e21, true],
  [
    "an empty list contains nothing, whatever list was before it",
    { items: { contains: { type: "number" } } },
    [[0], []],
    false,
  ],
  ["an empty list contains nothing inside `not`", { not: { prefixItems: [true], contains: true } }, [], true],
  [
    "a tuple as older drafts write it",
    { items: [{ type: "number" }], additionalItems: false },
    [1, 2],
    false,
  ],
  ["dependencies as older drafts write them", { dependencies: { a: ["b"] } }, { a: 1 }, false],
  ["a time with a zone without a colon", { format: "time" }, "12:30:00+0100", true],
  ["an address without a dot", { format: "email" }, "a@b", false],
  ["an IPv4 address with a leading zero", { format: "ipv4" }, "01.2.3.4", false],
  ["a URI of only a scheme", { format: "uri" }, "urn:", true],
  ["a hostname with a dot at its end", { format: "hostname" }, "a.b.", true],
  ["a leap second at the end of a day", { format: "date-time" }, "2016-12-31T23:59:60Z", true],
  ["a leap second elsewhere", { format: "time" }, "12:59:60Z", false],
  ["text in Base64", { format: "byte" }, "aGk=", true],
])("server and page give the same verdict: %s", (_what, schema, value, isAccepted) => {
  expect(both(schema).map((judge) => judge(value as never).length === 0)).toEqual([isAccepted, isAccepted]);
});

test("a page leaves schemas that ask what was evaluated to the server", () => {
  const [server, page] = both({ properties: { a: true }, unevaluatedProperties: false });
  expect([server?.({ b: 1 }).length, page?.({ b: 1 }).length]).toEqual([1, 0]);
});

test("a schema whose compiled code fails refuses the answer instead of failing the request", () => {
  const schema = {
    type: "null",
    patternProperties: { "^a": { type: "null" } },
    $ref: "#/$defs/two",
    unevaluatedProperties: true,
    $defs: { two: { maxContains: 0, oneOf: [{ additionalProperties: { type: "null" }, type: "null" }] } },
  };
  const judge = createJudge().schema(schema) as SchemaTest;
  expect(judge({ a: 0 }).length).toBeGreaterThan(0);
});

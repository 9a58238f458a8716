import { expect, it } from "vitest";
import { checkSchema } from "../agui/runtime/schema-check.ts";
import type { Json } from "../rules/index.ts";
import { schemaTest } from "./index.ts";

const SLOW = "^(\\w+ ?)*$";
const APPROVAL = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    limit: { type: "number", maximum: 100 },
    why: { type: "string", pattern: "^[a-z]+$" },
  },
  required: ["approved"],
};
const slowly = { ...APPROVAL, properties: { ...APPROVAL.properties, why: { pattern: SLOW } } };
const long = "x".repeat(1_001);

const onPage = (schema: object, value: Json) => {
  const test = schemaTest(schema);
  if (typeof test === "string") throw new Error(test);
  return test(value).map(({ key }) => key);
};

it.each<readonly [string, object, Json, string]>([
  ["a text too long for a pattern", APPROVAL, { approved: true, limit: 1e9, why: long }, "/limit"],
  ["a pattern that is tried on nothing", slowly, { approved: true, limit: 1e9 }, "/limit"],
  ["a pattern that is tried on nothing", slowly, { limit: 1 }, "required"],
])("G14 %s leaves the rest of the schema in force for agents", (_what, schema, payload, problem) => {
  expect(checkSchema(schema, payload)).toContain(problem);
});

it("G14 an agent takes no text that is too long for the pattern that decides about it", () => {
  expect(checkSchema(APPROVAL, { approved: true, why: long })).toBe(
    "/why has a text that is too long for the pattern here",
  );
  expect(checkSchema(slowly, { approved: true, why: "because" })).toContain("/why");
  expect(checkSchema({ not: { pattern: SLOW } }, "!".repeat(60))).toContain("too long");
  const named = { properties: { const: { pattern: SLOW }, b: { enum: [{ pattern: SLOW }] } } };
  expect(checkSchema(named, { const: "a".repeat(60), b: { pattern: SLOW } })).toContain("too long");
});

it("an agent takes a value that fits whatever the pattern says", () => {
  expect(checkSchema(slowly, { approved: true, limit: 100 })).toBeNull();
  expect(checkSchema({ anyOf: [{ pattern: SLOW }, { minLength: 1 }] }, "a b")).toBeNull();
});

it("G14 an agent judges what a schema says about unevaluated members, which pages leave to the server", () => {
  const schema = { properties: { approved: { type: "boolean" } }, unevaluatedProperties: false };
  expect(checkSchema(schema, { approved: true })).toBeNull();
  expect(checkSchema(schema, { approved: true, limit: 1 })).not.toBeNull();
  expect(onPage(schema, { approved: true, limit: 1 })).toEqual([]);
});

it("a page leaves to the server only what the pattern decides", () => {
  expect(onPage(APPROVAL, { approved: true, why: long })).toEqual([]);
  expect(onPage(APPROVAL, { approved: true, limit: 1e9, why: long })).toEqual(["/limit"]);
  expect(onPage({ oneOf: [{ pattern: SLOW }, { pattern: SLOW }] }, "a b")).toEqual([]);
});

it("G14 a pattern that is none refuses the value for an agent, and is left to the server by a page", () => {
  expect(checkSchema({ pattern: "[" }, "a")).toContain("cannot be judged");
  expect(onPage({ pattern: "[" }, "a")).toEqual([]);
});

it("a long text without a pattern keeps no pattern of short texts beside it from being tried", () => {
  const schema = { properties: { currency: { pattern: "^[A-Z]{3}$" }, body: { type: "string" } } };
  expect(checkSchema(schema, { currency: "EUR", body: long })).toBeNull();
  expect(checkSchema(schema, { currency: "euro", body: long })).toContain("/currency");
  expect(checkSchema(schema, { currency: long, body: long })).toContain("too long");
});

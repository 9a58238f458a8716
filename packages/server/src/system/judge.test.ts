import { type Ask, checkAnswer, checkAsk, type Field } from "@holdpoint/protocol/rules";
import { expect, test } from "vitest";
import { createJudge } from "./judge.ts";

const judge = createJudge();
const text: Field = { key: "a", label: "A", type: "text" };
const input = (fields: readonly Field[]): Ask => ({ type: "input", prompt: "?", form: { fields } });

test("HP-071 a pattern that makes other engines backtrack is checked at once", () => {
  const ask = input([{ ...text, validation: { pattern: "(a+)+" } }]);
  expect(checkAsk(ask, judge)).toEqual([]);
  expect(checkAnswer(ask, { action: "submit", data: { a: "a".repeat(100_000) } }, judge)).toMatchObject({
    ok: true,
  });
  expect(checkAnswer(ask, { action: "submit", data: { a: `${"a".repeat(100_000)}!` } }, judge)).toMatchObject(
    {
      problems: [{ key: "a", rule: "pattern" }],
    },
  );
});

test("HP-071 an ask with a pattern that RE2 cannot run is refused with the reason", () => {
  const ask = input([{ ...text, validation: { pattern: "(a)\\1" } }]);
  expect(checkAsk(ask, judge)).toEqual([
    {
      key: "/form/fields/0/validation/pattern",
      rule: "pattern",
      message: "is not an RE2 pattern: invalid escape sequence: `\\1`",
    },
  ]);
});

test("HP-071 a form with the slowest allowed patterns and texts is still checked", () => {
  const fields = Array.from({ length: 50 }, (_, at) => ({
    ...text,
    key: `k${at}`,
    validation: { pattern: `(?:a|b)*a(?:a|b){${350 + at}}c` },
  }));
  const ask = input(fields);
  const data = Object.fromEntries(fields.map(({ key }) => [key, "aab".repeat(1_200)]));
  const started = process.cpuUsage();
  expect(checkAsk(ask, judge)).toEqual([]);
  expect(checkAnswer(ask, { action: "submit", data }, judge)).toMatchObject({ ok: false });
  const { user, system } = process.cpuUsage(started);
  expect(user + system).toBeLessThan(10_000_000);
});

test("edited arguments are checked against the tool's schema", () => {
  const responseSchema = {
    type: "object",
    properties: { amount: { type: "number", maximum: 100 } },
    required: ["amount"],
  };
  const ask: Ask = { type: "approval", prompt: "?", responseSchema };
  const approve = (edited_args: { amount?: number }) =>
    checkAnswer(ask, { action: "approve", data: { edited_args } }, judge);
  expect(approve({ amount: 5 })).toEqual({ ok: true, data: { edited_args: { amount: 5 } } });
  expect(approve({ amount: 500 })).toMatchObject({
    problems: [{ key: "/edited_args/amount", rule: "maximum" }],
  });
  expect(approve({})).toMatchObject({ problems: [{ key: "/edited_args/amount", rule: "required" }] });
});

test("an ask with an unusable schema is refused with the reason", () => {
  const ask: Ask = { type: "input", prompt: "?", responseSchema: { $ref: "https://example.com/schema" } };
  expect(checkAsk(ask, judge)).toEqual([
    {
      key: "/response_schema",
      rule: "schema",
      message: "$ref must stay within the schema, as in #/$defs/name",
    },
  ]);
});

test("compiled schemas and patterns are cached by content", () => {
  const schema = { type: "string", minLength: 2 };
  expect(judge.schema(structuredClone(schema))).toBe(judge.schema(structuredClone(schema)));
  expect(judge.pattern("[a-z]+")).toBe(judge.pattern("[a-z]+"));
  expect(judge.schema({ type: "string", minLength: 3 })).not.toBe(judge.schema(schema));
});

test("two judges share no cache", () => {
  expect(createJudge().schema({ type: "string" })).not.toBe(judge.schema({ type: "string" }));
});

test("the cache of compiled schemas and patterns drops old entries", () => {
  const own = createJudge();
  const first = { title: `0 ${"x".repeat(60_000)}`, type: "string" };
  const kept = own.schema(first);
  const pattern = own.pattern("p0{2}");
  for (let at = 1; at <= 40; at++) own.schema({ title: `${at} ${"x".repeat(60_000)}`, type: "string" });
  for (let at = 1; at <= 500; at++) own.pattern(`p${at}{2}`);
  expect(own.schema(first)).not.toBe(kept);
  expect(own.pattern("p0{2}")).not.toBe(pattern);
});

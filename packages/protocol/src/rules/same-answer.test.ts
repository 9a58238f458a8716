import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, type JsonObject, sameAnswer, sameJson } from "./index.ts";
import { canonicalText } from "./same-answer.ts";

// The same cases in every run.
fc.configureGlobal({ seed: 7 });

test("an answer is the same when action and data are, whatever the order of members", () => {
  const one = { action: "approve", data: { a: 1, b: { c: [1, "2", null] } } };
  expect(sameAnswer(one, { action: "approve", data: { b: { c: [1, "2", null] }, a: 1 } })).toBe(true);
  expect(sameAnswer(one, { action: "reject", data: one.data })).toBe(false);
  expect(sameAnswer(one, { action: "approve", data: {} })).toBe(false);
});

test.each<[Json, Json]>([
  [1, "1"],
  [0, false],
  [null, {}],
  [[], {}],
  [{}, []],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 1]],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: { b: 1 } }, { a: { b: 2 } }],
])("%j differs from %j", (one, other) => {
  expect(sameJson(one, other)).toBe(false);
  expect(sameJson(other, one)).toBe(false);
});

test("inherited names make nothing equal", () => {
  const own = JSON.parse('{"__proto__":1}') as JsonObject;
  expect(sameJson(own, { constructor: 1 })).toBe(false);
  expect(sameJson({ constructor: 1 }, own)).toBe(false);
  expect(sameJson(own, JSON.parse('{"__proto__":1}'))).toBe(true);
});

test("equality agrees with the text of sorted JSON", () => {
  const small = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(small, small, (one, other) => {
      expect(sameJson(one, structuredClone(one))).toBe(true);
      expect(sameJson(one, other)).toBe(sorted(one) === sorted(other));
    }),
  );
});

function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

test("values have the same canonical text exactly when they are the same", () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(canonicalText(one) === canonicalText(other)).toBe(sameJson(one, other));
      expect(canonicalText(one)).toBe(canonicalText(structuredClone(one)));
    }),
  );
  expect(canonicalText({ b: [-0, "1"], a: null })).toBe(canonicalText({ a: null, b: [0, "1"] }));
});

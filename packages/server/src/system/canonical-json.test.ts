import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

/** Names that objects do not keep in the order of insertion, or that are no ordinary members, are drawn often. */
const names = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("10", "9", "01", "__proto__", "toJSON", "é", "z", "\ud83d\ude00", "\ufb33", "a", "A"),
);
const leaves = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("\\ud800", '"\\', "\u2028", "\ud83d\ude00"),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaves,
    fc.array(tie("value"), { maxLength: 5 }),
    fc
      .array(fc.tuple(names, fc.oneof(tie("value"), fc.constant(undefined))), { maxLength: 6 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

test("canonical JSON is the same as the library's for any JSON value, with absent members left out", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
    }),
    { numRuns: inject("isFull") ? 5_000 : 500 },
  );
});

test("canonical JSON orders members by UTF-16 code units, at every depth", () => {
  const value = { b: 1, "\ufb33": 2, "\ud83d\ude00": 3, a: [{ d: 1, c: 2 }], 10: 4, 9: 5 };
  expect(canonicalJson(value)).toBe('{"10":4,"9":5,"a":[{"c":2,"d":1}],"b":1,"\ud83d\ude00":3,"\ufb33":2}');
});

test("canonical JSON writes a value that is nested ten thousand deep", () => {
  let value: unknown = {};
  for (let depth = 0; depth < 10_000; depth += 1) value = [value];
  expect(canonicalJson(value)).toBe(`${"[".repeat(10_000)}{}${"]".repeat(10_000)}`);
});

test.each([
  ["half a surrogate pair", { text: "\ud800" }],
  ["half a surrogate pair in a name", { "\udc00": 1 }],
  ["a number that is not finite", { n: Number.NaN }],
  ["infinity", [Number.POSITIVE_INFINITY]],
  ["nothing", undefined],
])("canonical JSON refuses %s", (_what, value) => {
  expect(() => canonicalJson(value)).toThrow();
});

test("canonical JSON writes what toJSON returns", () => {
  expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
});

test("G13 the members of a wide object are put in order once, however often it is hashed", () => {
  let reads = 0;
  const members = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`m${at}`, at]));
  const wide = new Proxy(members, {
    ownKeys(target) {
      reads += 1;
      return Reflect.ownKeys(target);
    },
  });
  expect(canonicalJson({ ask: wide })).toBe(`{"ask":${canonicalJson(wide)}}`);
  expect(reads).toBe(1);
  expect(canonicalJson(wide)).toBe(canonicalize(members));
});

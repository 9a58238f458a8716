import { expect, test } from "vitest";
import {
  hasMoreValuesThan,
  isDeeperThan,
  isObject,
  type Json,
  type JsonObject,
  member,
  pointer,
} from "./index.ts";
import { endOfJsonText, whyTooMuchJson } from "./json-text.ts";

test("lists and null are not objects", () => {
  expect([{}, [], null, "a", 1, undefined].map(isObject)).toEqual([true, false, false, false, false, false]);
});

test("an inherited name is not a member, and an own one is, whatever its name", () => {
  expect(member({}, "constructor")).toBeUndefined();
  expect(member({}, "__proto__")).toBeUndefined();
  expect(member(JSON.parse('{"__proto__":1}') as JsonObject, "__proto__")).toBe(1);
});

test("a pointer escapes what has a meaning in pointers", () => {
  expect(pointer()).toBe("");
  expect(pointer("a", 0, "b/c~d")).toBe("/a/0/b~1c~0d");
});

test("depth counts lists and objects, and measuring a very deep value does not overflow", () => {
  expect(isDeeperThan("text", 0)).toBe(false);
  expect(isDeeperThan([], 0)).toBe(true);
  expect(isDeeperThan({ a: [1] }, 2)).toBe(false);
  expect(isDeeperThan({ a: [{}] }, 2)).toBe(true);
  let deep: Json = null;
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(isDeeperThan(deep, 64)).toBe(true);
});

test("G13: values are counted one by one, and no further than asked for", () => {
  expect(hasMoreValuesThan("text", 1)).toBe(false);
  expect(hasMoreValuesThan(null, 0)).toBe(true);
  expect(hasMoreValuesThan({ a: [1, null], b: {} }, 5)).toBe(false);
  expect(hasMoreValuesThan({ a: [1, null], b: {} }, 4)).toBe(true);
  expect(hasMoreValuesThan({ a: [1, null], b: 1, c: 1 }, 4)).toBe(true);
  const endless = new Proxy([], {
    get: (_list, name) => (name === "length" ? 2 ** 32 - 1 : Reflect.get([1], name)),
  });
  expect(hasMoreValuesThan(endless, 1_000)).toBe(true);
});

test.each<[string, string, "too_deep" | "too_many" | null]>([
  ["ten values", '["1",{"a":null,"b":{}},[[],{}],[ 1 ]]', null],
  ["eleven values", '["1",{"a":null,"b":{}},[[],{}],[1,2]]', "too_many"],
  ["three levels", "[[[]],[{}]]", null],
  ["four levels", '[[[{"a":1}]]]', "too_deep"],
  ["texts that look like JSON", String.raw`["[[[[,,,,,,,,,,,,","\\","\",{{{{"]`, null],
  ["a text without an end", `["[[[[,,,,,,,,,,,,`, null],
  ["a text that ends in half an escape", '["[[[[,,,,,,,,,,,,\\', null],
])("G13: JSON is counted without being parsed: %s", (_what, text, expected) => {
  expect(whyTooMuchJson(text, { depthMax: 3, valuesMax: 10 })).toBe(expected);
});

test("the end of a JSON string is found, however many quotes it escapes and wherever it breaks off", () => {
  for (let length = 0; length < 300; length += 1) {
    for (const part of ["x", "\\\\", '\\"', 'xx\\"x', "\\\\\\\\x"]) {
      const inner = part.repeat(length);
      expect(endOfJsonText(`  "${inner}" "`, 2)).toBe(inner.length + 4);
      expect(endOfJsonText(`  "${inner}`, 2)).toBeGreaterThan(inner.length + 2);
    }
  }
});

import { expect, test } from "vitest";
import { createCache } from "./cache.ts";

function tracked(weightMax: number) {
  const made: string[] = [];
  const cache = createCache<string>(weightMax, (key) => key.length);
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return `made ${key}`;
    });
  return { get, made };
}

test("a cached value is not made again", () => {
  const { get, made } = tracked(10);
  expect([get("a"), get("b"), get("a")]).toEqual(["made a", "made b", "made a"]);
  expect(made).toEqual(["a", "b"]);
});

test("a full cache drops the least recently used entry", () => {
  const { get, made } = tracked(6);
  for (const key of ["aa", "bb", "cc", "aa", "dd", "aa", "cc", "bb"]) get(key);
  expect(made).toEqual(["aa", "bb", "cc", "dd", "bb"]);
});

test("a heavy entry drops as many light ones as it needs", () => {
  const { get, made } = tracked(6);
  for (const key of ["a", "b", "c", "heavy", "c", "a"]) get(key);
  expect(made).toEqual(["a", "b", "c", "heavy", "a"]);
});

test("an entry heavier than the whole cache is not cached and drops nothing", () => {
  const { get, made } = tracked(4);
  for (const key of ["a", "heavy", "heavy", "a"]) get(key);
  expect(made).toEqual(["a", "heavy", "heavy"]);
});

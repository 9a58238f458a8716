import { expect, it } from "vitest";
import { NewestCache } from "./newest-cache.ts";

it("the cache makes a value once while the value is among the newest, and again after newer values replaced it", () => {
  const cache = new NewestCache<string>(2);
  const made: string[] = [];
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return `value of ${key}`;
    });
  expect([get("a"), get("b"), get("a")]).toEqual(["value of a", "value of b", "value of a"]);
  expect(made).toEqual(["a", "b"]);
  get("c");
  get("b");
  expect(made).toEqual(["a", "b", "c"]);
  get("a");
  expect(made).toEqual(["a", "b", "c", "a"]);
});

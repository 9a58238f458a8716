import { expect, test } from "vitest";
import { isStray } from "./stray-press.ts";

test.each([
  ["the second click of a double click", { detail: 2, timeStamp: 9_000 }, true],
  ["a click right after another hold has appeared", { detail: 1, timeStamp: 1_300 }, true],
  ["a click after somebody could read", { detail: 1, timeStamp: 1_500 }, false],
  ["a key on the focused button", { detail: 0, timeStamp: 1_001 }, false],
])("%s in the inbox is ignored: %#", (_what, press, isIgnored) => {
  expect(isStray(press, 1_000)).toBe(isIgnored);
});

test("a click on a hold that the person has chosen counts at once", () => {
  expect(isStray({ detail: 1, timeStamp: 1 }, Number.NEGATIVE_INFINITY)).toBe(false);
});

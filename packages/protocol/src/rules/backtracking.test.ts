import { expect, test } from "vitest";
import { triedLengthMax } from "./index.ts";

test.each([
  "(a+)+$",
  "(a|a)*b",
  "((a|b))*c",
  "(a?)*b",
  "(?:x(a*))+y",
  "(a{1,3})*b",
  "(\\p{L}+)*b",
  "a)(b+)*",
])("the pattern %s can take exponential time, so that it is tried on no value", (pattern) => {
  expect(triedLengthMax(pattern)).toBe(0);
});

test.each([
  ["abc", 1_000],
  ["[a-z]+", 1_000],
  ["[*+|(]+\\(x\\)*", 1_000],
  ["(?:\\d{3}-)?x", 1_000],
  ["a*b*c*", 215],
  ["a*".repeat(12), 3],
  ["a?".repeat(40), 0],
  ["(a|b)".repeat(40), 0],
])("the pattern %s is tried on values of at most %i characters", (pattern, length) => {
  expect(Math.floor(triedLengthMax(pattern))).toBe(length);
});

import { runInNewContext } from "node:vm";
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
  ["[*+|(]+\\(x\\)*", 464],
  ["(?:\\d{3}-)?x", 1_000],
  ["^a*b*c*", 215],
  ["a*b*c*", 100],
  ["^a*|b*c*", 84],
  ["^a*b*$", 1_000],
  ["a*a*b", 464],
  ["a?a?a*a*b", 292],
  ["(^)a*a*b", 1_000],
  ["(^)?a*a*b", 368],
  ["a*".repeat(12), 3],
  ["a?".repeat(40), 0],
  ["(a|b)".repeat(40), 0],
])("the pattern %s is tried on values of at most %i characters", (pattern, length) => {
  expect(Math.floor(triedLengthMax(pattern))).toBe(length);
});

test.each([
  ["a class that is never closed", `[${"\\a".repeat(400)}`, 1_000],
  ["many classes that are never closed", "[".repeat(1_000), 1_000],
  ["many properties that are never closed", "\\p{".repeat(333), 1],
  ["more characters than the server takes", "[".repeat(60_000), 0],
  ["more characters than the server takes, harmless ones", "a".repeat(1_001), 0],
])("G13 an invalid or long pattern, %s, is read in an instant", (_what, pattern, length) => {
  // Ends the reading if it takes exponential time; there is nothing to measure if it does not.
  const read = runInNewContext("() => Math.floor(lengthOf(pattern))", {
    lengthOf: triedLengthMax,
    pattern,
    Math,
  });
  expect(runInNewContext("read()", { read }, { timeout: 5_000 })).toBe(length);
});

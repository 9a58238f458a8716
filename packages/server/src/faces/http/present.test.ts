import { expect, test } from "vitest";
import { time } from "./present.ts";

test("a time is formatted the same, whichever time was formatted before it", () => {
  const at = Date.UTC(2026, 10, 16, 9, 30, 0, 5);
  const others = [at, at + 1, at + 61, at - 61, at + 7_200_000, 0, -1, -61];
  for (const moment of [...others, ...others.toReversed()]) {
    expect(time(moment)).toBe(new Date(moment).toISOString());
  }
  expect(() => time(Number.NaN)).toThrow(RangeError);
});

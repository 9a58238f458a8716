import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { PollLimit } from "./poll-limit.ts";

test("HP-104 each case can be polled sixty times a minute, and then not before the minute is over", async () => {
  const clock = manualClock();
  const limit = new PollLimit(clock);
  for (let left = 59; left >= 0; left -= 1) expect(limit.spend("a")).toEqual({ remaining: left });
  await clock.advance(20_000);
  expect(limit.spend("a")).toEqual({ remaining: 0, retryAfterMs: 40_000 });
  expect(limit.spend("b")).toEqual({ remaining: 59 });
  await clock.advance(40_000);
  expect(limit.spend("a")).toEqual({ remaining: 59 });
});

test("the limit remembers only the latest 10,000 cases", () => {
  const limit = new PollLimit(manualClock());
  for (let n = 0; n <= 10_000; n += 1) limit.spend(`case-${n}`);
  expect(limit.spend("case-10000")).toEqual({ remaining: 58 });
  expect(limit.spend("case-0")).toEqual({ remaining: 59 });
});

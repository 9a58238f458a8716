import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { PollLimit } from "./poll-limit.ts";

test("HP-104 sixty looks a minute and case, then a wait until the minute is over", async () => {
  const clock = manualClock();
  const limit = new PollLimit(clock);
  for (let left = 59; left >= 0; left -= 1) expect(limit.spend("a")).toEqual({ remaining: left });
  await clock.advance(20_000);
  expect(limit.spend("a")).toEqual({ remaining: 0, retryAfterMs: 40_000 });
  expect(limit.spend("b")).toEqual({ remaining: 59 });
  await clock.advance(40_000);
  expect(limit.spend("a")).toEqual({ remaining: 59 });
});

test("remembers a bounded number of cases, the latest ones", () => {
  const limit = new PollLimit(manualClock());
  for (let n = 0; n <= 10_000; n += 1) limit.spend(`case-${n}`);
  expect(limit.spend("case-10000")).toEqual({ remaining: 58 });
  expect(limit.spend("case-0")).toEqual({ remaining: 59 });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs, DEFAULT_RETRY, retryAfterMsOf } from "./retry.ts";

describe("backoffMs", () => {
  it("doubles up to the cap", () => {
    const steps = [1, 2, 3, 7, 8, 100].map((attempt) => backoffMs(attempt, DEFAULT_RETRY, 1));
    expect(steps).toEqual([250, 500, 1_000, 15_000, 15_000, 15_000]);
  });

  it("spreads clients over the upper half of each step", () => {
    const attempt = fc.integer({ min: 1, max: 1_000 });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempt, random, (n, r) => {
        const longest = backoffMs(n, DEFAULT_RETRY, 1);
        const ms = backoffMs(n, DEFAULT_RETRY, r);
        expect(ms).toBeGreaterThanOrEqual(longest / 2);
        expect(ms).toBeLessThanOrEqual(longest);
      }),
    );
  });
});

describe("retryAfterMsOf", () => {
  const now = Date.UTC(2026, 0, 1);

  it.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
  ])("reads the header %j", (header, ms) => {
    expect(retryAfterMsOf(header, now)).toBe(ms);
  });

  it("returns nothing when there is no header", () => {
    expect(retryAfterMsOf(null, now)).toBeUndefined();
  });
});

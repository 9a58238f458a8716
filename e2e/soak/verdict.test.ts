import { expect, test } from "vitest";
import { type Ending, faultsOf, type Part } from "./verdict.ts";

const PART: Part = { cycles: 100, p50: 5, p99: 20, memoryMiB: 200, expired: 9, latestMs: 80 };
const ENDING: Ending = {
  ...{ failures: 0, missing: 0, openHolds: 10, wantedHolds: 10, lostStreams: 0, shortStreams: 0 },
};
const flat = Array.from({ length: 8 }, () => PART);
/** As `flat`, with another last quarter. */
const ending = (part: Partial<Part>) => [...flat.slice(0, 6), { ...PART, ...part }, { ...PART, ...part }];

test("a soak whose parts are alike has no faults", () => {
  expect(faultsOf(flat, ENDING, 800)).toEqual([]);
});

test("a slow first part is a warm-up and no fault", () => {
  expect(faultsOf([{ ...PART, p99: 900, memoryMiB: 90 }, ...flat.slice(1)], ENDING, 800)).toEqual([]);
});

test("one slow part among others is no fault", () => {
  const parts = [...flat, ...flat.slice(0, 3), { ...PART, p99: 900 }];
  expect(faultsOf(parts, ENDING, 1_200)).toEqual([]);
});

test.each<[string, readonly Part[], Ending, number]>([
  ["memory grew from 200 to 300 MiB", ending({ memoryMiB: 300 }), ENDING, 800],
  ["p99 grew from 20 to 70 ms", ending({ p99: 70 }), ENDING, 800],
  ["only 800 of 900 cycles were done", flat, ENDING, 900],
  ["a hold expired 1001 ms late", ending({ latestMs: 1_001 }), ENDING, 800],
  ["no hold expired in one of the parts", ending({ expired: 0 }), ENDING, 800],
  ["2 holds did not expire", flat, { ...ENDING, missing: 2 }, 800],
  ["3 requests failed", flat, { ...ENDING, failures: 3 }, 800],
  ["9 of 10 holds are still open", flat, { ...ENDING, openHolds: 9 }, 800],
  ["1 streams were lost", flat, { ...ENDING, lostStreams: 1 }, 800],
  ["4 streams were not sent everything", flat, { ...ENDING, shortStreams: 4 }, 800],
])("a soak is a failure when %s", (words, parts, end, cycles) => {
  expect(faultsOf(parts, end, cycles)).toEqual([words]);
});

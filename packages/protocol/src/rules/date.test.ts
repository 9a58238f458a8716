import fc from "fast-check";
import { expect, test } from "vitest";
import { readDate, readMoment } from "./date.ts";

// The same cases in every run.
fc.configureGlobal({ seed: 7 });

test("HP-073 a date must exist in the calendar", () => {
  expect(readDate("2026-02-28")).toBe(Date.UTC(2026, 1, 28));
  expect(readDate("2024-02-29")).toBe(Date.UTC(2024, 1, 29));
  expect(readDate("0050-01-01")).toBe(Date.parse("0050-01-01"));
});

test.each([
  "2026-02-30",
  "2026-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-01-00",
  "2026-1-1",
  "26-01-01",
  "2026-01-01T00:00:00Z",
  " 2026-01-01",
  "2026-01-01\n",
  "+02026-01-01",
  "tomorrow",
  "",
])("HP-073 %j is not a valid date", (text) => {
  expect(readDate(text)).toBeNull();
});

test("every day of the calendar is read as its midnight UTC", () => {
  const days = fc.integer({ min: 0, max: 9_999 * 365 });
  fc.assert(
    fc.property(days, (day) => {
      const at = Date.parse("0000-01-01") + day * 86_400_000;
      return readDate(new Date(at).toISOString().slice(0, 10)) === at;
    }),
  );
});

test.each([
  [1_767_225_600_000, 1_767_225_600_000],
  ["2026-01-01", 1_767_225_600_000],
  ["2026-01-01T00:00:00Z", 1_767_225_600_000],
  ["2026-01-01T01:00+01:00", 1_767_225_600_000],
  ["2026-01-01T00:00:00.500Z", 1_767_225_600_500],
])("HP-072 %j is a valid time", (value, at) => {
  expect(readMoment(value)).toBe(at);
});

test.each([
  1e16,
  Number.POSITIVE_INFINITY,
  "2026-02-30",
  "2026-02-30T00:00:00Z",
  "2026-01-01T25:00:00Z",
  "2026-01-01T00:00:00",
  "soon",
  true,
  null,
  undefined,
])("HP-072 %j is not a valid time", (value) => {
  expect(readMoment(value)).toBeNull();
});

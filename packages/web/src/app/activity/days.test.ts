import { afterEach, expect, test } from "vitest";
import { dayOf, dayStart } from "./days.ts";

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test.each([
  // 23 hours, 25 hours, a day that begins at 1 o'clock, and one half an hour off.
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z", "2026-04-24T21:00:00.000Z"],
  ["Asia/Kolkata", "2026-01-01", "2025-12-31T18:30:00.000Z", "2026-01-01T18:30:00.000Z"],
  ["Pacific/Auckland", "2026-12-31", "2026-12-30T11:00:00.000Z", "2026-12-31T11:00:00.000Z"],
])("in %s the day %s begins and ends when clocks there say so", (timeZone, day, begins, ends) => {
  process.env["TZ"] = timeZone;
  expect(dayStart(day)).toBe(begins);
  expect(dayStart(day, 1)).toBe(ends);
  expect(dayOf(new Date(begins))).toBe(day);
});

test("a text that is not a date has no moment", () => {
  expect(dayStart("2026-13-01")).toBeUndefined();
  expect(dayStart("yesterday")).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import { AGENT, holdIn } from "../../testing/core-samples.ts";
import { TEST_PLATFORM } from "../../testing/core-step.ts";
import { given } from "../../testing/given.ts";
import { afterBusiness, type BusinessHours, quietUntil, USUAL_HOURS } from "./business-hours.ts";

const HOUR_MS = 3_600_000;
const berlin: BusinessHours = { ...USUAL_HOURS, timeZone: "Europe/Berlin", holidays: ["2026-12-25"] };
const at = (text: string) => Date.parse(text);

describe("quiet hours", () => {
  const night = { from: 22 * 60, until: 7 * 60 };
  const at = (time: string) => Date.parse(`2026-06-0${time}Z`);

  test("of a night end in the morning, on the same or the next day, in the person's time zone", () => {
    expect(quietUntil(at("1T22:00"), night, "UTC")).toBe(at("2T07:00"));
    expect(quietUntil(at("2T06:59"), night, "UTC")).toBe(at("2T07:00"));
    expect(quietUntil(at("2T07:00"), night, "UTC")).toBeNull();
    expect(quietUntil(at("2T21:59"), night, "UTC")).toBeNull();
    expect(quietUntil(at("1T20:30"), night, "Europe/Berlin")).toBe(at("2T05:00"));
  });

  test("within a day end the same day, and equal ends are never quiet", () => {
    const noon = { from: 12 * 60, until: 13 * 60 };
    expect(quietUntil(at("1T12:30"), noon, "UTC")).toBe(at("1T13:00"));
    expect(quietUntil(at("1T11:59"), noon, "UTC")).toBeNull();
    expect(quietUntil(at("1T13:00"), noon, "UTC")).toBeNull();
    expect(quietUntil(at("1T12:00"), { from: 720, until: 720 }, "UTC")).toBeNull();
  });
});

describe("business time", () => {
  test.each<[string, string, number, string, BusinessHours]>([
    ["counts within the day", "2026-03-02T10:00:00Z", 2, "2026-03-02T12:00:00.000Z", USUAL_HOURS],
    ["begins when the day opens", "2026-03-02T05:00:00Z", 1, "2026-03-02T10:00:00.000Z", USUAL_HOURS],
    ["goes on the next morning", "2026-03-02T16:30:00Z", 1, "2026-03-03T09:30:00.000Z", USUAL_HOURS],
    [
      "ends at the close, not at the next opening",
      "2026-03-02T16:00:00Z",
      1,
      "2026-03-02T17:00:00.000Z",
      USUAL_HOURS,
    ],
    ["skips the weekend", "2026-03-06T16:00:00Z", 2, "2026-03-09T10:00:00.000Z", USUAL_HOURS],
    ["skips holidays", "2026-12-24T15:30:00Z", 1, "2026-12-28T08:30:00.000Z", berlin],
    // Clocks go forward in Berlin on 29 March 2026 and back on 25 October 2026, both Sundays.
    [
      "opens at nine local time after clocks went forward",
      "2026-03-27T15:30:00Z",
      1,
      "2026-03-30T07:30:00.000Z",
      berlin,
    ],
    [
      "opens at nine local time after clocks went back",
      "2026-10-23T14:30:00Z",
      1,
      "2026-10-26T08:30:00.000Z",
      berlin,
    ],
  ])("%s", (_what, from, hours, expected, calendar) => {
    expect(new Date(afterBusiness(at(from), hours * HOUR_MS, calendar)).toISOString()).toBe(expected);
  });

  test("a day with a clock change has as many hours as its wall clock shows", () => {
    const everyDay: BusinessHours = { ...berlin, days: ["sun"], opensAt: 0, closesAt: 24 * 60 };
    const sunday = at("2026-03-28T23:00:00Z");
    expect(afterBusiness(sunday, 23 * HOUR_MS, everyDay)).toBe(sunday + 23 * HOUR_MS);
    expect(afterBusiness(sunday, 23 * HOUR_MS + 1, everyDay)).toBeGreaterThan(sunday + 24 * HOUR_MS);
  });

  test("a calendar that never opens counts like the clock", () => {
    expect(afterBusiness(0, HOUR_MS, { ...USUAL_HOURS, days: [] })).toBe(HOUR_MS);
    expect(afterBusiness(-1, HOUR_MS, { ...USUAL_HOURS, closesAt: 0 })).toBe(HOUR_MS - 1);
  });

  test("a rung in business time is compiled to a moment when the hold is placed", () => {
    const now = at("2026-03-06T16:00:00Z");
    const rungs = [
      { kind: "attempt", when: { afterMs: 2 * HOUR_MS, isBusiness: true }, channel: "email" },
    ] as const;
    const place = { kind: "place_hold", hold: holdIn({ rungs }) } as const;
    const placed = (platform = TEST_PLATFORM) =>
      given().when(place, { by: AGENT, now, platform }).then("hold.placed").hold().rungs[0]?.at;
    expect(placed()).toBe(at("2026-03-09T10:00:00Z"));
    expect(placed({ ...TEST_PLATFORM, hours: berlin })).toBe(at("2026-03-09T10:00:00Z"));
  });
});

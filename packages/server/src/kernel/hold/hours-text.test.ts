import { expect, test } from "vitest";
import { USUAL_HOURS } from "./business-hours.ts";
import { hoursFrom, hoursText } from "./hours-text.ts";

test("business hours are read from their text and written as it, and what is not said is as usual", () => {
  expect(hoursFrom(undefined)).toEqual(USUAL_HOURS);
  expect(hoursFrom({ time_zone: "UTC" })).toEqual(USUAL_HOURS);
  const text = { time_zone: "Europe/Berlin", days: ["mon"], open: "08:05", close: "24:00" } as const;
  const hours = { timeZone: "Europe/Berlin", days: ["mon"], opensAt: 485, closesAt: 1440, holidays: [] };
  expect(hoursFrom(text)).toEqual(hours);
  expect(hoursText(hoursFrom(text))).toEqual({ ...text, holidays: [] });
});

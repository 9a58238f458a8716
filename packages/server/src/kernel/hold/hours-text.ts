/** Business hours as the configuration and the API write them, and as ladders count with them. */

import { type BusinessHours, USUAL_HOURS, type Weekday } from "./business-hours.ts";

/** Times are local and written as `09:00`; the end of a day is `24:00`. */
export interface HoursText {
  readonly time_zone: string;
  readonly days?: readonly Weekday[];
  readonly open?: string;
  readonly close?: string;
  readonly holidays?: readonly string[];
}

/** What is not said is as usual. */
export function hoursFrom(hours: HoursText | undefined): BusinessHours {
  if (hours === undefined) return USUAL_HOURS;
  const { time_zone: timeZone, days = USUAL_HOURS.days, open, close, holidays = [] } = hours;
  const opensAt = open === undefined ? USUAL_HOURS.opensAt : minutesOf(open);
  const closesAt = close === undefined ? USUAL_HOURS.closesAt : minutesOf(close);
  return { timeZone, days, opensAt, closesAt, holidays };
}

export function hoursText(hours: BusinessHours): Required<HoursText> {
  const { timeZone, days, opensAt, closesAt, holidays } = hours;
  return { time_zone: timeZone, days, open: timeOf(opensAt), close: timeOf(closesAt), holidays };
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

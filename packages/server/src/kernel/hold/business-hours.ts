/**
 * Business time: hours of the workspace's calendar. A rung `after: "2h business"` is compiled to an absolute time when the
 * hold is placed. Hours are wall-clock hours of an IANA time zone, so a day with a clock change opens and closes on time.
 */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Beyond this many days without an open hour the calendar is a mistake. */
const DAYS_MAX = 4_000;

export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface BusinessHours {
  readonly timeZone: string;
  readonly days: readonly Weekday[];
  /** Minutes after midnight, local time. */
  readonly opensAt: number;
  readonly closesAt: number;
  /** Local dates such as `2026-12-25` on which nobody works. */
  readonly holidays: readonly string[];
}

export const USUAL_HOURS: BusinessHours = {
  timeZone: "UTC",
  days: ["mon", "tue", "wed", "thu", "fri"],
  opensAt: 9 * 60,
  closesAt: 17 * 60,
  holidays: [],
};

/** The time at which this much business time has passed since `from`; `from` plus the whole span if no hour is ever open. */
export function afterBusiness(from: number, ms: number, hours: BusinessHours): number {
  let left = ms;
  const today = localMidnight(from, hours.timeZone);
  for (let day = 0; day < DAYS_MAX; day += 1) {
    const date = today + day * DAY_MS;
    if (!isOpenOn(date, hours)) continue;
    const begin = Math.max(from, instantOf(date + hours.opensAt * MINUTE_MS, hours.timeZone));
    const end = instantOf(date + hours.closesAt * MINUTE_MS, hours.timeZone);
    if (end <= begin) continue;
    if (left <= end - begin) return begin + left;
    left -= end - begin;
  }
  return from + ms;
}

/** When the quiet hours that hold at this moment end; `null`: it is not quiet. Both ends are minutes after local midnight. */
export function quietUntil(
  at: number,
  { from, until }: { readonly from: number; readonly until: number },
  timeZone: string,
): number | null {
  const midnight = localMidnight(at, timeZone);
  const minute = Math.floor((at + offsetAt(at, timeZone) - midnight) / MINUTE_MS);
  const isOvernight = from > until;
  const isQuiet = isOvernight ? minute >= from || minute < until : minute >= from && minute < until;
  if (!isQuiet) return null;
  const day = isOvernight && minute >= from ? DAY_MS : 0;
  return instantOf(midnight + day + until * MINUTE_MS, timeZone);
}

function isOpenOn(date: number, { days, holidays }: BusinessHours): boolean {
  const local = new Date(date);
  const weekday = WEEKDAYS[local.getUTCDay()] as Weekday;
  return days.includes(weekday) && !holidays.includes(local.toISOString().slice(0, 10));
}

/** Local times are written as if they were UTC: milliseconds of the wall clock. */
function localMidnight(at: number, timeZone: string): number {
  const local = at + offsetAt(at, timeZone);
  return local - (((local % DAY_MS) + DAY_MS) % DAY_MS);
}

/** The moment at which the wall clock shows this local time. A local time that a clock change skips is the moment of the change. */
function instantOf(local: number, timeZone: string): number {
  const guess = local - offsetAt(local, timeZone);
  return local - offsetAt(guess, timeZone);
}

function offsetAt(at: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - Math.floor(at / 1_000) * 1_000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    ...{
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    },
    hourCycle: "h23",
  });
  formats.set(timeZone, made);
  return made;
}

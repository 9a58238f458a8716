/**
 * Durations as people and machines write them: `90s`, `30m`, `2h`, `7d`, or ISO 8601 (`PT24H`, `P7D`, `P2W`).
 * Years and months are no durations: their length depends on the day they are counted from.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Ten years. Longer waits are mistakes, and timers stay far from the end of the calendar. */
export const DURATION_MAX_MS = 3_650 * DAY_MS;

const TEXT_LENGTH_MAX = 40;
const SHORT = /^(\d+)([smhd])$/;
const WEEKS = /^P(\d+)W$/;
const ISO = /^P(?=\d|T\d)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d{1,3})?)S)?)?$/;

const SHORT_UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["m", MINUTE_MS],
  ["s", SECOND_MS],
]);

/** Milliseconds, or null when the text is no duration, is nothing at all, or is longer than ten years. */
export function parseDuration(text: string): number | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
  const ms = shortMs(text) ?? weeksMs(text) ?? isoMs(text);
  return ms !== null && ms > 0 && ms <= DURATION_MAX_MS ? ms : null;
}

function shortMs(text: string): number | null {
  const [, count, unit = ""] = SHORT.exec(text) ?? [];
  const unitMs = SHORT_UNIT_MS.get(unit);
  return unitMs === undefined ? null : Number(count) * unitMs;
}

function weeksMs(text: string): number | null {
  const weeks = WEEKS.exec(text)?.[1];
  return weeks === undefined ? null : Number(weeks) * WEEK_MS;
}

function isoMs(text: string): number | null {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0"] = found;
  const fraction = Math.round(Number(seconds.replace(",", ".")) * SECOND_MS);
  return Number(days) * DAY_MS + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + fraction;
}

/** The shortest text that reads back as the same number of milliseconds. */
export function formatDuration(ms: number): string {
  for (const [unit, unitMs] of SHORT_UNIT_MS) {
    if (ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  }
  return `PT${ms / SECOND_MS}S`;
}

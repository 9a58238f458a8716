/** Calendar dates, read strictly and as midnight UTC, so that every machine compares them alike. */

import type { Json } from "./json.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
/** ECMAScript's last representable moment. */
const MOMENT_MAX_MS = 8.64e15;

/** Epoch milliseconds of a `YYYY-MM-DD` that exists in the calendar, or null. */
export function readDate(text: string): number | null {
  if (!DATE.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at)) return null;
  // 30 February is read as 2 March; only a date that comes back unchanged exists.
  return new Date(at).toISOString().startsWith(text) ? at : null;
}

/** Epoch milliseconds of what an author may write for a moment: a number of them, an ISO date or a full timestamp. */
export function readMoment(value: Json | undefined): number | null {
  if (typeof value === "number") return Math.abs(value) <= MOMENT_MAX_MS ? value : null;
  if (typeof value !== "string") return null;
  const date = INSTANT.exec(value)?.[1];
  if (date === undefined) return readDate(value);
  const at = Date.parse(value);
  return Number.isNaN(at) || readDate(date) === null ? null : at;
}

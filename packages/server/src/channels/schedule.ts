/** When a message that failed is tried again. */

import type { OutboxRow } from "../kernel/record.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Schedule {
  /** How long to wait before each try, the first included. */
  readonly waitsMs: readonly number[];
  /**
   * Spreads a wait over everything between its own step and the one before: receivers that come back are not met by
   * all senders at once, and the gaps still grow from try to try.
   */
  readonly jitter: boolean;
  readonly retries: (status: number) => boolean;
}

const isTemporary = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599);

export const SCHEDULES = {
  standard: {
    waitsMs: [0, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 15 * MINUTE, 1 * HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR],
    jitter: true,
    retries: isTemporary,
  },
  /** A notice is worth little once the next rung of the ladder has told people again. */
  notice: {
    waitsMs: [0, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 15 * MINUTE],
    jitter: true,
    retries: isTemporary,
  },
  /** The HITL protocol names its waits, and takes every 4xx for a final answer. */
  hitl: {
    waitsMs: [0, 1 * SECOND, 5 * SECOND, 30 * SECOND],
    jitter: false,
    retries: (status) => status >= 500 && status <= 599,
  },
} as const satisfies Readonly<Record<string, Schedule>>;

export type ScheduleName = keyof typeof SCHEDULES;

export function scheduleOf(row: Pick<OutboxRow, "kind" | "detail">): Schedule {
  const named = row.detail["schedule"];
  if (typeof named === "string" && Object.hasOwn(SCHEDULES, named)) return SCHEDULES[named as ScheduleName];
  return row.kind === "notice" ? SCHEDULES.notice : SCHEDULES.standard;
}

export interface FailedTry {
  /** Tries made so far, this one included. */
  readonly tries: number;
  /** Absent when no answer came. */
  readonly status?: number;
  /** Absent: the schedule judges the status. */
  readonly retry?: boolean;
  readonly retryAfterMs?: number;
}

/** When to try next, or null when this was the last time. */
export function nextTryAt(
  schedule: Schedule,
  failed: FailedTry,
  now: number,
  random: () => number,
): number | null {
  const { tries, status } = failed;
  const mayHelp = failed.retry ?? (status === undefined || schedule.retries(status));
  const most = schedule.waitsMs[tries];
  if (!mayHelp || most === undefined) return null;
  const least = schedule.jitter ? (schedule.waitsMs[tries - 1] ?? 0) : most;
  const waitMs = Math.round(least + (most - least) * random());
  return now + Math.max(waitMs, failed.retryAfterMs ?? 0);
}

/** A receiver may ask for patience, but not take a message out of service for days. */
const RETRY_AFTER_MOST_MS = 1 * HOUR;

/** Reads `Retry-After`: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MOST_MS);
}

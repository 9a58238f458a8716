/** When a failed message is retried. */

import type { OutboxRow } from "../kernel/record.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Schedule {
  /** The delay before each try, including the first. */
  readonly waitsMs: readonly number[];
  /**
   * Spreads each delay between its own step and the previous one, so that a receiver that recovers is not hit by all senders
   * at once and the delays still grow from try to try.
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
  /** Shorter, because the next rung of the ladder notifies people again. */
  notice: {
    waitsMs: [0, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 15 * MINUTE],
    jitter: true,
    retries: isTemporary,
  },
  /** The HITL protocol prescribes the delays and treats every 4xx as final. */
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
  /** The number of tries so far, including this one. */
  readonly tries: number;
  /** Absent if there was no response. */
  readonly status?: number;
  /** Absent: the schedule decides by the status. */
  readonly retry?: boolean;
  readonly retryAfterMs?: number;
}

/** When to try next, or `null` if this was the last try. */
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

/** A receiver may delay a message, but not for days. */
const RETRY_AFTER_MOST_MS = 1 * HOUR;

/** Reads `Retry-After`: seconds or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MOST_MS);
}

/** Computes the outbox row after one try. Pure: time and randomness are passed in. */

import type { OutboxAttempt, OutboxRow } from "../kernel/record.ts";
import type { Delivery } from "./delivery.ts";
import { nextTryAt, scheduleOf } from "./schedule.ts";

/** The result of a try, for metrics. */
export type TryResult = "throttled" | "sent" | "retry" | "failed" | "withdrawn" | "no_channel";

/** How long a row waits if a receiver asks to wait and does not say how long. */
const THROTTLED_MS = 1_000;

export interface Settlement {
  readonly row: OutboxRow;
  readonly result: TryResult;
}

export interface TryTimes {
  readonly startedAt: number;
  readonly endedAt: number;
}

export function settlementOf(
  row: OutboxRow,
  delivery: Delivery,
  times: TryTimes,
  random: () => number,
): Settlement {
  const attempts = [...row.attempts, attemptOf(delivery, times)];
  if (delivery.kind === "sent")
    return { row: { ...row, state: "sent", attempts, dueAt: null }, result: "sent" };
  if (delivery.kind === "no_channel") {
    return { row: { ...row, state: "no_channel", attempts, dueAt: null }, result: "no_channel" };
  }
  if (delivery.kind === "withdrawn") {
    return { row: { ...row, state: "failed", attempts, dueAt: null }, result: "withdrawn" };
  }
  if (delivery.isThrottled === true) {
    const later = times.endedAt + (delivery.retryAfterMs ?? THROTTLED_MS);
    return { row: { ...row, state: "waiting", dueAt: later }, result: "throttled" };
  }
  const dueAt = nextTryAt(scheduleOf(row), { ...delivery, tries: attempts.length }, times.endedAt, random);
  if (dueAt === null) return { row: { ...row, state: "failed", attempts, dueAt }, result: "failed" };
  return { row: { ...row, state: "waiting", attempts, dueAt }, result: "retry" };
}

function attemptOf(delivery: Delivery, { startedAt, endedAt }: TryTimes): OutboxAttempt {
  const base = { at: startedAt, durationMs: Math.max(0, endedAt - startedAt) };
  if (delivery.kind === "sent") return { ...base, ok: true, ...kept(delivery) };
  if (delivery.kind === "failed") return { ...base, ok: false, error: delivery.error, ...kept(delivery) };
  return { ...base, ok: false, error: delivery.kind };
}

function kept({ status, told }: Pick<OutboxAttempt, "status" | "told">) {
  return { ...(status === undefined ? {} : { status }), ...(told === undefined ? {} : { told }) };
}

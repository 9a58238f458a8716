/** Counts over all rows, computed in the database. */

import { type Census, OPEN_AGES_MS } from "../port.ts";
import type { Sql } from "./sql.ts";

const BY_STATUS = "SELECT status, count(*) AS holds FROM hold GROUP BY status";
const OPEN = `SELECT min(created_at) AS oldest,
    count(*) FILTER (WHERE age < $2) AS minute,
    count(*) FILTER (WHERE age >= $2 AND age < $3) AS hour,
    count(*) FILTER (WHERE age >= $3 AND age < $4) AS day,
    count(*) FILTER (WHERE age >= $4 AND age < $5) AS week,
    count(*) FILTER (WHERE age >= $5) AS older
  FROM (SELECT created_at, $1::bigint - created_at AS age FROM hold WHERE status = 'open') AS open`;
const OUTBOX = "SELECT count(*) AS waiting, min(due_at) AS at FROM outbox WHERE state = 'waiting'";
const TIMERS = "SELECT min(due_at) AS at FROM timer";

type Open = Readonly<Record<keyof typeof OPEN_AGES_MS, number>> & { readonly oldest: number | null };

export async function takeCensus(sql: Sql, now: number): Promise<Census> {
  const { minute, hour, day, week } = OPEN_AGES_MS;
  const [statuses, [open], [outbox], [timers]] = await Promise.all([
    sql.all<{ readonly status: string; readonly holds: number }>(BY_STATUS),
    sql.all<Open>(OPEN, [now, minute, hour, day, week]),
    sql.all<{ readonly waiting: number; readonly at: number | null }>(OUTBOX),
    sql.all<{ readonly at: number | null }>(TIMERS),
  ]);
  return {
    holds: Object.fromEntries(statuses.map(({ status, holds }) => [status, holds])),
    openByAge: {
      minute: open?.minute ?? 0,
      hour: open?.hour ?? 0,
      day: open?.day ?? 0,
      week: open?.week ?? 0,
      older: open?.older ?? 0,
    },
    oldestOpenAt: open?.oldest ?? null,
    outboxWaiting: outbox?.waiting ?? 0,
    outboxOldestDueAt: outbox?.at ?? null,
    timersOldestDueAt: timers?.at ?? null,
  };
}

/** Counts over all rows. It reads whole indexes, so it runs on a connection and a thread of its own. */

import { type Census, OPEN_AGES_MS } from "../port.ts";
import { rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

const BY_STATUS = "SELECT workspace, status, count(*) AS holds FROM hold GROUP BY workspace, status";
const OPEN = "SELECT created_at AS createdAt FROM hold WHERE workspace = ? AND status = 'open'";
const OUTBOX = "SELECT count(*) AS waiting, min(due_at) AS dueAt FROM outbox WHERE state = 'waiting'";
/**
 * Resting timers are few and only slightly late, so the first one in the index is close enough to the earliest due
 * time.
 */
const TIMERS = "SELECT due_at AS dueAt FROM timer ORDER BY coalesce(rests_until, due_at) LIMIT 1";

export function takeCensus(statements: Statements, now: number): Census {
  const counts = rowsOf<StatusCount>(statements.of(BY_STATUS).all());
  const holds: Record<string, number> = {};
  for (const { status, holds: count } of counts) holds[status] = (holds[status] ?? 0) + count;
  const open = counts.filter(({ status }) => status === "open").map(({ workspace }) => workspace);
  const outbox = statements.of(OUTBOX).get() as { waiting: number; dueAt: number | null };
  const timers = statements.of(TIMERS).get() as { dueAt: number } | undefined;
  return {
    holds,
    ...openHolds(statements, open, now),
    outboxWaiting: outbox.waiting,
    outboxOldestDueAt: outbox.dueAt,
    timersOldestDueAt: timers?.dueAt ?? null,
  };
}

interface StatusCount {
  readonly workspace: string;
  readonly status: string;
  readonly holds: number;
}

type OpenHolds = Pick<Census, "openByAge" | "oldestOpenAt">;

function openHolds(statements: Statements, workspaces: readonly string[], now: number): OpenHolds {
  const openByAge = { minute: 0, hour: 0, day: 0, week: 0, older: 0 };
  const ages = Object.entries(OPEN_AGES_MS) as [keyof typeof openByAge, number][];
  let oldestOpenAt: number | null = null;
  for (const workspace of workspaces) {
    for (const row of statements.of(OPEN).iterate(workspace)) {
      const at = row.createdAt as number | null;
      if (at === null) continue;
      if (oldestOpenAt === null || at < oldestOpenAt) oldestOpenAt = at;
      const age = ages.find(([, spanMs]) => now - at < spanMs);
      openByAge[age?.[0] ?? "older"] += 1;
    }
  }
  return { openByAge, oldestOpenAt };
}

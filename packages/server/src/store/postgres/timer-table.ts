/** Timers, found by when they are due. A server that takes some keeps the others off them for a moment. */

import type { Kind } from "../../core/entity.ts";
import type { Timer } from "../../core/record.ts";
import type { Changes } from "../port.ts";
import { compareKeys } from "../text-order.ts";
import { among } from "./looked-up.ts";
import type { OneStatement, Place } from "./one-statement.ts";
import { pack, unpack } from "./packed-text.ts";
import type { Sql } from "./sql.ts";

const KEY = ["workspace", "kind", "id"];
const DUE = `SELECT workspace, kind, id, due_at FROM timer
  WHERE due_at <= $1 ORDER BY due_at, workspace, kind, id LIMIT $2`;
const CLAIM = `WITH w AS MATERIALIZED (SELECT workspace, kind, id FROM timer WHERE ready_at <= $1
    ORDER BY ready_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  UPDATE timer t SET ready_at = $1::bigint + $2::bigint WHERE ${among("t", KEY, "w")}
  RETURNING t.workspace, t.kind, t.id, t.due_at`;
/** With the database's time, which whoever waits for a timer has to wait by. */
const NEXT = `SELECT min(ready_at) AS at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now FROM timer`;

type TimerChange = Changes["timers"][number];

interface Row {
  readonly workspace: string;
  readonly kind: Kind;
  readonly id: string;
  readonly due_at: number;
}

export function writeTimers(into: OneStatement, timers: Changes["timers"]): void {
  const sorted = timers.toSorted((a, b) => compareKeys(a.key, b.key));
  // A later one replaces an earlier one of the same commit.
  const rows = sorted.filter(({ key }, at) => {
    const next = sorted[at + 1]?.key;
    return next === undefined || compareKeys(key, next) !== 0;
  });
  const set = rows.filter(({ dueAt }) => dueAt !== null);
  const cleared = rows.filter(({ dueAt }) => dueAt === null);
  if (set.length > 0) {
    into.add("timers_set", (place) => {
      const dueAt = place(set, (timer) => timer.dueAt, "bigint");
      return `INSERT INTO timer (workspace, kind, id, due_at, ready_at) SELECT workspace, kind, id, due_at, due_at
        FROM unnest(${keysOf(set, place)}, ${dueAt}) AS w (workspace, kind, id, due_at)
        ON CONFLICT (workspace, kind, id) DO UPDATE SET due_at = excluded.due_at, ready_at = excluded.ready_at`;
    });
  }
  if (cleared.length > 0) {
    into.add("timers_clear", (place) => {
      return `SELECT * FROM unnest(${keysOf(cleared, place)}) AS w (workspace, kind, id)`;
    });
    into.add("timers_cleared", () => `DELETE FROM timer t WHERE ${among("t", KEY, "timers_clear")}`);
  }
}

function keysOf(timers: readonly TimerChange[], place: Place): string {
  const columns: readonly ((timer: TimerChange) => string)[] = [
    ({ key }) => pack(key.workspace),
    ({ key }) => key.kind,
    ({ key }) => pack(key.id),
  ];
  return columns.map((of) => place(timers, of, "text")).join(", ");
}

export async function dueTimers(sql: Sql, now: number, limit: number): Promise<readonly Timer[]> {
  return (await sql.all<Row>(DUE, [now, limit])).map(timerOf);
}

export async function claimTimers(
  sql: Sql,
  now: number,
  leaseMs: number,
  limit: number,
): Promise<readonly Timer[]> {
  return (await sql.all<Row>(CLAIM, [now, leaseMs, limit])).map(timerOf).sort((a, b) => a.dueAt - b.dueAt);
}

export async function nextTimerAt(sql: Sql, onClock: (now: number) => void): Promise<number | null> {
  const [found] = await sql.all<{ readonly at: number | null; readonly now: number }>(NEXT);
  if (found !== undefined) onClock(found.now);
  return found?.at ?? null;
}

function timerOf({ workspace, kind, id, due_at: dueAt }: Row): Timer {
  return { key: { workspace: unpack(workspace), kind, id: unpack(id) }, dueAt };
}

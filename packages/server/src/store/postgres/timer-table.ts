/** Timers, indexed by due time. Servers skip rows that another server has locked. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntityKey } from "../../kernel/entity.ts";
import type { Timer } from "../../kernel/record.ts";
import { type LoadRoom, TurnMeter } from "../load-room.ts";
import type { Changes, Due } from "../port.ts";
import { compareKeys } from "../text-order.ts";
import { ENTITY, type EntityRow, entityOf, HOLD, keyOf } from "./entity-reader.ts";
import { columnsIn, rowIn } from "./key-conditions.ts";
import type { Column, OneStatement } from "./one-statement.ts";
import { pack, unpack } from "./packed-text.ts";
import type { Sql } from "./sql.ts";

const KEY = ["workspace", "kind", "id"];
const DUE = `SELECT workspace, kind, id, due_at FROM timer
  WHERE ready_at <= $1 ORDER BY ready_at, workspace, kind, id LIMIT $2`;
/**
 * Locks due timers together with their entities and waits for neither lock: a server that has locked an entity may be
 * about to write its timer. A timer whose entity is locked is skipped and found again later. More rows than wanted
 * are read, so that skipped ones do not make the batch small.
 */
const TAKE = `SELECT t.due_at, e.* FROM
  (SELECT workspace, kind, id, due_at FROM timer WHERE ready_at <= $1
    ORDER BY ready_at LIMIT 4 * $2::bigint FOR UPDATE SKIP LOCKED) AS t,
  LATERAL (
    SELECT * FROM (SELECT ${HOLD} FROM hold h WHERE h.id = t.id AND h.workspace = t.workspace AND t.kind = 'hold'
      OFFSET 0 FOR UPDATE SKIP LOCKED) AS the_hold
    UNION ALL
    SELECT * FROM (SELECT ${ENTITY} FROM entity e WHERE e.kind = t.kind AND e.id = t.id AND e.workspace = t.workspace
      OFFSET 0 FOR UPDATE SKIP LOCKED) AS the_entity
  ) AS e LIMIT $2::bigint`;
/** Also returns the database's time, by which servers wait for timers. */
const NEXT = `SELECT min(ready_at) AS at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now FROM timer`;

interface Row {
  readonly workspace: string;
  readonly kind: string;
  readonly id: string;
  readonly due_at: number;
}

export function writeTimers(into: OneStatement, timers: Changes["timers"]): void {
  const sorted = timers.toSorted((a, b) => compareKeys(a.key, b.key));
  // A later timer of the same entity in one commit replaces the earlier one.
  const rows = sorted.filter(({ key }, at) => {
    const next = sorted[at + 1]?.key;
    return next === undefined || compareKeys(key, next) !== 0;
  });
  const set = rows.filter(({ dueAt }) => dueAt !== null);
  const cleared = rows.filter(({ dueAt }) => dueAt === null);
  if (set.length > 0) {
    into.addRows("timers_set", [...TIMER_KEY, ["due_at", "bigint", ({ dueAt }) => dueAt]], set);
    into.addWrite(
      "timers_written",
      () => `INSERT INTO timer (workspace, kind, id, due_at, ready_at)
        SELECT workspace, kind, id, due_at, due_at FROM timers_set
        ON CONFLICT (workspace, kind, id) DO UPDATE SET due_at = excluded.due_at, ready_at = excluded.ready_at`,
    );
  }
  if (cleared.length > 0) {
    into.addRows("timers_clear", TIMER_KEY, cleared);
    into.addWrite("timers_cleared", () => `DELETE FROM timer t WHERE ${rowIn("t", KEY, "timers_clear")}`);
  }
}

const TIMER_KEY: readonly Column<{ readonly key: EntityKey }>[] = [
  ["workspace", "text", ({ key }) => pack(key.workspace)],
  ["kind", "text", ({ key }) => key.kind],
  ["id", "text", ({ key }) => pack(key.id)],
];

export async function dueTimers(sql: Sql, now: number, limit: number): Promise<readonly Timer[]> {
  return (await sql.all<Row>(DUE, [now, limit])).map(timerOf);
}

interface Taking {
  readonly now: number;
  readonly limit: number;
  readonly room?: LoadRoom | undefined;
}

export async function takeDue(sql: Sql, { now, limit, room }: Taking): Promise<readonly Due[]> {
  const found = await sql.all<EntityRow & { readonly due_at: number }>(TAKE, [now, limit]);
  const rows = found.map((row) => ({ row, key: keyOf(row) })).sort((a, b) => a.row.due_at - b.row.due_at);
  if (room !== undefined) room.free = rows.slice(0, 1).map(({ key }) => key);
  const due: Due[] = [];
  const meter = new TurnMeter();
  for (const { row, key } of rows) {
    if (room?.admits(key, row.body.length) === false) break;
    due.push({ key, dueAt: row.due_at, entity: entityOf(row) });
    if (meter.isOver(row.body.length)) await nextTurn();
  }
  room?.takeRefused();
  return due;
}

/**
 * Resting timers stay due but are not found before `until`. A timer whose due time has changed meanwhile does not
 * rest.
 */
export function restTimers(into: OneStatement, rests: NonNullable<Changes["rests"]>): void {
  if (rests.length === 0) return;
  const columns: readonly Column<(typeof rests)[number]>[] = [
    ...TIMER_KEY,
    ["due_at", "bigint", ({ dueAt }) => dueAt],
    ["until", "bigint", ({ until }) => until],
  ];
  into.addRows("timers_rest", columns, rests);
  into.addWrite(
    "timers_rested",
    () => `UPDATE timer t SET ready_at = w.until FROM timers_rest w
      WHERE ${columnsIn("t", KEY, "timers_rest")} AND t.workspace = w.workspace AND t.kind = w.kind AND t.id = w.id
        AND t.due_at = w.due_at`,
  );
}

export async function nextTimerAt(sql: Sql, onClock: (now: number) => void): Promise<number | null> {
  const [found] = await sql.all<{ readonly at: number | null; readonly now: number }>(NEXT);
  if (found !== undefined) onClock(found.now);
  return found?.at ?? null;
}

function timerOf({ workspace, kind, id, due_at: dueAt }: Row): Timer {
  return { key: { workspace: unpack(workspace), kind, id: unpack(id) }, dueAt };
}

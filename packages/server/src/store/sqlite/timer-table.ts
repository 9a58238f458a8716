/** Timers, indexed by due time. */

import type { EntityKey } from "../../kernel/entity.ts";
import type { Timer } from "../../kernel/record.ts";
import { rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";
import type { WriteList } from "./writes.ts";

/** Must be exactly the expression of the index, so that SQLite uses it. */
const READY_AT = "coalesce(rests_until, due_at)";
const READY = `SELECT workspace, kind, id, due_at AS dueAt FROM timer
  WHERE ${READY_AT} <= ? ORDER BY ${READY_AT}, workspace, kind, id LIMIT ?`;
const NEXT = `SELECT min(${READY_AT}) AS at FROM timer`;

type TimerRow = EntityKey & { readonly dueAt: number };

export function addTimer({ workspace, kind, id }: EntityKey, dueAt: number | null, list: WriteList): void {
  if (dueAt === null) list.add("clear_timer", workspace, kind, id);
  else list.add("set_timer", workspace, kind, id, dueAt);
}

export function addRest({ key, dueAt, until }: Timer & { readonly until: number }, list: WriteList): void {
  list.add("rest_timer", until, key.workspace, key.kind, key.id, dueAt);
}

export class TimerTable {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  ready(now: number, limit: number): readonly Timer[] {
    const rows = rowsOf<TimerRow>(this.#statements.of(READY).all(now, limit));
    return rows.map(({ workspace, kind, id, dueAt }) => ({ key: { workspace, kind, id }, dueAt }));
  }

  nextAt(): number | null {
    return (this.#statements.of(NEXT).get() as { at: number | null }).at;
  }
}

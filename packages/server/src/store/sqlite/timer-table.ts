/** Timers, indexed by due time. */

import type { EntityKey } from "../../kernel/entity.ts";
import type { Timer } from "../../kernel/record.ts";
import { rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

const SET = `INSERT INTO timer (workspace, kind, id, due_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET due_at = excluded.due_at, rests_until = NULL`;
const CLEAR = "DELETE FROM timer WHERE workspace = ? AND kind = ? AND id = ?";
/** The timer rests only if its due time is unchanged: otherwise it was set again meanwhile. */
const REST = "UPDATE timer SET rests_until = ? WHERE workspace = ? AND kind = ? AND id = ? AND due_at = ?";
/** Must be exactly the expression of the index, so that SQLite uses it. */
const READY_AT = "coalesce(rests_until, due_at)";
const READY = `SELECT workspace, kind, id, due_at AS dueAt FROM timer
  WHERE ${READY_AT} <= ? ORDER BY ${READY_AT}, workspace, kind, id LIMIT ?`;
const NEXT = `SELECT min(${READY_AT}) AS at FROM timer`;

type TimerRow = EntityKey & { readonly dueAt: number };

export class TimerTable {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  set({ workspace, kind, id }: EntityKey, dueAt: number | null): void {
    if (dueAt === null) this.#statements.of(CLEAR).run(workspace, kind, id);
    else this.#statements.of(SET).run(workspace, kind, id, dueAt);
  }

  rest({ key: { workspace, kind, id }, dueAt, until }: Timer & { readonly until: number }): void {
    this.#statements.of(REST).run(until, workspace, kind, id, dueAt);
  }

  ready(now: number, limit: number): readonly Timer[] {
    const rows = rowsOf<TimerRow>(this.#statements.of(READY).all(now, limit));
    return rows.map(({ workspace, kind, id, dueAt }) => ({ key: { workspace, kind, id }, dueAt }));
  }

  nextAt(): number | null {
    return (this.#statements.of(NEXT).get() as { at: number | null }).at;
  }
}

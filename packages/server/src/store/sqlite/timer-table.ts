/** Timers, found by when they are due. */

import type { EntityKey, Kind } from "../../core/entity.ts";
import type { Timer } from "../../core/record.ts";
import type { Statements } from "./statements.ts";

const SET = `INSERT INTO timer (workspace, kind, id, due_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET due_at = excluded.due_at`;
const CLEAR = "DELETE FROM timer WHERE workspace = ? AND kind = ? AND id = ?";
const DUE = `SELECT workspace, kind, id, due_at AS dueAt FROM timer
  WHERE due_at <= ? ORDER BY due_at, workspace, kind, id LIMIT ?`;
const NEXT = "SELECT min(due_at) AS dueAt FROM timer";

export class TimerTable {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  set({ workspace, kind, id }: EntityKey, dueAt: number | null): void {
    if (dueAt === null) this.#statements.of(CLEAR).run(workspace, kind, id);
    else this.#statements.of(SET).run(workspace, kind, id, dueAt);
  }

  due(now: number, limit: number): readonly Timer[] {
    return this.#statements
      .of(DUE)
      .all(now, limit)
      .map((row) => {
        const { workspace, kind, id, dueAt } = row as {
          workspace: string;
          kind: Kind;
          id: string;
          dueAt: number;
        };
        return { key: { workspace, kind, id }, dueAt };
      });
  }

  nextAt(): number | null {
    return (this.#statements.of(NEXT).get() as { dueAt: number | null }).dueAt;
  }
}

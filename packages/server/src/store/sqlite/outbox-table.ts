/** Messages to be sent. Claims are fenced by a counter, so that only the latest claimer can end a try. */

import type { OutboxRow } from "../../core/record.ts";
import type { OutboxQuery } from "../port.ts";
import { BEYOND_EVERY_ID } from "../text-order.ts";
import type { Statements } from "./statements.ts";

const COLUMNS = `id, workspace, kind, endpoint, hold_id AS holdId, event_stream AS stream, event_seq AS seq,
  event_type AS type, detail, state, attempts, created_at AS createdAt, due_at AS dueAt, claim`;

const INSERT = `INSERT INTO outbox (workspace, id, kind, endpoint, hold_id, event_stream, event_seq, event_type, detail,
  state, attempts, created_at, due_at, claim) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const DUE = `SELECT ${COLUMNS} FROM outbox
  WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, workspace, id LIMIT ?`;
const CLAIM = "UPDATE outbox SET due_at = ?, claim = claim + 1 WHERE workspace = ? AND id = ?";
const NEXT = "SELECT min(due_at) AS dueAt FROM outbox WHERE state = 'waiting'";
const RENEW = `UPDATE outbox SET due_at = ?
  WHERE workspace = ? AND id = ? AND claim = ? AND state = 'waiting'`;
const SETTLE = `UPDATE outbox SET state = ?, attempts = ?, due_at = ?
  WHERE workspace = ? AND id = ? AND claim = ?`;

const PRUNE = `DELETE FROM outbox WHERE (workspace, id) IN (SELECT workspace, id FROM outbox
  WHERE state <> 'waiting' AND created_at < ? ORDER BY created_at, workspace, id LIMIT ?)`;
const FORGET = `UPDATE outbox SET detail = json_remove(detail, '$.to') WHERE workspace = ? AND hold_id = ?`;

interface Row {
  readonly id: string;
  readonly workspace: string;
  readonly kind: OutboxRow["kind"];
  readonly endpoint: string;
  readonly holdId: string | null;
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly detail: string;
  readonly state: OutboxRow["state"];
  readonly attempts: string;
  readonly createdAt: number;
  readonly dueAt: number | null;
  readonly claim: number;
}

export class OutboxTable {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  insert(row: OutboxRow): void {
    const { stream, seq, type } = row.event;
    this.#statements
      .of(INSERT)
      .run(
        row.workspace,
        row.id,
        row.kind,
        row.endpoint,
        row.holdId,
        stream,
        seq,
        type,
        JSON.stringify(row.detail),
        row.state,
        JSON.stringify(row.attempts),
        row.createdAt,
        row.dueAt,
        row.claim,
      );
  }

  claim(now: number, leaseMs: number, limit: number): readonly OutboxRow[] {
    const dueAt = now + leaseMs;
    return this.#rows(this.#statements.of(DUE).all(now, limit)).map((row) => {
      this.#statements.of(CLAIM).run(dueAt, row.workspace, row.id);
      return { ...row, dueAt, claim: row.claim + 1 };
    });
  }

  nextAt(): number | null {
    return (this.#statements.of(NEXT).get() as { dueAt: number | null }).dueAt;
  }

  settle({ state, attempts, dueAt, workspace, id, claim }: OutboxRow): boolean {
    const { changes } = this.#statements
      .of(SETTLE)
      .run(state, JSON.stringify(attempts), dueAt, workspace, id, claim);
    return changes === 1;
  }

  renew({ workspace, id, claim }: OutboxRow, until: number): boolean {
    return this.#statements.of(RENEW).run(until, workspace, id, claim).changes === 1;
  }

  prune(before: number, limit: number): number {
    return Number(this.#statements.of(PRUNE).run(before, limit).changes);
  }

  forget(workspace: string, holdId: string): void {
    this.#statements.of(FORGET).run(workspace, holdId);
  }

  list(query: OutboxQuery): readonly OutboxRow[] {
    const { workspace, endpoint = null, holdId = null, state = null, id = null, limit } = query;
    const before = query.before ?? BEYOND_EVERY_ID;
    const found = this.#statements
      .of(listSql(query))
      .all(workspace, before, endpoint, holdId, state, id, limit);
    return this.#rows(found);
  }

  #rows(found: readonly unknown[]): readonly OutboxRow[] {
    return (found as readonly Row[]).map(({ stream, seq, type, detail, attempts, ...row }) => ({
      ...row,
      event: { stream, seq, type },
      detail: JSON.parse(detail),
      attempts: JSON.parse(attempts),
    }));
  }
}

/** Whether an index leads to the rows; otherwise the whole workspace may have to be read through. */
export function isShortList(query: OutboxQuery): boolean {
  return query.id !== undefined || query.holdId !== undefined || isTrouble(query.state);
}

function isTrouble(state: OutboxRow["state"] | undefined): boolean {
  return state === "failed" || state === "no_channel";
}

function listSql({ id, holdId, state }: OutboxQuery): string {
  const filters = [
    "workspace = ?1 AND id < ?2",
    "(?3 IS NULL OR endpoint = ?3)",
    holdId === undefined ? "?4 IS NULL" : "hold_id = ?4",
    // A partial index is only considered for a state that stands in the text.
    isTrouble(state) && holdId === undefined
      ? `state = '${state}' AND ?5 IS NOT NULL`
      : "(?5 IS NULL OR state = ?5)",
    id === undefined ? "?6 IS NULL" : "id = ?6",
  ];
  return `SELECT ${COLUMNS} FROM outbox WHERE ${filters.join(" AND ")} ORDER BY id DESC LIMIT ?7`;
}

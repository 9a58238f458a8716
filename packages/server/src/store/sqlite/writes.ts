/**
 * What one commit writes, as one flat list of texts and numbers: the name of a statement and its values, then the next one. It runs on
 * this thread or is sent to the commit thread; a flat list is cheap to copy between threads.
 */

import type { EntityKey } from "../../kernel/entity.ts";
import type { Statements } from "./statements.ts";

export type Value = string | number | null;

interface WriteStatement {
  readonly sql: string;
  /** It writes a put: so many rows must change, or another writer was faster. */
  readonly changes?: 0 | 1;
  /** Its row id is the position of an event. */
  readonly isEvent?: true;
}

const STATEMENTS = {
  insert_hold: {
    sql: `INSERT INTO hold
      (workspace, id, version, seq, head, status, creator, created_at, thread, intent, group_id, previous, body,
        ends_at, tool, ask_type, assignee, is_opened)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    changes: 1,
  },
  update_hold: {
    sql: `UPDATE hold SET version = ?, seq = ?, head = ?, status = ?, creator = ?, created_at = ?, thread = ?,
      intent = ?, group_id = ?, previous = ?, body = ?, ends_at = ?, tool = ?, ask_type = ?, assignee = ?, is_opened = ?
      WHERE id = ? AND workspace = ? AND version = ?`,
    changes: 1,
  },
  delete_hold: { sql: "DELETE FROM hold WHERE id = ? AND workspace = ? AND version = ?", changes: 1 },
  insert_entity: {
    sql: `INSERT INTO entity (workspace, kind, id, version, seq, head, indexed, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    changes: 1,
  },
  update_entity: {
    sql: `UPDATE entity SET version = ?, seq = ?, head = ?, indexed = ?, body = ?
      WHERE kind = ? AND id = ? AND workspace = ? AND version = ?`,
    changes: 1,
  },
  delete_entity: {
    sql: "DELETE FROM entity WHERE kind = ? AND id = ? AND workspace = ? AND version = ?",
    changes: 1,
  },
  // A put that deletes what was not there: the row must not have come meanwhile.
  absent_hold: { sql: "UPDATE hold SET version = version WHERE id = ? AND workspace = ?", changes: 0 },
  absent_entity: {
    sql: "UPDATE entity SET version = version WHERE kind = ? AND id = ? AND workspace = ?",
    changes: 0,
  },
  insert_index: { sql: "INSERT INTO entity_index (workspace, kind, name, value, id) VALUES (?, ?, ?, ?, ?)" },
  delete_index: {
    sql: "DELETE FROM entity_index WHERE workspace = ? AND kind = ? AND name = ? AND value = ? AND id = ?",
  },
  append_event: {
    sql: `INSERT INTO event (workspace, stream, seq, type, at, actor, audience, data, previous, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    isEvent: true,
  },
  set_timer: {
    sql: `INSERT INTO timer (workspace, kind, id, due_at) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET due_at = excluded.due_at, rests_until = NULL`,
  },
  clear_timer: { sql: "DELETE FROM timer WHERE workspace = ? AND kind = ? AND id = ?" },
  // The timer rests only if its due time is unchanged: otherwise it was set again meanwhile.
  rest_timer: {
    sql: "UPDATE timer SET rests_until = ? WHERE workspace = ? AND kind = ? AND id = ? AND due_at = ?",
  },
  insert_outbox: {
    sql: `INSERT INTO outbox (workspace, id, kind, endpoint, lane, hold_id, event_stream, event_seq, event_type, detail,
      state, attempts, created_at, due_at, claim) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  },
  forget_outbox: {
    sql: "UPDATE outbox SET detail = json_remove(detail, '$.to') WHERE workspace = ? AND hold_id = ?",
  },
} as const satisfies Readonly<Record<string, WriteStatement>>;

type Named = typeof STATEMENTS;
type PutName = {
  [Name in keyof Named]: Named[Name] extends { readonly changes: 0 | 1 } ? Name : never;
}[keyof Named];
type WriteName = Exclude<keyof Named, PutName>;

interface Known extends WriteStatement {
  readonly values: number;
}

const KNOWN: ReadonlyMap<Value, Known> = new Map(
  Object.entries<WriteStatement>(STATEMENTS).map(([name, statement]) => [
    name,
    { ...statement, values: statement.sql.split("?").length - 1 },
  ]),
);

/** The characters after which a piece ends. Writing so many takes a few milliseconds. */
const PIECE_CHARACTERS = 1024 * 1024;

/** As much as one turn of the event loop sends to the commit thread. */
export interface WritePiece {
  readonly flat: readonly Value[];
  /** The keys of the puts, in the order of their statements. */
  readonly puts: readonly EntityKey[];
}

export class WriteList {
  /** The index entries of rows that this list writes, by the text of their keys. */
  readonly indexed = new Map<string, string | null>();
  readonly #pieces: WritePiece[] = [];
  #flat: Value[] = [];
  #puts: EntityKey[] = [];
  #characters = 0;

  get isLong(): boolean {
    return this.#pieces.length > 0;
  }

  /** Everything that was added, in order. A list that is not long has one piece. */
  get pieces(): readonly WritePiece[] {
    return this.#flat.length === 0 ? this.#pieces : [...this.#pieces, { flat: this.#flat, puts: this.#puts }];
  }

  add(name: WriteName, ...values: readonly Value[]): void {
    this.#push(name, values);
  }

  /** The statement writes the row of this put. */
  addPut(key: EntityKey, name: PutName, ...values: readonly Value[]): void {
    this.#puts.push(key);
    this.#push(name, values);
  }

  #push(name: string, values: readonly Value[]): void {
    this.#flat.push(name);
    for (const value of values) {
      this.#flat.push(value);
      if (typeof value === "string") this.#characters += value.length;
    }
    if (this.#characters > PIECE_CHARACTERS) this.#endPiece();
  }

  #endPiece(): void {
    this.#pieces.push({ flat: this.#flat, puts: this.#puts });
    this.#flat = [];
    this.#puts = [];
    this.#characters = 0;
  }
}

export type Written =
  | { readonly kind: "written"; readonly positions: readonly number[] }
  /** This put found another row than it expected. */
  | { readonly kind: "conflict"; readonly put: number };

/** Runs in a transaction of the caller, who must roll it back after a conflict. */
export function runWrites(statements: Statements, flat: readonly Value[]): Written {
  const positions: number[] = [];
  let puts = 0;
  for (let at = 0; at < flat.length; ) {
    const known = KNOWN.get(flat[at] ?? null);
    if (known === undefined) throw new Error(`Invariant: there is no write statement ${flat[at]}`);
    const { sql, values, changes: expected, isEvent } = known;
    const { changes, lastInsertRowid } = statements.of(sql).run(...flat.slice(at + 1, at + 1 + values));
    if (expected !== undefined) {
      if (changes !== expected) return { kind: "conflict", put: puts };
      puts += 1;
    }
    if (isEvent === true) positions.push(Number(lastInsertRowid));
    at += 1 + values;
  }
  return { kind: "written", positions };
}

/**
 * Writes puts. A put is prepared before the transaction begins, so that nothing throws inside the transaction that
 * could throw before.
 */

import type { EntityKey, IndexValues } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { listingOf } from "../hold-listing.ts";
import { createdAtOf } from "../hold-text.ts";
import { assertGrows } from "../indexed.ts";
import { type Put, VersionConflict } from "../port.ts";
import type { Statements } from "./statements.ts";

const INSERT_HOLD = `INSERT INTO hold
  (workspace, id, version, seq, head, status, creator, created_at, thread, intent, group_id, previous, body,
    ends_at, tool, ask_type, assignee, is_opened)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const UPDATE_HOLD = `UPDATE hold SET version = ?, seq = ?, head = ?, status = ?, creator = ?, created_at = ?, thread = ?,
  intent = ?, group_id = ?, previous = ?, body = ?, ends_at = ?, tool = ?, ask_type = ?, assignee = ?, is_opened = ?
  WHERE id = ? AND workspace = ? AND version = ?`;
const DELETE_HOLD = "DELETE FROM hold WHERE id = ? AND workspace = ? AND version = ?";
const HOLD_EXISTS = "SELECT 1 FROM hold WHERE id = ? AND workspace = ?";

const INSERT_ENTITY = `INSERT INTO entity (workspace, kind, id, version, seq, head, indexed, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const UPDATE_ENTITY = `UPDATE entity SET version = ?, seq = ?, head = ?, indexed = ?, body = ?
  WHERE kind = ? AND id = ? AND workspace = ? AND version = ?`;
const DELETE_ENTITY = "DELETE FROM entity WHERE kind = ? AND id = ? AND workspace = ? AND version = ?";
const ENTITY_EXISTS = "SELECT 1 FROM entity WHERE kind = ? AND id = ? AND workspace = ?";
const SELECT_INDEXED = "SELECT indexed FROM entity WHERE kind = ? AND id = ? AND workspace = ?";

const INSERT_INDEX = "INSERT INTO entity_index (workspace, kind, name, value, id) VALUES (?, ?, ?, ?, ?)";
const DELETE_INDEX =
  "DELETE FROM entity_index WHERE workspace = ? AND kind = ? AND name = ? AND value = ? AND id = ?";

export interface PreparedPut {
  readonly put: Put;
  readonly text: string | null;
  readonly values: IndexValues;
}

export class EntityWriter {
  readonly #statements: Statements;
  readonly #indexes: IndexTable;

  constructor(statements: Statements, indexes: IndexTable) {
    this.#statements = statements;
    this.#indexes = indexes;
  }

  prepare(put: Put): PreparedPut {
    assertGrows(put);
    if (put.body === null) return { put, text: null, values: {} };
    const values = this.#indexes.indexValues(put.key.kind, put.body);
    if (put.key.kind === "hold") assertCreatorStatus(values);
    return { put, text: JSON.stringify(put.body), values };
  }

  write(prepared: PreparedPut): void {
    const isWritten =
      prepared.put.key.kind === "hold" ? this.#writeHold(prepared) : this.#writeEntity(prepared);
    if (!isWritten) throw new VersionConflict(prepared.put.key);
  }

  #writeHold({ put, text, values }: PreparedPut): boolean {
    const { workspace, id } = put.key;
    if (put.body === null || text === null) {
      if (put.expected === 0) return this.#statements.of(HOLD_EXISTS).get(id, workspace) === undefined;
      return this.#statements.of(DELETE_HOLD).run(id, workspace, put.expected).changes === 1;
    }
    const { version, seq, head } = put;
    const { endsAt, tool, type, assignee, isOpened } = listingOf(put.body);
    // One list without spreads, because every command writes a hold.
    // biome-ignore format: as the statements have them
    const columns = [
      version, seq, head, values["status"] ?? null, values["creator"] ?? null, createdAtOf(put.body),
      values["thread"] ?? null, values["intent"] ?? null, values["group"] ?? null, values["previous"] ?? null, text,
      endsAt, tool, type, assignee, isOpened,
    ];
    const { changes } =
      put.expected === 0
        ? this.#statements.of(INSERT_HOLD).run(workspace, id, ...columns)
        : this.#statements.of(UPDATE_HOLD).run(...columns, id, workspace, put.expected);
    return changes === 1;
  }

  #writeEntity({ put, text, values }: PreparedPut): boolean {
    const { key, expected } = put;
    const hasIndexes = this.#indexes.indexNames(key.kind).length > 0;
    const indexed = hasIndexes && text !== null ? indexedText(values) : null;
    const old = hasIndexes && expected !== 0 ? this.#indexed(key) : null;
    if (!this.#writeRow(put, text, indexed)) return false;
    if (old !== indexed) this.#reindex(key, old, indexed);
    return true;
  }

  #writeRow(put: Put, text: string | null, indexed: string | null): boolean {
    const { workspace, kind, id } = put.key;
    const { expected, version, seq, head } = put;
    if (text === null) {
      if (expected === 0) return this.#statements.of(ENTITY_EXISTS).get(kind, id, workspace) === undefined;
      return this.#statements.of(DELETE_ENTITY).run(kind, id, workspace, expected).changes === 1;
    }
    const { changes } =
      expected === 0
        ? this.#statements.of(INSERT_ENTITY).run(workspace, kind, id, version, seq, head, indexed, text)
        : this.#statements
            .of(UPDATE_ENTITY)
            .run(version, seq, head, indexed, text, kind, id, workspace, expected);
    return changes === 1;
  }

  #indexed({ workspace, kind, id }: EntityKey): string | null {
    const row = this.#statements.of(SELECT_INDEXED).get(kind, id, workspace);
    return (row?.indexed ?? null) as string | null;
  }

  #reindex({ workspace, kind, id }: EntityKey, old: string | null, next: string | null): void {
    for (const [name, value] of entriesOf(old)) {
      this.#statements.of(DELETE_INDEX).run(workspace, kind, name, value, id);
    }
    for (const [name, value] of entriesOf(next)) {
      this.#statements.of(INSERT_INDEX).run(workspace, kind, name, value, id);
    }
  }
}

type IndexEntry = readonly [name: string, value: string];

function indexedText(values: IndexValues): string | null {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? null : JSON.stringify(entries);
}

function entriesOf(indexed: string | null): readonly IndexEntry[] {
  return indexed === null ? [] : JSON.parse(indexed);
}

/**
 * The table stores creator and status as columns; a combined value that differs from them could not be found again.
 */
function assertCreatorStatus({ creator, status, creator_status: both }: IndexValues): void {
  if (creator === undefined || status === undefined || both !== `${creator}\u0000${status}`) {
    throw new Error("Invariant: a hold's creator_status must consist of its creator and its status");
  }
}

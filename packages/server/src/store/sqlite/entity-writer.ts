/**
 * Says how puts are written. A put is prepared before the transaction begins, so that nothing throws inside the transaction
 * that could throw before.
 */

import { type EntityKey, type IndexValues, keyText } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { listingOf } from "../hold-listing.ts";
import { createdAtOf } from "../hold-text.ts";
import { assertGrows } from "../indexed.ts";
import type { Put } from "../port.ts";
import type { Statements } from "./statements.ts";
import type { WriteList } from "./writes.ts";

const SELECT_INDEXED = "SELECT indexed FROM entity WHERE kind = ? AND id = ? AND workspace = ?";

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

  /** Adds what writes the put to `list`. It reads the index entries, so nobody else may write before the list has run. */
  add(prepared: PreparedPut, list: WriteList): void {
    if (prepared.put.key.kind === "hold") this.#addHold(prepared, list);
    else this.#addEntity(prepared, list);
  }

  #addHold({ put, text, values }: PreparedPut, list: WriteList): void {
    const { workspace, id } = put.key;
    if (put.body === null || text === null) {
      if (put.expected === 0) list.addPut(put.key, "absent_hold", id, workspace);
      else list.addPut(put.key, "delete_hold", id, workspace, put.expected);
      return;
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
    if (put.expected === 0) list.addPut(put.key, "insert_hold", workspace, id, ...columns);
    else list.addPut(put.key, "update_hold", ...columns, id, workspace, put.expected);
  }

  #addEntity({ put, text, values }: PreparedPut, list: WriteList): void {
    const { key, expected, version, seq, head } = put;
    const { workspace, kind, id } = key;
    const hasIndexes = this.#indexes.indexNames(kind).length > 0;
    const indexed = hasIndexes && text !== null ? indexedText(values) : null;
    const old = hasIndexes && expected !== 0 ? this.#indexed(key, list) : null;
    if (hasIndexes) list.indexed.set(keyText(key), indexed);
    if (text === null && expected === 0) list.addPut(key, "absent_entity", kind, id, workspace);
    else if (text === null) list.addPut(key, "delete_entity", kind, id, workspace, expected);
    else if (expected === 0)
      list.addPut(key, "insert_entity", workspace, kind, id, version, seq, head, indexed, text);
    else list.addPut(key, "update_entity", version, seq, head, indexed, text, kind, id, workspace, expected);
    if (old === indexed) return;
    for (const [name, value] of entriesOf(old)) list.add("delete_index", workspace, kind, name, value, id);
    for (const [name, value] of entriesOf(indexed))
      list.add("insert_index", workspace, kind, name, value, id);
  }

  /** What the row's index entries are before this put. */
  #indexed(key: EntityKey, list: WriteList): string | null {
    const written = list.indexed.get(keyText(key));
    if (written !== undefined) return written;
    const row = this.#statements.of(SELECT_INDEXED).get(key.kind, key.id, key.workspace);
    return (row?.indexed ?? null) as string | null;
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

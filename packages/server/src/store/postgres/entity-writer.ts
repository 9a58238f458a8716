/**
 * Writes puts: one write per table and kind of write, no matter how many puts. Errors in the puts are thrown while
 * they are prepared, before anything is sent.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntityKey, IndexValues } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { type Listing, listingOf } from "../hold-listing.ts";
import { createdAtOf } from "../hold-text.ts";
import { assertGrows } from "../indexed.ts";
import { TurnMeter } from "../load-room.ts";
import { type Put, VersionConflict } from "../port.ts";
import { compareKeys } from "../text-order.ts";
import { columnsIn, rowIn, sameRowIn } from "./key-conditions.ts";
import { type Column, namesOf, type OneStatement } from "./one-statement.ts";
import { pack, packOrNull } from "./packed-text.ts";

export interface PreparedPut {
  readonly put: Put;
  readonly text: string | null;
  readonly values: IndexValues;
  /** Whether its kind has indexes. */
  readonly isIndexed: boolean;
  /** Only holds are listed by it. */
  readonly listing: Listing;
}

const UNLISTED = listingOf({});

/**
 * Sorts puts by key, which is the order in which rows are locked, and merges several puts of one entity. Long rows are written as text
 * in several turns of the event loop (G13).
 */
export async function preparePuts(
  puts: readonly Put[],
  indexes: IndexTable,
): Promise<readonly PreparedPut[]> {
  const merged: Put[] = [];
  for (const put of puts.toSorted((a, b) => compareKeys(a.key, b.key))) {
    assertGrows(put);
    const before = merged.at(-1);
    if (before === undefined || compareKeys(before.key, put.key) !== 0) {
      merged.push(put);
      continue;
    }
    if (put.expected !== (before.body === null ? 0 : before.version)) throw new VersionConflict(put.key);
    merged[merged.length - 1] = { ...put, expected: before.expected };
  }
  const prepared: PreparedPut[] = [];
  const meter = new TurnMeter();
  for (const put of merged) {
    const one = prepare(put, indexes);
    prepared.push(one);
    if (meter.isOver(lengthOf(one))) await nextTurn();
  }
  return prepared;
}

function prepare(put: Put, indexes: IndexTable): PreparedPut {
  const { kind } = put.key;
  const isIndexed = indexes.indexNames(kind).length > 0;
  if (put.body === null) return { put, text: null, values: {}, isIndexed, listing: UNLISTED };
  const listing = kind === "hold" ? listingOf(put.body) : UNLISTED;
  const values = indexes.indexValues(kind, put.body);
  return { put, text: JSON.stringify(put.body), values, isIndexed, listing };
}

function lengthOf({ text }: PreparedPut): number {
  return text?.length ?? 0;
}

/** A statement has the rows of a table as one text, and a text of hundreds of megabytes is more than there can be. */
const CHARACTERS_A_STATEMENT = 2 * 1024 * 1024;

/** Parts that are short enough to be one statement each, in order. The last one may be empty. */
export function inParts(puts: readonly PreparedPut[]): readonly (readonly PreparedPut[])[] {
  const parts: PreparedPut[][] = [[]];
  let characters = 0;
  for (const put of puts) {
    characters += lengthOf(put);
    if (characters > CHARACTERS_A_STATEMENT && parts.at(-1)?.length !== 0) {
      parts.push([]);
      characters = lengthOf(put);
    }
    parts.at(-1)?.push(put);
  }
  return parts;
}

type PutColumn = Column<PreparedPut>;

const KEY: readonly PutColumn[] = [
  ["workspace", "text", ({ put }) => pack(put.key.workspace)],
  ["kind", "text", ({ put }) => put.key.kind],
  ["id", "text", ({ put }) => pack(put.key.id)],
];
const HOLD_KEY = KEY.filter(([name]) => name !== "kind");

const CHAIN: readonly PutColumn[] = [
  ["version", "bigint", ({ put }) => put.version],
  ["seq", "bigint", ({ put }) => put.seq],
  ["head", "text", ({ put }) => put.head],
  ["body", "text", ({ text }) => text],
];

const HOLD: readonly PutColumn[] = [
  ...CHAIN,
  ["status", "text", ({ values }) => packOrNull(values.status)],
  ["creator", "text", ({ values }) => packOrNull(values.creator)],
  ["created_at", "bigint", ({ put }) => createdAtOf(put.body ?? {})],
  ["thread", "text", ({ values }) => packOrNull(values.thread)],
  ["intent", "text", ({ values }) => packOrNull(values.intent)],
  ["group_id", "text", ({ values }) => packOrNull(values.group)],
  ["previous", "text", ({ values }) => packOrNull(values.previous)],
  ["ends_at", "bigint", ({ listing }) => listing.endsAt],
  ["tool", "text", ({ listing }) => packOrNull(listing.tool)],
  ["ask_type", "text", ({ listing }) => packOrNull(listing.type)],
  ["assignee", "text", ({ listing }) => packOrNull(listing.assignee)],
  ["is_opened", "bigint", ({ listing }) => listing.isOpened],
];
const EXPECTED: PutColumn = ["expected", "bigint", ({ put }) => put.expected];

interface Table {
  readonly name: string;
  readonly key: readonly PutColumn[];
  /** The columns that rows are looked up by: the key, or enough of it that the planner chooses no other index. */
  readonly lookupColumns: readonly string[];
  readonly columns: readonly PutColumn[];
}

const HOLDS: Table = { name: "hold", key: HOLD_KEY, lookupColumns: ["id"], columns: HOLD };
const ENTITIES: Table = {
  name: "entity",
  key: KEY,
  lookupColumns: ["kind", "id", "workspace"],
  columns: CHAIN,
};

export function writePuts(into: OneStatement, puts: readonly PreparedPut[]): void {
  const holds = puts.filter(({ put }) => put.key.kind === "hold");
  const others = puts.filter(({ put }) => put.key.kind !== "hold");
  writeTable(into, HOLDS, holds);
  writeTable(into, ENTITIES, others);
  writeIndex(into, others);
}

function writeTable(into: OneStatement, table: Table, puts: readonly PreparedPut[]): void {
  const kept = puts.filter(({ text }) => text !== null);
  const removed = puts.filter(({ text }) => text === null);
  const inserted = kept.filter(({ put }) => put.expected === 0);
  const updated = kept.filter(({ put }) => put.expected !== 0);
  if (removed.length > 0) remove(into, table, removed);
  if (inserted.length > 0) insert(into, table, inserted);
  if (updated.length > 0) update(into, table, updated);
}

function remove(into: OneStatement, { name, key, lookupColumns }: Table, puts: readonly PreparedPut[]): void {
  const wanted = want(into, `${name}_remove`, [...key, EXPECTED], puts);
  const names = columnNames(key);
  into.addWrite(
    wanted.written,
    () => `DELETE FROM ${name} t WHERE ${columnsIn("t", lookupColumns, wanted.name)}
      AND ${sameRowIn("t", [...names, "version"], wanted.name, [...names, "expected"])} RETURNING ${namesOf(key, "t")}`,
  );
  refuse(
    into,
    name,
    wanted.name,
    () => `CASE WHEN w.expected = 0 THEN EXISTS (SELECT FROM ${name} t WHERE ${same(key, "t", "w")})
      ELSE ${isMissing(key, wanted.written)} END`,
  );
}

function insert(into: OneStatement, { name, key, columns }: Table, puts: readonly PreparedPut[]): void {
  const all = [...key, ...columns];
  const wanted = want(into, `${name}_insert`, all, puts);
  into.addWrite(
    wanted.written,
    () => `INSERT INTO ${name} (${namesOf(all)}) SELECT ${namesOf(all)} FROM ${wanted.name}
      ON CONFLICT DO NOTHING RETURNING ${namesOf(key)}`,
  );
  refuse(into, name, wanted.name, () => isMissing(key, wanted.written));
}

function update(
  into: OneStatement,
  { name, key, lookupColumns, columns }: Table,
  puts: readonly PreparedPut[],
): void {
  const wanted = want(into, `${name}_update`, [...key, ...columns, EXPECTED], puts);
  into.addWrite(
    wanted.written,
    () => `UPDATE ${name} t SET ${columns.map(([column]) => `${column} = w.${column}`).join(", ")}
      FROM ${wanted.name} w WHERE ${columnsIn("t", lookupColumns, wanted.name)} AND ${same(key, "t", "w")}
        AND t.version = w.expected RETURNING ${namesOf(key, "t")}`,
  );
  refuse(into, name, wanted.name, () => isMissing(key, wanted.written));
}

/** Adds the rows to write, as a table expression. */
function want(into: OneStatement, name: string, columns: readonly PutColumn[], puts: readonly PreparedPut[]) {
  into.addRows(name, columns, puts);
  return { name, written: `${name}_written` };
}

/** Passes each row that was not written as expected to `refuse_put`, which fails the commit (S2). */
function refuse(into: OneStatement, table: string, wanted: string, condition: () => string): void {
  const kind = table === "hold" ? "'hold'" : "w.kind";
  into.ask(() => `SELECT refuse_put(${kind}, w.workspace, w.id) FROM ${wanted} w WHERE ${condition()}`);
}

/**
 * Uses a hashed lookup regardless of the join settings: its cost grows with the number of rows, not with its square.
 */
function isMissing(key: readonly PutColumn[], written: string): string {
  return `(${namesOf(key, "w")}) NOT IN (SELECT ${namesOf(key)} FROM ${written})`;
}

function same(key: readonly PutColumn[], a: string, b: string): string {
  return key.map(([name]) => `${a}.${name} = ${b}.${name}`).join(" AND ");
}

function columnNames(columns: readonly PutColumn[]): readonly string[] {
  return columns.map(([name]) => name);
}

interface IndexEntry {
  readonly key: EntityKey;
  readonly name: string;
  readonly value: string;
}

const ENTITY_KEY: readonly Column<EntityKey>[] = [
  ["workspace", "text", ({ workspace }) => pack(workspace)],
  ["kind", "text", ({ kind }) => kind],
  ["id", "text", ({ id }) => pack(id)],
];
const INDEX_ENTRY: readonly Column<IndexEntry>[] = [
  ...ENTITY_KEY.map(([name, type, of]): Column<IndexEntry> => [name, type, ({ key }) => of(key)]),
  ["name", "text", ({ name }) => name],
  ["value", "text", ({ value }) => pack(value)],
];

function writeIndex(into: OneStatement, puts: readonly PreparedPut[]): void {
  const indexed = puts.filter(({ isIndexed }) => isIndexed);
  const entries = indexed.flatMap(({ put, values }) => indexEntries(put.key, values));
  const old = indexed.filter(({ put }) => put.expected !== 0).map(({ put }) => put.key);
  if (old.length + entries.length === 0) return;
  into.addRows("index_entries", INDEX_ENTRY, entries);
  if (old.length > 0) removeStaleEntries(into, old);
  if (entries.length > 0)
    into.addWrite(
      "index_added",
      () => `INSERT INTO entity_index (workspace, kind, id, name, value)
        SELECT workspace, kind, id, name, value FROM index_entries
        ON CONFLICT (kind, id, workspace, name) DO UPDATE SET value = excluded.value
          WHERE entity_index.value <> excluded.value`,
    );
}

/** Removes index entries that an entity no longer has. A deleted entity has none. */
function removeStaleEntries(into: OneStatement, keys: readonly EntityKey[]): void {
  into.addRows("indexed_keys", ENTITY_KEY, keys);
  into.addWrite(
    "index_removed",
    () => `DELETE FROM entity_index i WHERE ${rowIn("i", ["kind", "id", "workspace"], "indexed_keys")}
      AND (i.kind, i.id, i.workspace, i.name) NOT IN (SELECT kind, id, workspace, name FROM index_entries)`,
  );
}

export function indexEntries(key: EntityKey, values: IndexValues): readonly IndexEntry[] {
  return Object.entries(values).flatMap(([name, value]): IndexEntry[] =>
    value === undefined ? [] : [{ key, name, value }],
  );
}

/**
 * Puts into the database: one statement for each table and way of writing, however many puts. What can throw does so while
 * they are prepared, before anything is sent.
 */

import { type EntityKey, type IndexOf, type IndexValues, KINDS, keyText } from "../../core/entity.ts";
import { createdAtOf } from "../hold-text.ts";
import { assertGrows, indexValues } from "../indexed.ts";
import { type Put, VersionConflict } from "../port.ts";
import { compareText } from "../text-order.ts";
import { pack, packOrNull } from "./packed-text.ts";
import { columnsOf, type Sql } from "./sql.ts";

export interface PreparedPut {
  readonly put: Put;
  readonly text: string | null;
  readonly values: IndexValues;
}

/** In the order of their keys, the order in which rows are locked; several of one entity become one. */
export function preparePuts(puts: readonly Put[], indexOf: IndexOf): readonly PreparedPut[] {
  const merged = new Map<string, Put>();
  for (const put of puts) {
    assertGrows(put);
    const name = keyText(put.key);
    const before = merged.get(name);
    if (before !== undefined && put.expected !== (before.body === null ? 0 : before.version)) {
      throw new VersionConflict(put.key);
    }
    merged.set(name, before === undefined ? put : { ...put, expected: before.expected });
  }
  return [...merged.values()]
    .sort((a, b) => compareText(a.key.kind, b.key.kind) || compareText(a.key.id, b.key.id))
    .map((put) =>
      put.body === null
        ? { put, text: null, values: {} }
        : { put, text: JSON.stringify(put.body), values: indexValues(indexOf, put.key.kind, put.body) },
    );
}

type Column = readonly [name: string, type: string, of: (put: PreparedPut) => unknown];

const KEY: readonly Column[] = [
  ["workspace", "text", ({ put }) => pack(put.key.workspace)],
  ["kind", "text", ({ put }) => put.key.kind],
  ["id", "text", ({ put }) => pack(put.key.id)],
];
const HOLD_KEY = KEY.filter(([name]) => name !== "kind");

const CHAIN: readonly Column[] = [
  ["version", "bigint", ({ put }) => put.version],
  ["seq", "bigint", ({ put }) => put.seq],
  ["head", "text", ({ put }) => put.head],
  ["body", "text", ({ text }) => text],
];

const HOLD: readonly Column[] = [
  ...CHAIN,
  ["status", "text", ({ values }) => packOrNull(values.status)],
  ["creator", "text", ({ values }) => packOrNull(values.creator)],
  ["created_at", "bigint", ({ put }) => createdAtOf(put.body ?? {})],
  ["thread", "text", ({ values }) => packOrNull(values.thread)],
  ["intent", "text", ({ values }) => packOrNull(values.intent)],
  ["group_id", "text", ({ values }) => packOrNull(values.group)],
  ["previous", "text", ({ values }) => packOrNull(values.previous)],
];
const EXPECTED: Column = ["expected", "bigint", ({ put }) => put.expected];

interface Table {
  readonly insert: string;
  readonly update: string;
  readonly remove: string;
  readonly key: readonly Column[];
  readonly columns: readonly Column[];
}

/** A row that was not written as expected is named to `refuse_put`, which fails the commit (S2). */
function tableOf(table: string, key: readonly Column[], columns: readonly Column[]): Table {
  const all = [...key, ...columns];
  const same = (a: string, b: string) => key.map(([name]) => `${a}.${name} = ${b}.${name}`).join(" AND ");
  const wanted = (of: readonly Column[]) =>
    `wanted AS (SELECT * FROM unnest(${of.map(([, type], at) => `$${at + 1}::${type}[]`).join(", ")})
      AS w (${of.map(([name]) => name).join(", ")}))`;
  const kind = table === "hold" ? "'hold'" : "w.kind";
  const refused = `SELECT refuse_put(${kind}, w.workspace, w.id) FROM wanted w`;
  const names = all.map(([name]) => name).join(", ");
  const keyNames = key.map(([name]) => name).join(", ");
  // Looked up in a hash, whatever joins are allowed: the price grows with the rows, not with their square.
  const missing = `(${key.map(([name]) => `w.${name}`).join(", ")}) NOT IN (SELECT ${keyNames} FROM written)`;
  return {
    key,
    columns,
    insert: `WITH ${wanted(all)}, written AS (INSERT INTO ${table} (${names}) SELECT ${names} FROM wanted
      ON CONFLICT DO NOTHING RETURNING ${keyNames}) ${refused} WHERE ${missing}`,
    update: `WITH ${wanted([...all, EXPECTED])}, written AS (UPDATE ${table} t
      SET ${columns.map(([name]) => `${name} = w.${name}`).join(", ")} FROM wanted w
      WHERE ${same("t", "w")} AND t.version = w.expected
      RETURNING ${key.map(([name]) => `t.${name}`).join(", ")}) ${refused} WHERE ${missing}`,
    remove: `WITH ${wanted([...key, EXPECTED])}, written AS (DELETE FROM ${table} t USING wanted w
      WHERE ${same("t", "w")} AND t.version = w.expected
      RETURNING ${key.map(([name]) => `t.${name}`).join(", ")}) ${refused}
      WHERE CASE WHEN w.expected = 0 THEN EXISTS (SELECT FROM ${table} t WHERE ${same("t", "w")})
        ELSE ${missing} END`,
  };
}

const HOLDS = tableOf("hold", HOLD_KEY, HOLD);
const ENTITIES = tableOf("entity", KEY, CHAIN);

/** What an entity no longer says about itself. Deleted ones say nothing. */
const FORGET_INDEX = `DELETE FROM entity_index i USING unnest($1::text[], $2::text[], $3::text[]) AS w (workspace, kind, id)
  WHERE i.workspace = w.workspace AND i.kind = w.kind AND i.id = w.id AND (i.workspace, i.kind, i.id, i.name, i.value)
    NOT IN (SELECT * FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[]))`;
const ADD_INDEX = `INSERT INTO entity_index (workspace, kind, id, name, value)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`;

/** Sends the statements; the caller hears them all. */
export function writePuts(sql: Sql, puts: readonly PreparedPut[]): readonly Promise<unknown>[] {
  const holds = puts.filter(({ put }) => put.key.kind === "hold");
  const others = puts.filter(({ put }) => put.key.kind !== "hold");
  return [...writeTable(sql, HOLDS, holds), ...writeTable(sql, ENTITIES, others), ...writeIndex(sql, others)];
}

function writeTable(sql: Sql, table: Table, puts: readonly PreparedPut[]): readonly Promise<unknown>[] {
  const send = (text: string, columns: readonly Column[], some: readonly PreparedPut[]) =>
    some.length === 0
      ? []
      : [
          sql.all(
            text,
            columnsOf(
              some,
              columns.map(([, , of]) => of),
            ),
          ),
        ];
  const { key, columns } = table;
  const kept = puts.filter(({ text }) => text !== null);
  return [
    ...send(
      table.remove,
      [...key, EXPECTED],
      puts.filter(({ text }) => text === null),
    ),
    ...send(
      table.insert,
      [...key, ...columns],
      kept.filter(({ put }) => put.expected === 0),
    ),
    ...send(
      table.update,
      [...key, ...columns, EXPECTED],
      kept.filter(({ put }) => put.expected !== 0),
    ),
  ];
}

interface IndexEntry {
  readonly key: EntityKey;
  readonly name: string;
  readonly value: string;
}

function writeIndex(sql: Sql, puts: readonly PreparedPut[]): readonly Promise<unknown>[] {
  const indexed = puts.filter(({ put }) => KINDS[put.key.kind].length > 0);
  const entries = indexed.flatMap(({ put, values }) => indexEntries(put.key, values));
  const old = indexed.filter(({ put }) => put.expected !== 0).map(({ put }) => put.key);
  const entryColumns = columnsOf(entries, [
    ({ key }) => pack(key.workspace),
    ({ key }) => key.kind,
    ({ key }) => pack(key.id),
    ({ name }) => name,
    ({ value }) => pack(value),
  ]);
  const keyColumns = columnsOf(old, [
    ({ workspace }) => pack(workspace),
    ({ kind }) => kind,
    ({ id }) => pack(id),
  ]);
  return [
    ...(old.length === 0 ? [] : [sql.all(FORGET_INDEX, [...keyColumns, ...entryColumns])]),
    ...(entries.length === 0 ? [] : [sql.all(ADD_INDEX, entryColumns)]),
  ];
}

export function indexEntries(key: EntityKey, values: IndexValues): readonly IndexEntry[] {
  return KINDS[key.kind].flatMap((name): IndexEntry[] => {
    const value = values[name];
    return value === undefined ? [] : [{ key, name, value }];
  });
}

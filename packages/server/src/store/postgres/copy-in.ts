/**
 * Copies a file of the embedded store into an empty PostgreSQL schema.
 *
 * I1  It may be interrupted at any point and run again: it continues after the last page that arrived. The file must
 *     not change meanwhile; another file, or one that has changed, is refused.
 * I2  Until it is finished, no server can open the schema.
 */

import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type pg from "pg";
import type { EntityKey } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { connectReader } from "../sqlite/connect.ts";
import { assertCurrent } from "../sqlite/migrate.ts";
import { readMigrations } from "../sqlite/migrations.ts";
import { rowsOf } from "../sqlite/rows.ts";
import { StoreError } from "../store-error.ts";
import { connect, readAddress } from "./connect.ts";
import { indexEntries } from "./entity-writer.ts";
import { storeFault } from "./faults.ts";
import { pack, unpack } from "./packed-text.ts";
import { isVerbatim, type Row, TABLES, type Table } from "./tables.ts";

const PAGE = 1000;

export interface CopyInOptions {
  /** The file. Nobody may write to it while it is copied. */
  readonly path: string;
  /** A schema that `openPostgresStore` has created with `isImporting`. */
  readonly url: string;
  readonly indexes: IndexTable;
  readonly onProgress?: (share: number) => void;
  /** Called after every page; `true` stops the copy, which can be continued later. */
  readonly isStopped?: () => boolean;
}

/** Number of rows by table, the same on both sides. */
export type RowCounts = Readonly<Record<string, number>>;

export async function copyIn(options: CopyInOptions): Promise<RowCounts> {
  const source = connectReader(options.path);
  const address = readAddress(options.url);
  const connection = await connect(address);
  try {
    assertCurrent(source, options.path, readMigrations());
    const { client } = connection;
    const expected = countRows(source);
    await begin(client, address.schema, markOf(source));
    let done = Object.values(await countCopied(client)).reduce((sum, count) => sum + count, 0);
    const total = Math.max(
      1,
      Object.values(expected).reduce((sum, count) => sum + count, 0),
    );
    for (const table of TABLES) {
      for (const page of pagesAfter(source, table, await lastKey(client, table))) {
        await writePage(client, table, page, options.indexes);
        done += page.length;
        options.onProgress?.(Math.min(1, done / total));
        if (options.isStopped?.() === true) throw new Error("the copy was stopped; run it again to continue");
      }
    }
    assertSame(expected, await countCopied(client));
    return expected;
  } catch (fault) {
    throw storeFault(fault);
  } finally {
    source.close();
    await connection.client.end().catch(() => undefined);
  }
}

/** Lets servers open the schema, after everything was verified. */
export async function finishCopy(url: string): Promise<void> {
  const connection = await connect(readAddress(url));
  try {
    await connection.client.query("DROP TABLE import");
  } finally {
    await connection.client.end();
  }
}

/** Identifies the file and its state by its last event. */
function markOf(source: DatabaseSync): string {
  const last = source.prepare("SELECT position, hash FROM event ORDER BY position DESC LIMIT 1").get();
  return last === undefined ? "empty" : `${last.position} ${last.hash}`;
}

async function begin(client: pg.Client, schema: string, mark: string): Promise<void> {
  const { rows: begun } = await client.query<{ begun: boolean }>(
    "SELECT to_regclass('import') IS NOT NULL AS begun",
  );
  if (begun[0]?.begun === true) {
    const { rows } = await client.query<{ mark: string }>("SELECT mark FROM import");
    if (rows[0]?.mark === mark) return;
    throw new StoreError(
      "database_unfinished",
      `A copy of another file into schema ${schema} was started, or this file has changed since. To start again, drop what was copied (DROP SCHEMA ${schema} CASCADE) and run this command again.`,
      { schema },
    );
  }
  const copied = await countCopied(client);
  if (Object.values(copied).some((count) => count > 0)) {
    throw new StoreError("database_in_use", `Schema ${schema} is not empty. Choose an empty schema.`, {
      schema,
    });
  }
  await client.query("BEGIN");
  await client.query("CREATE TABLE import (mark text NOT NULL)");
  await client.query("INSERT INTO import VALUES ($1)", [mark]);
  await client.query("COMMIT");
}

function countRows(source: DatabaseSync): RowCounts {
  const count = (name: string) =>
    source.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.rows as number;
  return Object.fromEntries(TABLES.map(({ name }) => [name, count(name)]));
}

async function countCopied(client: pg.Client): Promise<RowCounts> {
  const counts = TABLES.map(({ name }) => `(SELECT count(*) FROM ${name}) AS "${name}"`).join(", ");
  const { rows } = await client.query<Record<string, number>>(`SELECT ${counts}`);
  return rows[0] ?? {};
}

function assertSame(expected: RowCounts, found: RowCounts): void {
  for (const [name, count] of Object.entries(expected)) {
    if (found[name] !== count)
      throw new Error(
        `the copy is incomplete: table ${name} has ${count} rows in the file, but ${found[name]} were copied`,
      );
  }
}

/** Pages are written completely and in order of their key, so the greatest key says how far the copy is. */
async function lastKey(client: pg.Client, { name, key }: Table): Promise<Row | undefined> {
  const order = key.map((column) => `${column} DESC`).join(", ");
  const { rows } = await client.query<Record<string, string | number>>(
    `SELECT ${key.join(", ")} FROM ${name} ORDER BY ${order} LIMIT 1`,
  );
  return rows[0];
}

function* pagesAfter(source: DatabaseSync, table: Table, start: Row | undefined): Iterable<readonly Row[]> {
  const { name, key, columns } = table;
  const order = key.join(", ");
  let last: Row | undefined = start === undefined ? undefined : unpackedKey(start);
  for (;;) {
    const beyond = last === undefined ? "" : `WHERE (${order}) > (${key.map(() => "?").join(", ")})`;
    const values = last === undefined ? [] : key.map((column) => last?.[column] as SQLInputValue);
    const select = source.prepare(
      `SELECT ${columns.join(", ")} FROM ${name} ${beyond} ORDER BY ${order} LIMIT ${PAGE}`,
    );
    const page = rowsOf<Row>(select.all(...values));
    if (page.length === 0) return;
    yield page;
    last = page.at(-1);
  }
}

function unpackedKey(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === "string" ? unpack(value) : value]),
  );
}

async function writePage(
  client: pg.Client,
  table: Table,
  page: readonly Row[],
  indexes: IndexTable,
): Promise<void> {
  const statements = [
    client.query("BEGIN"),
    insert(
      client,
      table.name,
      page.map((row) => completed(table, row)),
    ),
    ...(table.name === "entity" ? indexRows(client, page, indexes) : []),
    client.query("COMMIT"),
  ];
  const failed = (await Promise.allSettled(statements)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

/** Adds the columns that only this store has. */
function completed({ name }: Table, row: Row): Row {
  const packed = Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === "string" && !isVerbatim(column) ? pack(value) : value,
    ]),
  );
  if (name === "timer") return { ...packed, ready_at: row.due_at ?? null };
  return packed;
}

function indexRows(
  client: pg.Client,
  page: readonly Row[],
  indexes: IndexTable,
): readonly Promise<unknown>[] {
  const rows = page.flatMap((row) => {
    const key = { workspace: row.workspace, kind: row.kind, id: row.id } as EntityKey;
    if (indexes.indexNames(key.kind).length === 0) return [];
    return indexEntries(key, indexes.indexValues(key.kind, JSON.parse(row.body as string))).map(
      ({ name, value }) => ({
        workspace: pack(key.workspace),
        kind: key.kind,
        id: pack(key.id),
        name,
        value: pack(value),
      }),
    );
  });
  return rows.length === 0 ? [] : [insert(client, "entity_index", rows)];
}

function insert(client: pg.Client, name: string, rows: readonly Row[]): Promise<unknown> {
  const columns = Object.keys(rows[0] ?? {});
  const arrays = columns.map((column) => rows.map((row) => row[column] ?? null));
  const isNumber = (column: string) => rows.some((row) => typeof row[column] === "number");
  const places = columns.map((column, at) => `$${at + 1}::${isNumber(column) ? "bigint" : "text"}[]`);
  return client.query(
    `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${columns
      .map((column) => `w.${column}${BIGINTS.has(column) ? "::bigint" : ""}`)
      .join(", ")} FROM unnest(${places.join(", ")}) AS w (${columns.join(", ")})`,
    arrays,
  );
}

/** A page may contain only nulls in these columns, which would be taken for text. */
const BIGINTS: ReadonlySet<string> = new Set(["created_at", "due_at"]);

/**
 * A backup is a file of the embedded store, so it can be verified, read and served like one. One transaction on a
 * connection of its own reads everything from one snapshot.
 */

import { linkSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import type { EntityKey } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { connectWriter } from "../sqlite/connect.ts";
import { syncFile, syncFolder } from "../sqlite/files.ts";
import { migrate } from "../sqlite/migrate.ts";
import { readMigrations } from "../sqlite/migrations.ts";
import { StoreError } from "../store-error.ts";
import { type Address, connect } from "./connect.ts";
import { indexEntries } from "./entity-writer.ts";
import { storeFault } from "./faults.ts";
import { unpack } from "./packed-text.ts";
import { isVerbatim, type Row, TABLES, type Table } from "./tables.ts";

const PAGE = 1000;

export async function copyOut(
  address: Address,
  path: string,
  indexes: IndexTable,
  onProgress: (share: number) => void,
): Promise<void> {
  const unfinished = `${path}.unfinished-${process.pid}-${nextCopy()}`;
  const connection = await connect(address);
  try {
    // Only the owner may read the copy, wherever it is; SQLite alone would create it readable for everybody.
    writeFileSync(unfinished, "", { mode: 0o600, flag: "wx" });
    const db = connectWriter(unfinished);
    try {
      migrate(db, unfinished, readMigrations());
      await copyTables(connection.client, db, indexes, onProgress);
      db.exec("PRAGMA journal_mode = DELETE");
    } finally {
      db.close();
    }
    syncFile(unfinished);
    putInPlace(unfinished, path);
  } catch (fault) {
    throw storeFault(fault);
  } finally {
    for (const rest of ["", "-wal", "-shm"]) rmSync(`${unfinished}${rest}`, { force: true });
    await connection.client.end().catch(() => undefined);
  }
  onProgress(1);
}

let copies = 0;
function nextCopy(): number {
  copies += 1;
  return copies;
}

/** A hard link, unlike a rename, never replaces a file. */
function putInPlace(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    throw new StoreError("backup_exists", `${path} already exists; choose another path.`, { path }, cause);
  }
  syncFolder(dirname(path));
}

async function copyTables(
  client: pg.Client,
  db: DatabaseSync,
  indexes: IndexTable,
  onProgress: (share: number) => void,
): Promise<void> {
  await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
  const total = await countRows(client);
  let copied = 0;
  db.exec("BEGIN");
  for (const table of TABLES) {
    const insert = insertInto(db, table, indexes);
    for await (const page of pagesOf(client, table)) {
      for (const row of page) insert(row);
      copied += page.length;
      onProgress(Math.min(1, copied / Math.max(1, total)));
    }
  }
  db.exec("COMMIT");
  await client.query("COMMIT");
}

async function countRows(client: pg.Client): Promise<number> {
  const counts = TABLES.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(" + ");
  const { rows } = await client.query<{ total: number }>(`SELECT ${counts} AS total`);
  return rows[0]?.total ?? 0;
}

async function* pagesOf(client: pg.Client, { name, columns, key }: Table): AsyncIterable<readonly Row[]> {
  const order = key.join(", ");
  let last: Row | undefined;
  do {
    const beyond =
      last === undefined ? "" : `WHERE (${order}) > (${key.map((_, at) => `$${at + 1}`).join(", ")})`;
    const text = `SELECT ${columns.join(", ")} FROM ${name} ${beyond} ORDER BY ${order} LIMIT ${PAGE}`;
    const values = last === undefined ? [] : key.map((column) => last?.[column]);
    const { rows } = await client.query<Record<string, string | number | null>>(text, values);
    if (rows.length > 0) yield rows.map(unpacked);
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last !== undefined);
}

function unpacked(row: Row): Row {
  const entries = Object.entries(row).map(([column, value]) => [
    column,
    typeof value === "string" && !isVerbatim(column) ? unpack(value) : value,
  ]);
  return Object.fromEntries(entries) as Row;
}

function insertInto(db: DatabaseSync, table: Table, indexes: IndexTable): (row: Row) => void {
  const isEntity = table.name === "entity";
  const columns = isEntity ? [...table.columns, "indexed"] : table.columns;
  const places = columns.map(() => "?").join(", ");
  const insert = db.prepare(`INSERT INTO ${table.name} (${columns.join(", ")}) VALUES (${places})`);
  const valuesOf = (row: Row) => table.columns.map((column) => row[column] ?? null);
  if (!isEntity) return (row) => void insert.run(...valuesOf(row));
  const index = db.prepare(
    "INSERT INTO entity_index (workspace, kind, name, value, id) VALUES (?, ?, ?, ?, ?)",
  );
  return (row) => {
    const key = { workspace: row.workspace, kind: row.kind, id: row.id } as EntityKey;
    const isIndexed = indexes.indexNames(key.kind).length > 0;
    const entries = isIndexed
      ? indexEntries(key, indexes.indexValues(key.kind, JSON.parse(row.body as string)))
      : [];
    const indexed = entries.map(({ name, value }) => [name, value]);
    insert.run(...valuesOf(row), indexed.length === 0 ? null : JSON.stringify(indexed));
    for (const { name, value } of entries) index.run(key.workspace, key.kind, name, value, key.id);
  };
}

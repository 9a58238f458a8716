/**
 * Upgrades a file to the schema that this program uses.
 *
 * M1  All pending migrations run in one transaction: the file keeps its old schema or gets the new one completely.
 * M2  Before a breaking migration, the old file is copied and the copy is synced to disk.
 * M3  A file with a newer schema, or of another program, is left unchanged.
 */

import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../store-error.ts";
import { syncFile, syncFolder } from "./files.ts";
import { type Migration, migrationName } from "./migrations.ts";

/** "Hold" in ASCII: distinguishes our files from other SQLite files. */
const APPLICATION_ID = 0x486f6c64;

export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** The copy made before a breaking migration. */
  readonly copy: string | null;
}

export function migrate(db: DatabaseSync, path: string, migrations: readonly Migration[]): Upgrade {
  const from = assertUsable(db, path, migrations);
  const to = migrations.length;
  const pending = migrations.slice(from);
  if (pending.length === 0) return { from, to, copy: null };
  const isFresh = from === 0;
  const copy = !isFresh && pending.some(({ isBreaking }) => isBreaking) ? keepCopy(db, path, to) : null;
  db.exec("BEGIN EXCLUSIVE");
  try {
    for (const { sql } of pending) db.exec(sql);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${to}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
  return { from, to, copy };
}

/** Returns the file's schema number, or throws if this program cannot upgrade it. */
export function assertUsable(db: DatabaseSync, path: string, migrations: readonly Migration[]): number {
  const found = schemaNumber(db, path);
  if (found <= migrations.length) return found;
  throw new StoreError(
    "database_newer",
    `${path} has schema ${found}, but this program only knows up to ${migrations.length}. Run the newer Holdpoint that wrote it.`,
    { path, found, known: migrations.length },
  );
}

/** For connections that may only read: throws unless the schema is current. */
export function assertCurrent(db: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  const found = assertUsable(db, path, migrations);
  if (found === migrations.length) return;
  throw new StoreError(
    "database_older",
    `${path} has schema ${found}, but this program reads schema ${migrations.length}. Start a server on it once to upgrade it.`,
    { path, found, known: migrations.length },
  );
}

const NOT_A_DATABASE = 26;

/** The first statement that reads the file, so it fails if the file is not a database at all. */
function applicationOf(db: DatabaseSync, path: string): number {
  try {
    return (db.prepare("PRAGMA application_id").get() as { application_id: number }).application_id;
  } catch (fault) {
    if ((fault as { errcode?: number }).errcode !== NOT_A_DATABASE) throw fault;
    throw new StoreError("database_foreign", `${path} is not a Holdpoint database.`, { path }, fault);
  }
}

/** 0 for an empty file. */
function schemaNumber(db: DatabaseSync, path: string): number {
  const application = applicationOf(db, path);
  const { user_version: found } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  if (application === APPLICATION_ID) return found;
  const { tables } = db.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
  if (application === 0 && found === 0 && tables === 0) return 0;
  throw new StoreError("database_foreign", `${path} is not a Holdpoint database.`, { path });
}

function keepCopy(db: DatabaseSync, path: string, to: number): string {
  const copy = `${path}.before-${migrationName(to)}`;
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  db.prepare("VACUUM INTO ?").run(unfinished);
  syncFile(unfinished);
  // An earlier, failed upgrade may have left a copy; the file has changed since, so the new copy replaces it.
  renameSync(unfinished, copy);
  syncFolder(dirname(copy));
  return copy;
}

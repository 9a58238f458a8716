/** Opens database files. */

import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { EntityOf } from "../../domains.ts";
import type { StoredEvent } from "../../kernel/record.ts";
import type { IndexTable } from "../../kernel/table.ts";
import type { EventQuery, Query, ReadStore, ScanQuery, Want } from "../port.ts";
import { StoreError } from "../store-error.ts";
import { typed, typedOne } from "../typed.ts";
import { Background } from "./background.ts";
import { connectReader, connectWriter } from "./connect.ts";
import { EntityReader } from "./entity-reader.ts";
import { EventLog } from "./event-log.ts";
import { assertCurrent, assertUsable, migrate, type Upgrade } from "./migrate.ts";
import { type Migration, readMigrations } from "./migrations.ts";
import { makeDatabasePrivate } from "./private-files.ts";
import { scanEvents } from "./scan.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { Statements } from "./statements.ts";

const SEARCH_MS = 2000;

export interface SqliteOptions {
  /** The database file. It is created, with its folder, if it does not exist. */
  readonly path: string;
  readonly indexes: IndexTable;
  readonly searchMs?: number;
  readonly migrations?: readonly Migration[];
  /** Called once when an existing file was upgraded to a newer schema. */
  readonly onUpgrade?: (upgrade: Upgrade) => void;
}

/** The caller must hold the lock of the home folder: a file has one writer. */
export function openSqliteStore(options: SqliteOptions): SqliteStore {
  const { path, indexes, searchMs = SEARCH_MS, migrations = readMigrations(), onUpgrade } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) recognised(path, () => inspect(path, (db) => assertUsable(db, path, migrations)));
  makeDatabasePrivate(path);
  const db = connectWriter(path);
  try {
    const upgrade = migrate(db, path, migrations);
    if (upgrade.from > 0 && upgrade.from < upgrade.to) onUpgrade?.(upgrade);
    return new SqliteStore(db, new Background({ path, searchMs }), indexes);
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens a backup copy, or the file of a running server, for verification and export. Nothing is written, not even an
 * upgrade.
 */
export function openSqliteCopy(path: string, migrations: readonly Migration[] = readMigrations()): ReadStore {
  const db = connectReader(path);
  try {
    recognised(path, () => assertCurrent(db, path, migrations));
    return new SqliteCopy(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Checks the file through a read-only connection first, because the settings of a writer would already change it. */
function inspect(path: string, look: (db: DatabaseSync) => void): void {
  const db = connectReader(path);
  try {
    look(db);
  } finally {
    db.close();
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function recognised<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number };
    if ((errcode & 0xff) === SQLITE_CORRUPT) {
      const message = `${path} is damaged and cannot be read: a part of it is missing or was changed. Restore it from a backup.`;
      throw new StoreError("database_foreign", message, { path }, error);
    }
    if (errcode !== SQLITE_NOTADB) throw error;
    throw new StoreError("database_foreign", `${path} is not a Holdpoint database.`, { path }, error);
  }
}

class SqliteCopy implements ReadStore {
  readonly #db: DatabaseSync;
  readonly #entities: EntityReader;
  readonly #log: EventLog;

  constructor(db: DatabaseSync) {
    const statements = new Statements(db);
    this.#db = db;
    this.#entities = new EntityReader(statements);
    this.#log = new EventLog(statements);
  }

  async load<K extends string>(wants: readonly Want<K>[]): Promise<readonly EntityOf<K>[]> {
    return typed(await this.#entities.load(wants));
  }

  async find<K extends string>(kind: K, id: string): Promise<EntityOf<K> | undefined> {
    return typedOne(this.#entities.find(kind, id));
  }

  async query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]> {
    return typed(this.#entities.query(query));
  }

  async events(query: EventQuery): Promise<readonly StoredEvent[]> {
    return this.#log.read(query, query.upTo ?? this.#log.last());
  }

  scan(query: ScanQuery): AsyncIterable<readonly StoredEvent[]> {
    return scanEvents(query, (page) => this.events(page));
  }

  async lastPosition(): Promise<number> {
    return this.#log.last();
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

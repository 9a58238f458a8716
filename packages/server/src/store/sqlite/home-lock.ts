/**
 * Allows one server per home folder. The operating system holds the lock, through an otherwise empty SQLite file, so
 * it ends with the process, no matter how that ends. A second file names the holder for people to read; it never
 * decides anything.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../store-error.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { makeDatabasePrivate, makeHomePrivate } from "./private-files.ts";

export interface Holder {
  readonly pid: number;
  /** RFC 3339, because people read the file. */
  readonly since: string;
  readonly url: string | null;
}

const LOCK_FILE = "server.lock";
const HOLDER_FILE = "server.json";
const SQLITE_BUSY = 5;

/** Node collects a connection that nothing refers to, and its lock with it. This set keeps held locks alive. */
const held = new Set<HomeLock>();

export class HomeLock {
  readonly #home: string;
  readonly #db: DatabaseSync;
  #holder: Holder;

  private constructor(home: string, db: DatabaseSync, holder: Holder) {
    this.#home = home;
    this.#db = db;
    this.#holder = holder;
    this.#write();
  }

  /** Takes the lock, or throws `home_in_use` with its holder. */
  static take(home: string, holder: Holder): HomeLock {
    const db = openLock(home);
    try {
      db.exec("PRAGMA locking_mode = EXCLUSIVE");
      db.exec("BEGIN EXCLUSIVE");
      const lock = new HomeLock(home, db, holder);
      held.add(lock);
      return lock;
    } catch (error) {
      db.close();
      throw (error as { errcode?: number }).errcode === SQLITE_BUSY
        ? inUse(home, error)
        : unusable(home, error);
    }
  }

  /** Adds the server's address, which is known only once it listens. */
  announce(url: string): void {
    this.#holder = { ...this.#holder, url };
    this.#write();
  }

  release(): void {
    if (!held.delete(this)) return;
    rmSync(join(this.#home, HOLDER_FILE), { force: true });
    this.#db.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
  }

  #write(): void {
    const path = join(this.#home, HOLDER_FILE);
    writeFileSync(`${path}.new`, `${JSON.stringify(this.#holder)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
}

function openLock(home: string): DatabaseSync {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    makeHomePrivate(home);
    const path = join(home, LOCK_FILE);
    makeDatabasePrivate(path);
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unusable(home, error);
  }
}

function unusable(home: string, cause: unknown): StoreError {
  const message = `${home} cannot be used: ${(cause as Error).message}. Set HOLDPOINT_HOME to another folder.`;
  return new StoreError("home_unusable", message, { home }, cause);
}

/** The process that the file names as holder; `null` if there is none or the file cannot be read. */
export function readHolder(home: string): Holder | null {
  try {
    const { pid, since, url } = JSON.parse(readFileSync(join(home, HOLDER_FILE), "utf8"));
    return { pid, since, url };
  } catch {
    return null;
  }
}

function inUse(home: string, cause: unknown): StoreError {
  const holder = readHolder(home);
  const who = holder === null ? "another process" : `process ${holder.pid} since ${holder.since}`;
  const where = holder?.url ? `, at ${holder.url}` : "";
  return new StoreError(
    "home_in_use",
    `${home} is in use by ${who}${where}. Stop it first, or set HOLDPOINT_HOME to another folder.`,
    { home, holder },
    cause,
  );
}

/**
 * One server per home folder. The lock is one of the operating system, held through an otherwise empty SQLite file, so it
 * is gone with the process, however that ended. Who holds it stands beside it in a file for people to read; that file is
 * only a message and never decides anything.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../store-error.ts";
import { makeFolderPrivate } from "./private-files.ts";

export interface Holder {
  readonly pid: number;
  /** RFC 3339: the file is read by people. */
  readonly since: string;
  readonly url: string | null;
}

const LOCK_FILE = "server.lock";
const HOLDER_FILE = "server.json";
const SQLITE_BUSY = 5;

/** A connection that nothing refers to is collected, and its lock with it; a held lock must not depend on its caller. */
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

  /** Takes the lock or says with `home_in_use` who has it. */
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

  /** A server knows its address only once it listens. */
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
    writeFileSync(`${path}.new`, `${JSON.stringify(this.#holder)}\n`);
    renameSync(`${path}.new`, path);
  }
}

function openLock(home: string): DatabaseSync {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // A folder that an earlier version made may be open to others.
    makeFolderPrivate(home);
    return new DatabaseSync(join(home, LOCK_FILE), { timeout: 0 });
  } catch (error) {
    throw unusable(home, error);
  }
}

function unusable(home: string, cause: unknown): StoreError {
  const message = `${home} cannot be used: ${(cause as Error).message}. HOLDPOINT_HOME names another folder.`;
  return new StoreError("home_unusable", message, { home }, cause);
}

/** Who says to be using the home folder; `null` when nobody does, or not readably. */
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
  return new StoreError("home_in_use", `${home} is in use by ${who}${where}.`, { home, holder }, cause);
}

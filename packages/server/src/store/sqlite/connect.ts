/** Connections to a Holdpoint database file, each set up for its use. */

import { DatabaseSync } from "node:sqlite";

/** Bodies and events are a few hundred bytes to a few kilobytes: fewer, larger pages write less than the default 4096. */
const PAGE_BYTES = 8192;
/** The cache is ours; mapping the file instead measured no faster and turns a read error into the end of the process. */
const CACHE_KIB = 65_536;
/** A background thread copies the write-ahead log into the file; the writer does so itself only when it lags this far. */
const OWN_CHECKPOINT_PAGES = 2000;
const WAL_BYTES_KEPT = 67_108_864;
/** The file has one writer; only checkpoints and backups of our own can be in the way, and they are brief. */
const BUSY_TIMEOUT_MS = 5000;

/** The only writer. Every commit is synced to disk before it returns (S1). */
export function connectWriter(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Page size first: it can only be chosen while the file is empty and not yet in WAL mode.
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL");
    db.exec("PRAGMA foreign_keys = ON");
    // Erased content must not linger in free space of its page.
    db.exec("PRAGMA secure_delete = FAST");
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    db.exec("PRAGMA temp_store = MEMORY");
    db.exec(`PRAGMA wal_autocheckpoint = ${OWN_CHECKPOINT_PAGES}`);
    db.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

export function connectReader(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** Copies what is committed from the write-ahead log into the file, beside readers and the writer. */
export function connectCheckpointer(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
}

/** Opens connections to a Holdpoint database file, each with the settings for its use. */

import { DatabaseSync } from "./node-sqlite.ts";

/**
 * A commit writes each page that it touched as a whole, about thirteen for a placed hold. Pages of 4096 bytes write 40 %
 * less for one hold and a quarter less in a full batch than pages of 8192. Older files keep the size they were made with.
 */
const PAGE_BYTES = 4096;
/**
 * SQLite's own page cache, kept small: SQLite walks through the whole cache in a commit that has split a page of an
 * index (it sorts the new pages by way of a very high page number, and then looks for pages beyond the file's end). With 64 MiB that takes longer than the rest of a small commit. Pages outside come from the operating system's
 * cache. Mapping the file into memory measured no faster, and a read error would crash the process.
 */
const CACHE_KIB = 8192;
/**
 * A background thread copies the write-ahead log into the file; the writer does it itself, in the middle of a commit,
 * only when the log is this long: longer than it gets while the background thread keeps up.
 */
const OWN_CHECKPOINT_PAGES = 8000;
const WAL_BYTES_KEPT = 67_108_864;
/** The file has one writer; only our own short checkpoints and backups can lock it. */
const BUSY_TIMEOUT_MS = 5000;

/** Opens the only writer. Every commit is synced to disk before it returns (S1). */
export function connectWriter(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // The page size comes first: it can only be set while the file is empty and not yet in WAL mode.
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL");
    db.exec("PRAGMA foreign_keys = ON");
    // Overwrites deleted content, so that erased content does not remain in the free space of its page.
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

/**
 * Opens the connection that copies committed pages from the write-ahead log into the file, concurrently with readers
 * and the writer.
 */
export function connectCheckpointer(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
}

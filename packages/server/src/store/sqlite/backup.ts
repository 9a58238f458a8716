/**
 * Makes a consistent copy of a database in use. A read transaction stays open during the whole copy: without it every
 * commit of the writer would make SQLite restart the copy, and under load it would never finish.
 */

import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreError } from "../store-error.ts";
import { connectReader } from "./connect.ts";
import { syncFile, syncFolder } from "./files.ts";
import { backup as copyPages, DatabaseSync } from "./node-sqlite.ts";

const PAGES_PER_STEP = 512;

/** `onProgress` may throw to abort the backup. */
export async function backUp(
  source: string,
  path: string,
  onProgress: (share: number) => void,
): Promise<void> {
  if (existsSync(path))
    throw new StoreError("backup_exists", `${path} already exists; choose another path.`, { path });
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  // Only the owner may read the copy, wherever it is; SQLite alone would create it readable for everybody.
  await writeFile(unfinished, "", { mode: 0o600 });
  const db = connectReader(source);
  try {
    db.exec("BEGIN");
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    await copyPages(db, unfinished, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages),
    });
    standAlone(unfinished);
    await rename(unfinished, path);
    syncFolder(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    db.close();
  }
  onProgress(1);
}

/**
 * The copy inherits WAL mode. Without it, the file needs no companion files and can be read from a read-only medium.
 */
function standAlone(path: string): void {
  const copy = new DatabaseSync(path);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
  syncFile(path);
}

/** Database files hold what agents ask and people answer: only the user that runs the server may read them. */

import { chmodSync, closeSync, existsSync, openSync } from "node:fs";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Creates the database file for this user only, or takes the rights of others away. SQLite gives its log files the same mode. */
export function makeDatabasePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", FILE_MODE));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, FILE_MODE);
}

/** For a folder that is Holdpoint's own. */
export function makeFolderPrivate(path: string): void {
  chmodSync(path, FOLDER_MODE);
}

/** Database files hold what agents ask and people answer: only the user that runs the server may read them. */

import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Creates the database file for this user only, or takes the rights of others away. SQLite gives its log files the same mode. */
export function makeDatabasePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", FILE_MODE));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, FILE_MODE);
}

/** What Holdpoint itself keeps in its home folder, besides databases and uploaded files. */
const OWN_FILES = [
  "credentials.json",
  "signing-key.json",
  "result-key.json",
  "secret-key",
  "last-checkpoint.json",
  "server.json",
  "server.lock",
];

/** For the folder that is Holdpoint's own: a copy or an earlier version may have left it, or what is in it, open to others. */
export function makeHomePrivate(home: string): void {
  chmodSync(home, FOLDER_MODE);
  for (const name of OWN_FILES) if (existsSync(join(home, name))) closeToOthers(join(home, name));
}

/** The file belongs to somebody else, who mounted it here: a key, for instance, that a container may only read. */
const NOT_OURS: readonly unknown[] = ["EPERM", "EROFS"];

function closeToOthers(file: string): void {
  try {
    chmodSync(file, FILE_MODE);
  } catch (fault) {
    if (!NOT_OURS.includes((fault as NodeJS.ErrnoException).code)) throw fault;
  }
}

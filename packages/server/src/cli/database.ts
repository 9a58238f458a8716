/** Finds the database of this home folder, for commands that copy it. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TABLE } from "../domains.ts";
import { transferFiles } from "../store/file-port.ts";
import { copyOut } from "../store/postgres/backup.ts";
import { readAddress } from "../store/postgres/connect.ts";
import { postgresFiles } from "../store/postgres/file-table.ts";
import { backUp } from "../store/sqlite/backup.ts";
import { copyFiles, filesFolderOf, folderFiles } from "../store/sqlite/folder-files.ts";
import { readConfig } from "../system/config.ts";
import { CliError, type Io } from "./io.ts";

/** Writes a consistent copy as one file while servers run. PostgreSQL is copied into a file too. */
export async function copyTo(io: Io, to: string, onProgress: (share: number) => void): Promise<void> {
  if (existsSync(to)) throw new CliError(`${to} already exists`);
  if (!existsSync(dirname(to))) throw new CliError(`there is no folder ${dirname(to)}`);
  const { databaseUrl } = readConfig(io.env, io.folder);
  if (databaseUrl.startsWith("sqlite:")) await backUp(databaseFile(databaseUrl), to, onProgress);
  else await copyOut(readAddress(databaseUrl), to, TABLE, onProgress);
}

/** Copies the uploaded files to a folder beside the copy. Runs after the database copy, so every file it names exists. */
export async function copyFilesTo(io: Io, to: string): Promise<number> {
  const { databaseUrl } = readConfig(io.env, io.folder);
  const folder = filesFolderOf(to);
  if (databaseUrl.startsWith("sqlite:")) return copyFiles(filesFolderOf(databaseFile(databaseUrl)), folder);
  const files = postgresFiles(databaseUrl);
  try {
    return await transferFiles(files, folderFiles(folder));
  } finally {
    await files.close();
  }
}

function databaseFile(databaseUrl: string): string {
  const path = databaseUrl.slice("sqlite:".length);
  if (!existsSync(path)) throw new CliError(`there is no database at ${path}`);
  return path;
}

export async function withCopy<T>(
  io: Io,
  onProgress: (share: number) => void,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-copy-"));
  try {
    const path = join(folder, "copy.db");
    await copyTo(io, path, onProgress);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Which database file this home folder has, for commands that read a copy of it. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { readConfig } from "../system/config.ts";
import { CliError, type Io } from "./io.ts";

export function databaseFile(io: Io): string {
  const { databaseUrl } = readConfig(io.env, io.folder);
  if (!databaseUrl.startsWith("sqlite:"))
    throw new CliError("this server keeps its data in PostgreSQL; use its own tools for a copy");
  const path = databaseUrl.slice("sqlite:".length);
  if (!existsSync(path)) throw new CliError(`there is no database at ${path}`);
  return path;
}

/** A consistent copy, taken page by page beside a running server. */
export async function copyTo(from: string, to: string, onProgress: (share: number) => void): Promise<void> {
  if (existsSync(to)) throw new CliError(`${to} exists already`);
  if (!existsSync(dirname(to))) throw new CliError(`there is no folder ${dirname(to)}`);
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await copyDatabase(source, to, {
      rate: 1_000,
      progress: ({ totalPages, remainingPages }) =>
        onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages),
    });
    onProgress(1);
  } finally {
    source.close();
  }
}

export async function withCopy<T>(
  io: Io,
  onProgress: (share: number) => void,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-copy-"));
  try {
    const path = join(folder, "copy.db");
    await copyTo(databaseFile(io), path, onProgress);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

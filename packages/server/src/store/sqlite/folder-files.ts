/**
 * Files in a folder beside the database file: `holdpoint.db` has its files in `holdpoint.db.files`, and a copy of it
 * has its own folder.
 */

import { createReadStream, existsSync, mkdirSync } from "node:fs";
import { copyFile, open, opendir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { assertFileId, type FileStore } from "../file-port.ts";
import { syncFolder } from "./files.ts";

const UNFINISHED = ".unfinished";

export function filesFolderOf(databasePath: string): string {
  return `${databasePath}.files`;
}

/** The folder is created with the first file. */
export function folderFiles(folder: string): FileStore {
  return {
    async write(id, parts) {
      assertFileId(id);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, id);
      try {
        await writeWhole(path + UNFINISHED, parts);
        await rename(path + UNFINISHED, path);
      } catch (fault) {
        await rm(path + UNFINISHED, { force: true });
        throw fault;
      }
      syncFolder(folder);
    },
    async read(id) {
      assertFileId(id);
      const path = join(folder, id);
      return existsSync(path) ? createReadStream(path) : undefined;
    },
    async remove(ids) {
      for (const id of ids) {
        assertFileId(id);
        for (const end of ["", UNFINISHED]) await rm(join(folder, id + end), { force: true });
      }
    },
    async *list() {
      if (!existsSync(folder)) return;
      for await (const { name } of await opendir(folder)) {
        yield name.endsWith(UNFINISHED) ? name.slice(0, -UNFINISHED.length) : name;
      }
    },
    async close() {},
  };
}

async function writeWhole(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    for await (const part of parts) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Copies every complete file, for backups. A file that is removed meanwhile is skipped. */
export async function copyFiles(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0;
  let copied = 0;
  for await (const { name } of await opendir(from)) {
    if (name.endsWith(UNFINISHED)) continue;
    mkdirSync(to, { recursive: true, mode: 0o700 });
    try {
      await copyFile(join(from, name), join(to, name));
      copied += 1;
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "ENOENT") throw fault;
    }
  }
  if (copied > 0) syncFolder(to);
  return copied;
}

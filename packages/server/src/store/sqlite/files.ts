/** Syncs files and folders, so that new files and their names survive a power failure. */

import { closeSync, fsyncSync, openSync } from "node:fs";

export function syncFile(path: string): void {
  sync(path, "r+");
}

/** Windows cannot open folders and does not need it. */
export function syncFolder(path: string): void {
  if (process.platform !== "win32") sync(path, "r");
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Making files that were written, and their names, survive a loss of power. */

import { closeSync, fsyncSync, openSync } from "node:fs";

export function syncFile(path: string): void {
  sync(path, "r+");
}

/** Windows can neither open folders nor needs it. */
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

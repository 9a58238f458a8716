/** What a disk does to a commit, in the words of the port. */

import { statfsSync } from "node:fs";
import { StoreUnavailable } from "../store-error.ts";

/** The disk is full or read-only, the file is locked: SQLITE_BUSY, _LOCKED, _NOMEM, _READONLY, _FULL, _CANTOPEN */
const PASSING: ReadonlySet<number> = new Set([5, 6, 7, 8, 13, 14]);
/** SQLITE_IOERR_WRITE. Other read and write errors do not tell whether the commit outlives a restart, so they stay mistakes. */
const CANNOT_WRITE = 778;

/** Trouble that passes, as such; anything else as it is. */
export function writeFault(fault: unknown): unknown {
  if (!(fault instanceof Error)) return fault;
  const { errcode = 0 } = fault as { errcode?: number };
  if (!PASSING.has(errcode & 0xff) && errcode !== CANNOT_WRITE) return fault;
  return new StoreUnavailable(`the database cannot be written: ${fault.message}`, fault);
}

/** A small write may still fit where a commit does not. */
const ROOM_BYTES = 1_048_576;

export function hasRoom(path: string, leastBytes = ROOM_BYTES): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= leastBytes;
}

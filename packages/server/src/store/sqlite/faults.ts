/** Translates SQLite errors of a write into errors of the store port. */

import { statfsSync } from "node:fs";
import { StoreUnavailable } from "../store-error.ts";

/**
 * Temporary errors: the disk is full or read-only, or the file is locked. SQLITE_BUSY, _LOCKED, _NOMEM, _READONLY,
 * _FULL, _CANTOPEN
 */
const PASSING: ReadonlySet<number> = new Set([5, 6, 7, 8, 13, 14]);
/**
 * SQLITE_IOERR_WRITE. Other I/O errors do not tell whether the commit survives a restart, so they are not treated as
 * temporary.
 */
const CANNOT_WRITE = 778;

/** Returns a temporary error as `StoreUnavailable` and any other error unchanged. */
export function writeFault(fault: unknown): unknown {
  if (!(fault instanceof Error)) return fault;
  const { errcode = 0 } = fault as { errcode?: number };
  if (!PASSING.has(errcode & 0xff) && errcode !== CANNOT_WRITE) return fault;
  return new StoreUnavailable(`the database cannot be written: ${fault.message}`, fault);
}

/** A small write may still succeed where a commit does not, so this much free space is required. */
const ROOM_BYTES = 1_048_576;

export function hasRoom(path: string, leastBytes = ROOM_BYTES): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= leastBytes;
}

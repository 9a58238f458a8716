/** Why a store cannot be used, as a code that callers and people can act on. */

export type StoreErrorCode =
  /** Another server holds the lock of this home folder. */
  | "home_in_use"
  /** The home folder cannot be created or written. */
  | "home_unusable"
  /** The file was written by a newer program; an older one must not change it. */
  | "database_newer"
  /** The file is from an older program and was opened for reading only, so it cannot be upgraded here. */
  | "database_older"
  /** The database address is invalid. */
  | "database_address"
  /** The database role lacks a permission that it needs. */
  | "database_forbidden"
  /** The file is not a Holdpoint database. */
  | "database_foreign"
  /** A copy from another database into this one was started and has not finished. */
  | "database_unfinished"
  /** The target database is not empty, so nothing can be copied into it. */
  | "database_in_use"
  | "backup_exists"
  | "store_closed";

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: StoreErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/**
 * The store cannot be used now and may work later: the disk is full, the database is not reachable. Faces tell
 * clients to retry.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** Nothing was written, so the same batch may be retried. */
  readonly retryable: boolean;

  constructor(message: string, cause: unknown, retryable = false) {
    super(message, { cause });
    this.retryable = retryable;
  }
}

export function storeClosed(): StoreError {
  return new StoreError("store_closed", "The store is closed.");
}

/** Why a store cannot be used, as a code that callers and people can act on. */

export type StoreErrorCode =
  /** Another server holds this home folder. */
  | "home_in_use"
  /** The home folder cannot be made or written. */
  | "home_unusable"
  /** The file was written by a newer program; an older one must not touch it. */
  | "database_newer"
  /** The file is from an older program and was opened for reading only, so it cannot be upgraded here. */
  | "database_older"
  /** The address cannot be read. */
  | "database_address"
  /** The role may not do there what it has to. */
  | "database_forbidden"
  /** The file is no Holdpoint database. */
  | "database_foreign"
  /** A copy from another database was begun here and has not ended. */
  | "database_unfinished"
  /** There is something in it already, so nothing can be copied into it. */
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

/** It cannot be used now, and may be later: the disk is full, the database is not there. Faces tell clients to come again. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** Nothing had been written yet, so the same batch may be tried again. */
  readonly retryable: boolean;

  constructor(message: string, cause: unknown, retryable = false) {
    super(message, { cause });
    this.retryable = retryable;
  }
}

export function storeClosed(): StoreError {
  return new StoreError("store_closed", "The store is closed.");
}

/** Translates errors from PostgreSQL and its driver into errors of the store port. */

import { VersionConflict } from "../port.ts";
import { StoreUnavailable } from "../store-error.ts";
import { unpack } from "./packed-text.ts";

/** The batch lost a conflict with another server: nothing of it was written. */
export class StoreContention extends Error {
  override readonly name = "StoreContention";
  readonly retryable = true;

  constructor(cause: unknown) {
    super(`the batch lost a conflict with another server: ${messageOf(cause)}`, { cause });
  }
}

/** Another server created an entity that this batch found missing. A retry loads the entity and decides again. */
class ContendedVersion extends VersionConflict {
  readonly retryable = true;
}

const REFUSED_PUT = "HP001";
/** serialization_failure, deadlock_detected, lock_not_available */
const CONTENTION: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"]);
/**
 * The server is shutting down or starting up, has no connection left, ended an idle session or a statement that took
 * too long; has no disk space or memory left; or is read-only or refuses the login, as during a failover or set-up.
 */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  ...["57P01", "57P02", "57P03", "57P05", "53300", "25P03", "25P04", "57014"],
  ...["53100", "53200", "53400", "25006", "28000", "28P01", "3D000"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "ENOENT"],
]);
/** The driver gives these errors no code. */
const LOST_CONNECTION = /connection (terminated|ended|error)|not queryable|timeout|closed the connection/i;
/** After a timeout the caller gets the error at once instead of waiting as long again. */
const TOO_LONG: ReadonlySet<string> = new Set(["57014", "ETIMEDOUT"]);

/** `isBeforeCommit`: the statement failed before anything could have been committed. */
export function storeFault(fault: unknown, isBeforeCommit = false): unknown {
  if (!(fault instanceof Error)) return fault;
  const { code = "", detail } = fault as { code?: string; detail?: string };
  if (code === REFUSED_PUT) return conflictOf(detail ?? "[]");
  if (CONTENTION.has(code)) return new StoreContention(fault);
  if (UNAVAILABLE.has(code) || code.startsWith("08") || LOST_CONNECTION.test(fault.message)) {
    const retryable = isBeforeCommit && !tookTooLong(code, fault.message);
    return new StoreUnavailable(`the database is not available: ${messageOf(fault)}`, fault, retryable);
  }
  return fault;
}

/** Whether an immediate retry would only get the same error, for example because no database accepts connections. */
export function isRefused({ cause }: StoreUnavailable): boolean {
  const { code = "", message = "" } = cause as { code?: string; message?: string };
  return tookTooLong(code, message) || !["57P01", "57P02", "ECONNRESET", "EPIPE", ""].includes(code);
}

function tookTooLong(code: string, message: string): boolean {
  return TOO_LONG.has(code) || (code === "" && /timeout/i.test(message));
}

function conflictOf(detail: string): VersionConflict {
  const [kind = "", workspace = "", id = ""] = JSON.parse(detail) as readonly string[];
  return new ContendedVersion({ workspace: unpack(workspace), kind: kind, id: unpack(id) });
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message || fault.name : String(fault);
}

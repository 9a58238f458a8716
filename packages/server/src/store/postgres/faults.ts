/** What PostgreSQL and the way to it complain of, in the words of the port. */

import { VersionConflict } from "../port.ts";
import { StoreUnavailable } from "../store-error.ts";
import { unpack } from "./packed-text.ts";

/** Another server was in the way and this batch gave in: nothing of it happened. */
export class StoreContention extends Error {
  override readonly name = "StoreContention";
  readonly retryable = true;

  constructor(cause: unknown) {
    super(`the batch gave way to another server: ${messageOf(cause)}`, { cause });
  }
}

/** A neighbour changed what this batch had only found missing: loaded again, it decides on what is there now. */
class ContendedVersion extends VersionConflict {
  readonly retryable = true;
}

const REFUSED_PUT = "HP001";
/** serialization_failure, deadlock_detected, lock_not_available */
const CONTENTION: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"]);
/**
 * Shutting down, starting up, no connection left, a session ended for standing idle in a transaction or a statement for
 * taking too long; no disk or memory left; not writable any more, or no way in: another one took over, or it is being set up.
 */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  ...["57P01", "57P02", "57P03", "57P05", "53300", "25P03", "25P04", "57014"],
  ...["53100", "53200", "53400", "25006", "28000", "28P01", "3D000"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "ENOENT"],
]);
/** The driver gives these no code. */
const LOST_CONNECTION = /connection (terminated|ended|error)|not queryable|timeout|closed the connection/i;
/** Whoever waited that long is told, rather than made to wait as long again. */
const TOO_LONG: ReadonlySet<string> = new Set(["57014", "ETIMEDOUT"]);

/** `isBeforeCommit`: whether the failed statement came before anything could have been committed. */
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

/** Nobody is there to connect to: asking again at once would only get the same answer. */
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

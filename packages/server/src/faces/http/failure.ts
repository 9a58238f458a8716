/**
 * An error reply: the kernel's `Failure` unchanged, with HTTP headers. Handlers throw it, and each face's dialect writes it in
 * the shape of its protocol.
 */

import type { Code } from "@holdpoint/protocol";
import type { Failure } from "../../kernel/failure.ts";

export interface Transport {
  readonly retryAfterMs?: number;
  readonly allow?: string;
  /** The value of `WWW-Authenticate`; absent: `Bearer`, where there is one. */
  readonly challenge?: string;
  /** The rest of the request is not read, so the connection is closed after the reply. */
  readonly hangsUp?: boolean;
}

export class HttpFailure<C extends string = string> extends Error {
  override readonly name = "HttpFailure";
  /** An empty message means that the code's title is enough. */
  readonly failure: Failure<C>;
  readonly transport: Transport;

  constructor(failure: Failure<C>, transport: Transport = {}) {
    super(failure.message === "" ? failure.code : failure.message);
    this.failure = failure;
    this.transport = transport;
  }
}

type More = Omit<Failure, "code" | "message">;

/** Each face narrows it to the codes of its protocol. */
export function failWith<C extends string>(
  code: C,
  message = "",
  more: More = {},
  transport: Transport = {},
): HttpFailure<C> {
  return new HttpFailure({ code, message, ...more }, transport);
}

/** Makes a failure with a code of the native API, which every face can translate. */
export const fail = failWith<Code>;

const RETRY_MS = 1_000;

/** The failure that a caller is told about whatever was thrown. */
export function failureOf(fault: unknown): HttpFailure {
  if (fault instanceof HttpFailure) return fault;
  return isUnavailable(fault) ? fail("unavailable", "", {}, { retryAfterMs: RETRY_MS }) : fail("internal");
}

/** The server is stopping, the store is unavailable, or there were too many conflicts: the client should retry later. */
function isUnavailable(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (fault.name === "EngineStopped" || fault.name === "StoreUnavailable") return true;
  return "retryable" in fault && fault.retryable === true;
}

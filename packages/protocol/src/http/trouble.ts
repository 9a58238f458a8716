/** Turns refusals, broken replies and missing replies into the errors of the client. */

import { problemError, RetryableError, TerminalError } from "../client/index.ts";
import { isObject, type JsonObject } from "../rules/index.ts";
import { retryAfterMsOf } from "./retry.ts";

/** Codes with which the server says that nothing was written, so that even what must not happen twice can be repeated. */
const UNWRITTEN = new Set<string>(["rate_limited", "unavailable"]);

export function errorOf(
  status: number,
  text: string,
  headers: Headers,
  now: number,
): TerminalError | RetryableError {
  const retryAfterMs = retryAfterMsOf(headers.get("retry-after"), now);
  const error = problemError({ status, problem: problemOf(text), retryAfterMs, advice });
  return (
    error ??
    invalidReply(`the reply (${status}) does not come from a Holdpoint server. ${CHECK_ADDRESS}`, status)
  );
}

/** What to do about a wrong address, and about a wrong key. */
export const CHECK_ADDRESS = "Check the server's address: the variable HOLDPOINT_URL, or the option `url`";
const CHECK_KEY = "Check the key: the variable HOLDPOINT_API_KEY, or the option `apiKey`";

function advice(code: string): string | undefined {
  return code === "unauthenticated" ? CHECK_KEY : undefined;
}

/** The reply never came, or broke off: it may have been done or not. */
export function lostReply(message: string, cause?: unknown): RetryableError {
  return new RetryableError({ message, code: "no_reply" }, { cause });
}

export function invalidReply(message: string, status: number): TerminalError {
  return new TerminalError({ code: "invalid_reply", status, message });
}

export function wasNotWritten(error: RetryableError): boolean {
  return UNWRITTEN.has(error.code);
}

function problemOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Replies that are no good news, and no replies at all, as the errors of the client. */

import { fromWire, type Outcome, type Refused, RetryableError, TerminalError } from "../client/index.ts";
import { isObject, type JsonObject, type Problem } from "../rules/index.ts";
import { retryAfterMsOf } from "./retry.ts";

const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Codes with which the server says that nothing was written, so that even what must not happen twice can be repeated. */
const UNWRITTEN = new Set<string>(["rate_limited", "unavailable"]);

export function errorOf(
  status: number,
  text: string,
  headers: Headers,
  now: number,
): TerminalError | RetryableError {
  const problem = problemOf(text);
  const code = textOf(problem, "code");
  const message =
    textOf(problem, "detail") ?? textOf(problem, "title") ?? `the server answered with ${status}`;
  if (RETRYABLE.has(status)) {
    const retryAfterMs = retryAfterMsOf(headers.get("retry-after"), now);
    return new RetryableError({
      message,
      status,
      // A proxy's page has no code; it says nothing about whether the server has written.
      code: code ?? "no_reply",
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  if (code === undefined) {
    return invalidReply(
      `the reply (${status}) does not come from a Holdpoint server. ${CHECK_ADDRESS}`,
      status,
    );
  }
  const cure = code === "unauthenticated" ? `. ${CHECK_KEY}` : "";
  return new TerminalError(refusedOf(problem, code, status, message + cure));
}

/** What to do about a wrong address, and about a wrong key. */
export const CHECK_ADDRESS = "Check the server's address: the variable HOLDPOINT_URL, or the option `url`";
const CHECK_KEY = "Check the key: the variable HOLDPOINT_API_KEY, or the option `apiKey`";

function refusedOf(problem: JsonObject, code: string, status: number, message: string): Refused {
  const { fields, hold_id: holdId, outcome } = problem;
  return {
    code,
    status,
    message: `${message} (${code})`,
    ...(Array.isArray(fields) ? { fields: fields as unknown as readonly Problem[] } : {}),
    ...(typeof holdId === "string" ? { holdId } : {}),
    ...(isObject(outcome) ? { outcome: fromWire("OutcomeOut", outcome as never) as Outcome } : {}),
  };
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

function textOf(problem: JsonObject, member: string): string | undefined {
  const value = problem[member];
  return typeof value === "string" ? value : undefined;
}

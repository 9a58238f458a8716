/** The error of a client for what the server replied: RFC 9457 problem details, read once for every client. */

import { isObject, type JsonObject, type Problem } from "../rules/index.ts";
import { fromWire } from "./casing.ts";
import { type Refused, RetryableError, TerminalError } from "./errors.ts";
import type { Outcome } from "./types.ts";

const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface ProblemReply {
  readonly status: number;
  /** The body; an empty object if the reply was no JSON object. */
  readonly problem: JsonObject;
  readonly retryAfterMs?: number | undefined;
  /** Added to the message: what the user of this client can do about it. */
  readonly advice?: (code: string) => string | undefined;
}

/** Null: the reply does not come from a Holdpoint server, because it has no code. */
export function problemError(reply: ProblemReply): TerminalError | RetryableError | null {
  const { status, problem, retryAfterMs, advice } = reply;
  const code = textOf(problem, "code");
  const message =
    textOf(problem, "detail") ?? textOf(problem, "title") ?? `the server answered with ${status}`;
  if (RETRYABLE.has(status)) {
    // The page of a proxy has no code, and does not say whether the server has written.
    const known = { message, status, code: code ?? "no_reply" };
    return new RetryableError(retryAfterMs === undefined ? known : { ...known, retryAfterMs });
  }
  if (code === undefined) return null;
  const more = advice?.(code);
  return new TerminalError(
    refusedOf(problem, code, status, more === undefined ? message : `${message}. ${more}`),
  );
}

function refusedOf(problem: JsonObject, code: string, status: number, message: string): Refused {
  const { fields, hold_id: holdId, outcome } = problem;
  return {
    code,
    status,
    message: `${message} (${code})`,
    ...(Array.isArray(fields) ? { fields: fields as readonly Problem[] } : {}),
    ...(typeof holdId === "string" ? { holdId } : {}),
    ...(isObject(outcome) ? { outcome: fromWire("OutcomeOut", outcome as never) as Outcome } : {}),
  };
}

function textOf(problem: JsonObject, member: string): string | undefined {
  const value = problem[member];
  return typeof value === "string" ? value : undefined;
}

/**
 * What a hold client throws. There are two kinds and nothing vague: either repeating the call is useless
 * (`TerminalError`) or it may help (`RetryableError`). The guards go by name, so that they also hold for errors made by
 * another copy of this package.
 */

import type { Code } from "../error-codes.ts";
import type { Problem } from "../rules/judge.ts";
import type { Outcome } from "./types.ts";

/** A refusal as the server told it, in camelCase. */
export interface Refused {
  readonly code: Code | (string & {});
  readonly status: number;
  readonly message: string;
  readonly fields?: readonly Problem[];
  readonly holdId?: string;
  /** How the hold ended, when that is why. */
  readonly outcome?: Outcome;
}

/**
 * The call was understood and refused, or can never be understood: repeating it changes nothing.
 *
 * @example
 * ```ts
 * import { Holdpoint, TerminalError } from "@holdpoint/sdk";
 *
 * try {
 *   await new Holdpoint().cancel("hold_1");
 * } catch (error) {
 *   if (error instanceof TerminalError) console.error(error.code, error.outcome?.kind);
 * }
 * ```
 */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
  readonly code: Refused["code"];
  readonly status: number;
  readonly fields: readonly Problem[];
  readonly holdId?: string;
  readonly outcome?: Outcome;

  constructor(refused: Refused, options?: ErrorOptions) {
    super(refused.message, options);
    this.code = refused.code;
    this.status = refused.status;
    this.fields = refused.fields ?? [];
    if (refused.holdId !== undefined) this.holdId = refused.holdId;
    if (refused.outcome !== undefined) this.outcome = refused.outcome;
  }
}

export interface Troubled {
  readonly message: string;
  readonly code?: Refused["code"];
  /** HTTP status; absent when no reply came. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/**
 * It did not work now; the same call may work later, and `retryAfterMs` says when to try.
 *
 * @example
 * ```ts
 * import { RetryableError } from "@holdpoint/sdk";
 *
 * export function pauseAfter(error: unknown): number | undefined {
 *   return error instanceof RetryableError ? error.retryAfterMs : undefined;
 * }
 * ```
 */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  readonly code: Refused["code"];
  readonly status?: number;
  readonly retryAfterMs: number;
  /** Whether the server named that time; otherwise it is a guess. */
  readonly isAskedFor: boolean;

  constructor(troubled: Troubled, options?: ErrorOptions) {
    super(troubled.message, options);
    this.code = troubled.code ?? "unavailable";
    this.retryAfterMs = troubled.retryAfterMs ?? 1_000;
    this.isAskedFor = troubled.retryAfterMs !== undefined;
    if (troubled.status !== undefined) this.status = troubled.status;
  }
}

/**
 * Whether repeating the call is useless. By name, so that it also holds for errors made by another copy of this package.
 *
 * @example
 * ```ts
 * import { isTerminalError } from "@holdpoint/sdk";
 *
 * export function explain(error: unknown): string {
 *   return isTerminalError(error) ? `${error.code}: ${error.message}` : "unknown";
 * }
 * ```
 */
export function isTerminalError(error: unknown): error is TerminalError {
  return error instanceof Error && error.name === "TerminalError";
}

/**
 * Whether the same call may work later; `retryAfterMs` says when to try.
 *
 * @example
 * ```ts
 * import { Holdpoint, isRetryableError } from "@holdpoint/sdk";
 *
 * try {
 *   await new Holdpoint().get("hold_1");
 * } catch (error) {
 *   if (!isRetryableError(error)) throw error;
 *   console.error(`the server is away; again in ${error.retryAfterMs} ms`);
 * }
 * ```
 */
export function isRetryableError(error: unknown): error is RetryableError {
  return error instanceof Error && error.name === "RetryableError";
}

/**
 * Whether this is the refusal with that code.
 *
 * @example
 * ```ts
 * import { Holdpoint, isRefusal } from "@holdpoint/sdk";
 *
 * try {
 *   await new Holdpoint().cancel("hold_1");
 * } catch (error) {
 *   if (!isRefusal(error, "already_settled")) throw error;
 *   console.error("somebody was faster:", error.outcome?.kind);
 * }
 * ```
 */
export function isRefusal(error: unknown, code: Code): error is TerminalError {
  return isTerminalError(error) && error.code === code;
}

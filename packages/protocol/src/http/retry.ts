/** When to try again. Pure: the random number and the time come in. */

export interface RetryPolicy {
  /** Tries in all, the first one included. */
  readonly attemptsMax: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/** About a minute in all, which outlasts a restart of the server. */
export const DEFAULT_RETRY: RetryPolicy = { attemptsMax: 9, baseMs: 250, capMs: 15_000 };

/** A server that asks for more than this is not waited for inside a call; the caller is told instead. */
export const RETRY_AFTER_MAX_MS = 60_000;

/** Exponential, between half and all of the step, so that clients that failed together do not come back together. */
export function backoffMs(attempt: number, policy: RetryPolicy, random: number): number {
  const step = Math.min(policy.capMs, policy.baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(step / 2 + (step / 2) * random);
}

/** The header's seconds or date as milliseconds from now. */
export function retryAfterMsOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Engines read many texts as dates, a negative number for one; HTTP's begin with the day.
  const at = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

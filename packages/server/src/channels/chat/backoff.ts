/** Waits between attempts to connect: they double up to a limit, and a random part keeps servers from coming all at once. */

import type { Clock } from "../../system/clock.ts";

export interface BackoffOptions {
  readonly firstMs: number;
  readonly mostMs: number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

export interface Backoff {
  /** How long to wait before the next attempt. */
  next(): number;
  /** The last attempt was good. */
  reset(): void;
}

export function createBackoff({ firstMs, mostMs, random }: BackoffOptions): Backoff {
  let failures = 0;
  return {
    next() {
      const ms = Math.min(mostMs, firstMs * 2 ** failures);
      failures += 1;
      return Math.round(ms * (0.5 + random() / 2));
    },
    reset() {
      failures = 0;
    },
  };
}

/** Resolves after the wait, or as soon as the signal aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.at(clock.now() + ms, done);
    signal.addEventListener("abort", done, { once: true });
  });
}

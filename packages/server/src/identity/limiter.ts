/** Limits on everything that guesses: a fixed budget per name and window, kept in memory, bounded in size. */

import type { Clock } from "../system/clock.ts";

export interface Limit {
  readonly budget: number;
  readonly windowMs: number;
}

export type Verdict =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly retryAfterMs: number };

interface Window {
  readonly endsAt: number;
  spent: number;
}

/** Names remembered at once; an attacker with more names than this only makes the oldest forget. */
const NAMES_MAX = 50_000;

export class Limiter {
  readonly #clock: Clock;
  readonly #limit: Limit;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, limit: Limit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Spends one; says whether there was one left to spend. */
  spend(name: string): Verdict {
    const window = this.#window(name);
    if (window.spent >= this.#limit.budget) {
      return { ok: false, retryAfterMs: Math.max(1, window.endsAt - this.#clock.now()) };
    }
    window.spent += 1;
    return { ok: true, remaining: this.#limit.budget - window.spent };
  }

  /** Whether one more would be refused, without spending. */
  peek(name: string): Verdict {
    const window = this.#windows.get(name);
    const now = this.#clock.now();
    if (window === undefined || window.endsAt <= now || window.spent < this.#limit.budget) {
      return { ok: true, remaining: this.#limit.budget - (window?.spent ?? 0) };
    }
    return { ok: false, retryAfterMs: window.endsAt - now };
  }

  #window(name: string): Window {
    const now = this.#clock.now();
    const known = this.#windows.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    this.#windows.delete(name);
    const fresh = { endsAt: now + this.#limit.windowMs, spent: 0 };
    this.#windows.set(name, fresh);
    if (this.#windows.size > NAMES_MAX) {
      const oldest = this.#windows.keys().next().value;
      if (oldest !== undefined) this.#windows.delete(oldest);
    }
    return fresh;
  }
}

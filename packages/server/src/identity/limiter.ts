/**
 * Rate limits: a fixed budget per name and time window, kept in memory and bounded in size.
 *
 * Servers with a shared store share budgets without a query per call: each server adds its own count to the store every
 * `SHARE_MS` and reads the total. So the budget can be exceeded only by what other servers allow within `SHARE_MS`.
 */

import type { Shared, Spending } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";

export interface Limit {
  readonly budget: number;
  readonly windowMs: number;
}

export type Verdict =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly retryAfterMs: number };

interface Window {
  endsAt: number;
  spent: number;
  /** The part of `spent` that is not in the store yet. */
  unshared: number;
}

/** The most names in memory. With more names, the oldest windows are dropped. */
const NAMES_MAX = 50_000;
const SHARE_MS = 250;

export interface Sharing {
  readonly store: { readonly shared: Pick<Shared, "hasOthers" | "spend"> };
  /** The name of this budget, the same on every server. */
  readonly of: string;
}

export class Limiter {
  readonly #clock: Clock;
  readonly #limit: Limit;
  readonly #sharing: Sharing | undefined;
  readonly #windows = new Map<string, Window>();
  readonly #unshared = new Set<string>();
  #isSharing = false;

  constructor(clock: Clock, limit: Limit, sharing?: Sharing) {
    this.#clock = clock;
    this.#limit = limit;
    this.#sharing = sharing;
  }

  /** Spends one unit, or returns how long to wait if the budget is used up. */
  spend(name: string): Verdict {
    const window = this.#window(name);
    if (window.spent >= this.#limit.budget) {
      return { ok: false, retryAfterMs: Math.max(1, window.endsAt - this.#clock.now()) };
    }
    window.spent += 1;
    window.unshared += 1;
    this.#shareSoon(name);
    return { ok: true, remaining: this.#limit.budget - window.spent };
  }

  /** Whether `spend` would be refused, without spending. */
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
    const fresh = { endsAt: now + this.#limit.windowMs, spent: 0, unshared: 0 };
    this.#windows.set(name, fresh);
    if (this.#windows.size > NAMES_MAX) {
      const oldest = this.#windows.keys().next().value;
      if (oldest !== undefined) this.#windows.delete(oldest);
    }
    return fresh;
  }

  #shareSoon(name: string): void {
    if (this.#sharing?.store.shared.hasOthers !== true) return;
    this.#unshared.add(name);
    if (this.#isSharing) return;
    this.#isSharing = true;
    this.#clock.at(this.#clock.now() + SHARE_MS, () => this.#share());
  }

  async #share(): Promise<void> {
    const { store, of = "" } = this.#sharing ?? {};
    const now = this.#clock.now();
    const taken = this.#takeUnshared(now);
    try {
      const spendings = taken.map(([name, count, leftMs]): Spending => {
        return { name: `${of}:${name}`, count, windowMs: leftMs };
      });
      for (const { name, spent, endsAt } of (await store?.shared.spend(spendings, now)) ?? []) {
        const window = this.#windows.get(name.slice(of.length + 1));
        if (window === undefined) continue;
        window.spent = spent + window.unshared;
        window.endsAt = endsAt;
      }
    } catch {
      // The store failed: the counts are added again and shared the next time.
      for (const [name, count] of taken) {
        const window = this.#windows.get(name);
        if (window === undefined) continue;
        window.unshared += count;
        this.#unshared.add(name);
      }
    } finally {
      this.#isSharing = false;
    }
  }

  /** With the remaining time of each window, because the caller was told to wait from when it started here. */
  #takeUnshared(now: number): readonly (readonly [name: string, count: number, leftMs: number])[] {
    const taken: [string, number, number][] = [];
    for (const name of this.#unshared) {
      const window = this.#windows.get(name);
      if (window === undefined || window.unshared === 0 || window.endsAt <= now) continue;
      taken.push([name, window.unshared, window.endsAt - now]);
      window.unshared = 0;
    }
    this.#unshared.clear();
    return taken;
  }
}

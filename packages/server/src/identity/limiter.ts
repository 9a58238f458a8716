/**
 * Limits on everything that guesses: a fixed budget per name and window, kept in memory, bounded in size.
 *
 * Servers that share a store share budgets too, without asking it at every call: each tells the store now and then what was
 * spent here and hears what was spent everywhere. So more than the budget can be spent, by what the other servers let
 * through within `SHARE_MS`, and no more.
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
  /** Of these, not told to the other servers yet. */
  untold: number;
}

/** Names remembered at once; an attacker with more names than this only makes the oldest forget. */
const NAMES_MAX = 50_000;
const SHARE_MS = 250;

export interface Sharing {
  readonly store: { readonly shared: Pick<Shared, "hasOthers" | "spend"> };
  /** Which budget this is, the same on every server. */
  readonly of: string;
}

export class Limiter {
  readonly #clock: Clock;
  readonly #limit: Limit;
  readonly #sharing: Sharing | undefined;
  readonly #windows = new Map<string, Window>();
  readonly #untold = new Set<string>();
  #isSharing = false;

  constructor(clock: Clock, limit: Limit, sharing?: Sharing) {
    this.#clock = clock;
    this.#limit = limit;
    this.#sharing = sharing;
  }

  /** Spends one; says whether there was one left to spend. */
  spend(name: string): Verdict {
    const window = this.#window(name);
    if (window.spent >= this.#limit.budget) {
      return { ok: false, retryAfterMs: Math.max(1, window.endsAt - this.#clock.now()) };
    }
    window.spent += 1;
    window.untold += 1;
    this.#shareSoon(name);
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
    const fresh = { endsAt: now + this.#limit.windowMs, spent: 0, untold: 0 };
    this.#windows.set(name, fresh);
    if (this.#windows.size > NAMES_MAX) {
      const oldest = this.#windows.keys().next().value;
      if (oldest !== undefined) this.#windows.delete(oldest);
    }
    return fresh;
  }

  #shareSoon(name: string): void {
    if (this.#sharing?.store.shared.hasOthers !== true) return;
    this.#untold.add(name);
    if (this.#isSharing) return;
    this.#isSharing = true;
    this.#clock.at(this.#clock.now() + SHARE_MS, () => this.#share());
  }

  async #share(): Promise<void> {
    const { store, of = "" } = this.#sharing ?? {};
    const now = this.#clock.now();
    const told = this.#takeUntold(now);
    try {
      const spendings = told.map(([name, count, leftMs]): Spending => {
        return { name: `${of}:${name}`, count, windowMs: leftMs };
      });
      for (const { name, spent, endsAt } of (await store?.shared.spend(spendings, now)) ?? []) {
        const window = this.#windows.get(name.slice(of.length + 1));
        if (window === undefined) continue;
        window.spent = spent + window.untold;
        window.endsAt = endsAt;
      }
    } catch {
      // The store cannot be asked now: what was spent is told the next time.
      for (const [name, count] of told) {
        const window = this.#windows.get(name);
        if (window === undefined) continue;
        window.untold += count;
        this.#untold.add(name);
      }
    } finally {
      this.#isSharing = false;
    }
  }

  /** With how long each has left: whoever is told to wait was told from when it was spent here. */
  #takeUntold(now: number): readonly (readonly [name: string, count: number, leftMs: number])[] {
    const told: [string, number, number][] = [];
    for (const name of this.#untold) {
      const window = this.#windows.get(name);
      if (window === undefined || window.untold === 0 || window.endsAt <= now) continue;
      told.push([name, window.untold, window.endsAt - now]);
      window.untold = 0;
    }
    this.#untold.clear();
    return told;
  }
}

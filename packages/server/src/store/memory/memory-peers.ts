/**
 * What several memory stores over one `MemoryData` share, as servers share a database: one writer at a time, notice of each other's
 * commits, a lock, budgets. For simulations of several servers in one process.
 */

import type { SealedEvent } from "../../kernel/record.ts";
import { endedBy } from "../ended.ts";
import type { Hint, Shared, Spending, Spent } from "../port.ts";
import { QueueLock } from "../queue-lock.ts";

export class MemoryPeers {
  /** Batches of all the stores run under it (S4). */
  readonly batches = new QueueLock();
  readonly #lookMs: number;
  readonly #alone = new QueueLock();
  readonly #budgets = new Map<string, Spent>();
  readonly #watchers = new Map<object, (hint: Hint) => void>();
  readonly #hearers = new Map<object, (text: string) => void>();

  constructor(lookMs: number) {
    this.#lookMs = lookMs;
  }

  /** As one store sees the others. `store` only names it. */
  sharedOf(store: object, lastPosition: () => number): Shared {
    return {
      hasOthers: true,
      lookMs: this.#lookMs,
      watch: (onMore) => {
        this.#watchers.set(store, onMore);
        return { after: lastPosition(), stop: async () => this.left(store) };
      },
      tell: (text) => {
        for (const [other, heard] of this.#hearers) if (other !== store) setImmediate(heard, text);
      },
      hear: (heard) => void this.#hearers.set(store, heard),
      alone: async (_name, work) => {
        const unlock = await this.#alone.acquire();
        return work().finally(unlock);
      },
      spend: async (spendings, now) => spendings.map((spending) => this.#spend(spending, now)),
    };
  }

  /** A notice takes a turn, as one over a connection does. */
  committed(by: object, events: readonly SealedEvent[]): void {
    const hint = { at: events.at(-1)?.at, ended: endedBy(events) };
    for (const [store, onMore] of this.#watchers) if (store !== by) setImmediate(onMore, hint);
  }

  left(store: object): void {
    this.#watchers.delete(store);
    this.#hearers.delete(store);
  }

  #spend({ name, count, windowMs }: Spending, now: number): Spent {
    const before = this.#budgets.get(name);
    const isOver = before === undefined || before.endsAt <= now;
    const total = isOver
      ? { name, spent: count, endsAt: now + windowMs }
      : { ...before, spent: before.spent + count };
    this.#budgets.set(name, total);
    return total;
  }
}

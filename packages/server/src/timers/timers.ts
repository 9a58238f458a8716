/**
 * One loop over the earliest due row; no timeout per hold in memory.
 *
 * T1  A due timer becomes a command; the kernel decides what it means, on the state at that time (G3).
 * T2  A timer fires at most once: the commit that states what became due also moves or removes the row.
 * T3  A timer whose command fails, or changes nothing, rests and is retried later; it never delays the others.
 * T4  Every store finds due timers within the batch that fires them. Servers that share a store skip rows that
 *     another one has locked, and search often enough to fire what a dead server left.
 */

import type { Engine } from "../engine/engine.ts";
import type { EntityKey } from "../kernel/entity.ts";

const BATCH = 500;
const RETRY_MS = 5_000;
/** A due timer is locked by another server: try again after this time, then less and less often. */
const BUSY_MS = 20;

export interface TimersOptions {
  readonly engine: Engine;
  /** Receives how late each timer fired. */
  readonly onFired?: (lateMs: number) => void;
  readonly onFault?: (fault: unknown, key: EntityKey | null) => void;
}

export class Timers {
  readonly #options: TimersOptions;
  readonly #detach: () => void;
  #cancel: (() => void) | null = null;
  #busyMs = BUSY_MS;
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(options: TimersOptions) {
    this.#options = options;
    this.#detach = options.engine.onCommit(({ nextTimerAt }) => {
      if (nextTimerAt !== null) this.#armBy(nextTimerAt);
    });
  }

  /** Fires everything that came due while no server was running, then waits for the next timer. */
  start(): Promise<void> {
    return this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#detach();
    this.#cancel?.();
    await this.#running;
  }

  /** Wakes at `dueAt`, unless an earlier wake-up is already set. */
  #armBy(dueAt: number): void {
    if (this.#stopped || dueAt >= this.#armedFor) return;
    this.#cancel?.();
    this.#armedFor = dueAt;
    this.#cancel = this.#options.engine.clock.at(dueAt, () => this.#wake());
  }

  #wake(): Promise<void> {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#cancel?.();
    this.#cancel = null;
    if (this.#running !== null) this.#again = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#again = false;
        await this.#fireDue();
      } while (this.#again && !this.#stopped);
    } catch (fault) {
      this.#options.onFault?.(fault, null);
      this.#armBy(this.#options.engine.clock.now() + RETRY_MS);
    } finally {
      // Must run in the same turn as the last check of `#again`; otherwise a wake-up in between would be lost.
      this.#running = null;
    }
  }

  /** Fires small batches until nothing is due that no other server has locked, then waits for the next timer. */
  async #fireDue(): Promise<void> {
    const { store, clock } = this.#options.engine;
    const { lookMs } = store.shared;
    let found = 0;
    while (!this.#stopped) {
      const nextAt = found === BATCH ? 0 : ((await store.nextTimerAt()) ?? Number.POSITIVE_INFINITY);
      const now = clock.now();
      if (nextAt > now) {
        this.#busyMs = BUSY_MS;
        this.#armBy(Math.min(nextAt, now + lookMs));
        return;
      }
      found = await this.#fireBatch();
      if (found === 0) {
        this.#armBy(now + this.#busyMs);
        this.#busyMs = Math.min(2 * this.#busyMs, lookMs);
        return;
      }
      this.#busyMs = BUSY_MS;
    }
  }

  /** Fires one batch and returns how many timers were due. */
  async #fireBatch(): Promise<number> {
    const { engine, onFired, onFault } = this.#options;
    const now = engine.clock.now();
    const fired = await engine.runDue({ limit: BATCH, restMs: RETRY_MS });
    for (const { key, dueAt, result } of fired) {
      if ("fault" in result) onFault?.(result.fault, key);
      else if (result.ok && result.fresh) onFired?.(now - dueAt);
    }
    return fired.length;
  }
}

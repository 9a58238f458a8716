import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../system/clock.ts";

export interface ManualClockOptions {
  readonly startAt?: number;
  /** Awaited after each wake, for work that leaves the process (sockets, a database) and so outlasts a turn. */
  readonly settle?: () => Promise<void>;
}

interface Wake {
  readonly dueAt: number;
  /** How far the clock had been set when the wake was registered. */
  readonly jumped: number;
  readonly run: () => void | Promise<void>;
}

/**
 * A clock that moves only when told to.
 *
 * `advance` stops at every due wake in order of (time, registration), sets `now()` to that time in whole milliseconds, runs it, waits
 * for what it started and only then goes on; wakes registered on the way are included. A wake that returns a promise is
 * waited for, so such a wake must not itself wait for a later time of this clock; one that returns nothing is given one
 * turn of the event loop. A wake that is already due when registered runs in the next microtask. After the clock was set back, a wake
 * comes when as much time has passed as there was to wait.
 */
export class ManualClock implements Clock {
  #now: number;
  /** How far the clock was set back and forth without time passing. */
  #jumped = 0;
  #advancing = false;
  readonly #wakes = new Set<Wake>();
  readonly #settle: (() => Promise<void>)[];

  constructor(options: ManualClockOptions = {}) {
    this.#now = options.startAt ?? Date.UTC(2026, 0, 1);
    this.#settle = options.settle === undefined ? [] : [options.settle];
  }

  /** One more thing that is waited for after each wake. */
  waitFor(settle: () => Promise<void>): void {
    this.#settle.push(settle);
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now - this.#jumped;
  }

  at(dueAt: number, wake: () => void | Promise<void>): () => void {
    if (Number.isNaN(dueAt)) throw new TypeError("dueAt must be a number, not NaN");
    // As on a machine, whose clock counts whole milliseconds: who wants to wake between two of them wakes at the next.
    const entry: Wake = { dueAt: Math.ceil(dueAt), jumped: this.#jumped, run: wake };
    this.#wakes.add(entry);
    // While advancing, `advance` itself picks it up in its right place.
    if (entry.dueAt <= this.#now && !this.#advancing) {
      queueMicrotask(() => {
        if (this.#wakes.delete(entry)) void entry.run();
      });
    }
    return () => {
      this.#wakes.delete(entry);
    };
  }

  /** Moves on by `ms`; 0 runs what is due and lets started work settle. */
  advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError("advance needs zero or more milliseconds");
    return this.#moveTo(this.#now + ms);
  }

  /** Moves to `time`. A time in the past sets the clock back, as an operator might, and wakes nobody. */
  set(time: number): Promise<void> {
    if (time < this.#now) {
      this.#jumped += time - this.#now;
      this.#now = time;
      return Promise.resolve();
    }
    return this.#moveTo(time);
  }

  /** Sets the clock forth by `ms` without time passing, as an operator might; runs what is due by then. */
  jump(ms: number): Promise<void> {
    this.#jumped += ms;
    this.#now += ms;
    return this.#moveTo(this.#now);
  }

  /** Wakes still registered, for leak checks. */
  get pending(): number {
    return this.#wakes.size;
  }

  nextAt(): number | null {
    const wake = this.#earliest();
    return wake === undefined ? null : this.#dueAt(wake);
  }

  async #moveTo(target: number): Promise<void> {
    if (this.#advancing) throw new Error("the clock is already being moved");
    this.#advancing = true;
    try {
      await this.#rest();
      for (let wake = this.#earliest(); wake && this.#dueAt(wake) <= target; wake = this.#earliest()) {
        this.#wakes.delete(wake);
        // Like a machine's clock it has whole milliseconds only.
        this.#now = Math.max(this.#now, this.#dueAt(wake));
        await wake.run();
        await this.#rest();
      }
      this.#now = target;
    } finally {
      this.#advancing = false;
    }
  }

  /** One whole turn of the event loop empties the microtask queue on the way. */
  async #rest(): Promise<void> {
    await nextTurn();
    for (const settle of this.#settle) await settle();
  }

  #dueAt({ dueAt, jumped }: Wake): number {
    return dueAt + Math.min(0, this.#jumped - jumped);
  }

  /** A set keeps the order of registration, so the first of equals was registered first. */
  #earliest(): Wake | undefined {
    let first: Wake | undefined;
    for (const wake of this.#wakes) if (!first || this.#dueAt(wake) < this.#dueAt(first)) first = wake;
    return first;
  }
}

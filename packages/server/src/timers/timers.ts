/**
 * One loop over the earliest due row; no timeout per hold in memory.
 *
 * T1  A due timer becomes a command; what it means is decided by the core, on the state at that time (G3).
 * T2  A timer fires at most once: the commit that states what became due also moves or removes the row.
 * T3  A timer whose command fails is tried again later and never stops the others.
 */

import type { Command } from "../core/decide.ts";
import type { EntityKey } from "../core/entity.ts";
import { keyText } from "../core/entity.ts";
import { SYSTEM } from "../core/principal.ts";
import type { Timer } from "../core/record.ts";
import type { Engine } from "../engine/engine.ts";

const BATCH = 500;
const RETRY_MS = 5_000;

export interface TimersOptions {
  readonly engine: Engine;
  /** How late each fired timer was. */
  readonly onFired?: (lateMs: number) => void;
  readonly onFault?: (fault: unknown, key: EntityKey | null) => void;
}

/** Which command a due entity gets. */
export function commandFor(key: EntityKey): Command {
  if (key.kind !== "hold") throw new Error(`no timer command for ${key.kind}`);
  return { kind: "tick_hold", workspace: key.workspace, by: SYSTEM, holdId: key.id };
}

export class Timers {
  readonly #options: TimersOptions;
  readonly #resting = new Map<string, number>();
  readonly #detach: () => void;
  #cancel: (() => void) | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(options: TimersOptions) {
    this.#options = options;
    this.#detach = options.engine.onCommit(({ nextTimerAt }) => {
      if (nextTimerAt !== null && nextTimerAt < this.#armedFor) this.#arm(nextTimerAt);
    });
  }

  /** Fires whatever came due while nobody was running, then waits for the next. */
  start(): Promise<void> {
    return this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#detach();
    this.#cancel?.();
    await this.#running;
  }

  #arm(dueAt: number): void {
    if (this.#stopped) return;
    this.#cancel?.();
    this.#armedFor = dueAt;
    this.#cancel = this.#options.engine.clock.at(dueAt, () => this.#wake());
  }

  #wake(): Promise<void> {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#cancel?.();
    this.#cancel = null;
    if (this.#running !== null) this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#again = false;
        while (!this.#stopped && (await this.#fireDue()));
      } while (this.#again && !this.#stopped);
      await this.#armNext();
    } catch (fault) {
      this.#options.onFault?.(fault, null);
      this.#arm(this.#options.engine.clock.now() + RETRY_MS);
    }
  }

  async #armNext(): Promise<void> {
    const next = await this.#options.engine.store.nextTimerAt();
    if (next === null) return;
    const now = this.#options.engine.clock.now();
    // A row still due now is one that is resting after a failure.
    const dueAt = next > now ? next : Math.min(...this.#resting.values(), now + RETRY_MS);
    if (dueAt < this.#armedFor) this.#arm(dueAt);
  }

  /** One batch; `true` when there may be more. */
  async #fireDue(): Promise<boolean> {
    const { engine } = this.#options;
    const now = engine.clock.now();
    const due = await engine.store.dueTimers(now, BATCH + this.#resting.size);
    const ready = due.filter(({ key }) => (this.#resting.get(keyText(key)) ?? 0) <= now);
    if (ready.length === 0) return false;
    const fired = await Promise.all(ready.map((timer) => this.#fire(timer, now)));
    return fired.some((ok) => ok);
  }

  async #fire({ key, dueAt }: Timer, now: number): Promise<boolean> {
    const { engine, onFired, onFault } = this.#options;
    try {
      await engine.run(commandFor(key));
      this.#resting.delete(keyText(key));
      onFired?.(now - dueAt);
      return true;
    } catch (fault) {
      this.#resting.set(keyText(key), now + RETRY_MS);
      onFault?.(fault, key);
      return false;
    }
  }
}

/**
 * One loop over the earliest due row; no timeout per hold in memory.
 *
 * T1  A due timer becomes a command; what it means is decided by the core, on the state at that time (G3).
 * T2  A timer fires at most once: the commit that states what became due also moves or removes the row.
 * T3  A timer whose command fails, or finds nothing to do, rests and is tried again later; it never delays the others.
 * T4  Servers that share a store each take a handful of their own, under locks that end with the commit or the server, and
 *     look often enough to fire what a dead one left.
 */

import type { Command } from "../core/decide.ts";
import type { EntityKey } from "../core/entity.ts";
import { keyText } from "../core/entity.ts";
import { SYSTEM } from "../core/principal.ts";
import type { Timer } from "../core/record.ts";
import type { Engine } from "../engine/engine.ts";

const BATCH = 500;
const RETRY_MS = 5_000;
/** Due, and in the hands of another server this very moment; should it stay so, it is looked at less and less. */
const BUSY_MS = 20;
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

export interface TimersOptions {
  readonly engine: Engine;
  /** How late each fired timer was. */
  readonly onFired?: (lateMs: number) => void;
  readonly onFault?: (fault: unknown, key: EntityKey | null) => void;
}

/** Which command a due entity gets; `undefined`: this kind has no timers. */
export function commandFor(key: EntityKey): Command | undefined {
  const { workspace, id } = key;
  switch (key.kind) {
    case "hold":
      return { kind: "tick_hold", workspace, by: SYSTEM, holdId: id };
    case "intent":
      return { kind: "tick_intent", workspace, by: SYSTEM, intentId: id };
    case "coordinator":
      return { kind: "tick_coordinator", workspace, by: SYSTEM, coordinatorId: id };
    case "task":
      return { kind: "tick_task", workspace, by: SYSTEM, taskId: id };
    case "subscription":
      return { kind: "expire_subscription", workspace, by: SYSTEM, subscriptionId: id };
    case "thread":
      return { kind: "tick_thread", workspace, by: SYSTEM, id };
    case "release":
      return { kind: "tick_release", workspace, by: SYSTEM, groupId: id };
    default:
      return undefined;
  }
}

/** A row left as it was. Only that very row rests: once it has moved, it is another matter. */
interface Rest {
  readonly dueAt: number;
  readonly until: number;
}

export class Timers {
  readonly #options: TimersOptions;
  readonly #resting = new Map<string, Rest>();
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

  /** Wakes at `dueAt`, or before if it would have anyway. */
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
        const { lookMs } = this.#options.engine.store;
        if (lookMs === undefined) await this.#fireAll();
        else await this.#fireMine(lookMs);
      } while (this.#again && !this.#stopped);
    } catch (fault) {
      this.#options.onFault?.(fault, null);
      this.#armBy(this.#options.engine.clock.now() + RETRY_MS);
    } finally {
      // In the same turn as the last look at `#again`, or a wake in between would be lost.
      this.#running = null;
    }
  }

  /** There are no other servers. */
  async #fireAll(): Promise<void> {
    const { store } = this.#options.engine;
    while (!this.#stopped && (await this.#fireSome()));
    if (this.#stopped) return;
    // The earliest rows, one more than can be resting: so the earliest that is not is among them.
    const first = await store.dueTimers(END_OF_TIME, this.#resting.size + 1);
    this.#armBy(Math.min(...first.map((timer) => this.#readyAt(timer))));
  }

  /** There are other servers: the store hands out what none of them is at, and knows what rests. */
  async #fireMine(lookMs: number): Promise<void> {
    const { store, clock } = this.#options.engine;
    let found = 0;
    while (!this.#stopped) {
      const nextAt = found === BATCH ? 0 : ((await store.nextTimerAt()) ?? END_OF_TIME);
      const now = clock.now();
      if (nextAt > now) {
        this.#busyMs = BUSY_MS;
        this.#armBy(Math.min(nextAt, now + lookMs));
        return;
      }
      found = await this.#fireHandful();
      if (found === 0) {
        this.#armBy(now + this.#busyMs);
        this.#busyMs = Math.min(2 * this.#busyMs, lookMs);
        return;
      }
      this.#busyMs = BUSY_MS;
    }
  }

  /** How many there were. */
  async #fireHandful(): Promise<number> {
    const { engine, onFired, onFault } = this.#options;
    const now = engine.clock.now();
    const fired = await engine.runDue({ limit: BATCH, restMs: RETRY_MS, commandFor });
    for (const { entity, dueAt, result } of fired) {
      if ("fault" in result) onFault?.(result.fault, entity);
      else if (result.ok && result.fresh) onFired?.(now - dueAt);
    }
    return fired.length;
  }

  #readyAt({ key, dueAt }: Timer): number {
    if (this.#resting.size === 0) return dueAt;
    const rest = this.#resting.get(keyText(key));
    return rest?.dueAt === dueAt ? Math.max(dueAt, rest.until) : dueAt;
  }

  /** One batch; `true` when there may be more. */
  async #fireSome(): Promise<boolean> {
    const { store, clock } = this.#options.engine;
    const now = clock.now();
    const due = await store.dueTimers(now, BATCH + this.#resting.size);
    this.#forgetOthers(due);
    const ready = due.filter((timer) => this.#readyAt(timer) <= now);
    const fired = await Promise.all(ready.map((timer) => this.#fire(timer, now)));
    return fired.some((ok) => ok);
  }

  async #fire({ key, dueAt }: Timer, now: number): Promise<boolean> {
    const { engine, onFired, onFault } = this.#options;
    if (this.#resting.size > 0) this.#resting.delete(keyText(key));
    try {
      const command = commandFor(key);
      if (command === undefined) throw new Error(`no timer command for ${key.kind}`);
      const result = await engine.run(command);
      if (result.ok && result.fresh) {
        onFired?.(now - dueAt);
        return true;
      }
    } catch (fault) {
      onFault?.(fault, key);
    }
    this.#resting.set(keyText(key), { dueAt, until: now + RETRY_MS });
    return false;
  }

  /** Rows that rested and are no longer due were moved or removed meanwhile. */
  #forgetOthers(due: readonly Timer[]): void {
    if (this.#resting.size === 0) return;
    const still = new Set(due.map(({ key }) => keyText(key)));
    for (const text of this.#resting.keys()) if (!still.has(text)) this.#resting.delete(text);
  }
}

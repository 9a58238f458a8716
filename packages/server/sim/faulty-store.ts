/**
 * A store that fails as stores do: before anything happened, or right after everything did but before anyone could be told.
 * The second is a crash, where the process is gone and the data is there, or a lost connection, where the process lives on and
 * does not know.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Batch, Changes, Committed, Store } from "../src/store/port.ts";
import type { Random } from "./random.ts";

export interface StoreFaults {
  /** Probability per call. */
  readonly begin: number;
  readonly load: number;
  readonly commitBefore: number;
  readonly commitAfter: number;
  readonly other: number;
  /** That a commit takes many turns of the event loop. */
  readonly slow: number;
}

export class SimulatedFault extends Error {
  override readonly name = "SimulatedFault";
}

export interface FaultyStoreOptions {
  readonly store: Store;
  readonly random: Random;
  readonly faults: () => StoreFaults;
  /** The process dies now: written, and nobody told. */
  readonly die: () => void;
  readonly isDead: () => boolean;
  /** Called with every commit that takes its time. */
  readonly onSlow: (done: Promise<void>) => void;
}

/** How often a commit that nobody hears of leaves its process alive. */
const LIVES_ON = 0.3;

const NEVER_FAIL: ReadonlySet<string> = new Set(["close"]);

export function faultyStore({ store, random, faults, die, isDead, onSlow }: FaultyStoreOptions): Store {
  const refuseDead = () => {
    if (isDead()) throw new SimulatedFault("this process is gone");
  };
  return new Proxy(store, {
    get(target, name: keyof Store & string) {
      const method = target[name] as unknown;
      if (typeof method !== "function") return method;
      const call = method.bind(target) as (...args: unknown[]) => unknown;
      if (name === "begin") return begin;
      if (NEVER_FAIL.has(name) || name === "scan") return call;
      return async (...args: unknown[]) => {
        refuseDead();
        if (random.chance(faults().other)) throw new SimulatedFault(`${name} failed`);
        return call(...args);
      };
    },
  });

  async function begin(): Promise<Batch> {
    refuseDead();
    if (random.chance(faults().begin)) throw new SimulatedFault("begin failed");
    const batch = await store.begin();
    return {
      load: async (wants, room) => {
        refuseDead();
        if (random.chance(faults().load)) throw new SimulatedFault("load failed");
        return batch.load(wants, room);
      },
      find: (kind, id) => batch.find(kind, id),
      query: (query) => batch.query(query),
      events: (query) => batch.events(query),
      due: (now, limit, room) => batch.due(now, limit, room),
      now: (serverNow) => batch.now(serverNow),
      release: () => batch.release(),
      commit: (changes) => commit(batch, changes),
    };
  }

  /** Turns, not time: other requests come in between. */
  async function slowly(): Promise<void> {
    if (!random.chance(faults().slow)) return;
    const pause = async (turns: number) => {
      for (let left = turns; left > 0; left -= 1) await nextTurn();
    };
    const done = pause(random.int(1, 20));
    onSlow(done);
    await done;
  }

  async function commit(batch: Batch, changes: Changes): Promise<Committed> {
    if (isDead() || random.chance(faults().commitBefore)) {
      await batch.release();
      throw new SimulatedFault("commit failed before anything was written");
    }
    await slowly();
    const committed = await batch.commit(changes);
    await slowly();
    if (random.chance(faults().commitAfter)) {
      if (random.chance(LIVES_ON)) throw new SimulatedFault("the connection was lost right after the commit");
      die();
      throw new SimulatedFault("the process died right after the commit");
    }
    return committed;
  }
}

/** A clock that stands still until a test moves it. */

import type { Clock } from "../agent/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export interface ManualClock extends Clock {
  /** Lets everything that can happen now happen. */
  settle(): Promise<void>;
  /** Moves on step by step, waking each sleeper at its own moment. */
  advance(ms: number): Promise<void>;
  /** How many are asleep. */
  sleeping(): number;
}

export function manualClock(startAt = Date.parse("2026-03-01T10:00:00Z")): ManualClock {
  let now = startAt;
  const sleepers = new Set<Sleeper>();
  // Streams pass pieces on through several turns of the loop; a fixed number of turns is more than any of them takes.
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const next = (until: number) =>
    [...sleepers].filter((sleeper) => sleeper.at <= until).sort((one, other) => one.at - other.at)[0];
  return {
    now: () => now,
    after(ms, wake) {
      const sleeper = { at: now + ms, wake };
      sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    },
    settle,
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let sleeper = next(until); sleeper !== undefined; sleeper = next(until)) {
        now = Math.max(now, sleeper.at);
        sleepers.delete(sleeper);
        sleeper.wake();
        await settle();
      }
      now = until;
    },
    sleeping: () => sleepers.size,
  };
}

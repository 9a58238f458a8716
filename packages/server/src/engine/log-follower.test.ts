import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../core/record.ts";
import type { EventQuery, Store } from "../store/port.ts";
import { event } from "../store/suite/fixture.ts";
import { LogFollower } from "./log-follower.ts";

const stored = (position: number): StoredEvent => ({ ...event(`hold:h${position}`, 1), position });

/** A log that several write to, and a follower of it. */
function following({ failsToHear = 0 } = {}) {
  const log: StoredEvent[] = [];
  const heard: number[] = [];
  let [reads, failures] = [0, failsToHear];
  const store = {
    watch: () => ({ after: 0, stop: async () => undefined }),
    lastPosition: async () => log.length,
    events: async ({ after }: EventQuery) => {
      reads += 1;
      return log.slice(after);
    },
  } as unknown as Store;
  const follower = new LogFollower(store, {
    isWanted: () => true,
    hear: async (events) => {
      if (failures-- > 0) throw new Error("the store cannot be asked");
      heard.push(...events.map(({ position }) => position));
    },
  });
  return {
    heard,
    reads: () => reads,
    follower,
    /** Committed, and told to the follower or not. */
    commit: (count: number, isOwn: boolean) => {
      const events = Array.from({ length: count }, (_, i) => stored(log.length + i + 1));
      log.push(...events);
      if (isOwn) follower.wrote(events);
    },
  };
}

describe("what this server has committed", () => {
  test("is heard without being read", async () => {
    const { heard, reads, commit } = following();
    commit(2, true);
    await turn();
    commit(1, true);
    await turn();
    expect(heard).toEqual([1, 2, 3]);
    expect(reads()).toBe(0);
  });

  test("comes after what another committed before it, each once", async () => {
    const { heard, commit, follower } = following();
    commit(2, false);
    commit(2, true);
    await turn();
    expect(heard).toEqual([1, 2, 3, 4]);
    follower.look();
    commit(1, true);
    commit(1, true);
    await turn();
    expect(heard).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("is read again when it could not be heard", async () => {
    const { heard, reads, commit } = following({ failsToHear: 1 });
    commit(2, true);
    await turn();
    expect(heard).toEqual([1, 2]);
    expect(reads()).toBe(1);
  });
});

import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../kernel/record.ts";
import { type EventQuery, SOLE, type Store } from "../store/port.ts";
import { event } from "../store/suite/fixture.ts";
import { LogFollower } from "./log-follower.ts";

const stored = (position: number): StoredEvent => ({ ...event(`hold:h${position}`, 1), position });

/** A log that several write to, and a follower of it. */
function following({ failsToHear = 0, isWanted = (): boolean => true } = {}) {
  const log: StoredEvent[] = [];
  const heard: number[] = [];
  let [reads, failures] = [0, failsToHear];
  const store = {
    shared: SOLE,
    lastPosition: async () => {
      reads += 1;
      return log.length;
    },
    events: async ({ after }: EventQuery) => {
      reads += 1;
      return log.slice(after);
    },
  } as unknown as Store;
  const follower = new LogFollower(store, {
    isWanted,
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

describe("while nobody wants to hear", () => {
  test("the store is not asked for what a notice says, and who comes then hears what comes then", async () => {
    let isWanted = false;
    const { heard, reads, commit, follower } = following({ isWanted: () => isWanted });
    commit(3, false);
    follower.look(3);
    // A notice may come before the news of an own commit that it follows.
    follower.look(5);
    commit(1, true);
    commit(1, false);
    expect([heard, reads()]).toEqual([[], 0]);
    isWanted = true;
    commit(2, false);
    follower.look(7);
    await turn();
    expect([heard, reads()]).toEqual([[6, 7], 1]);
  });

  test("a look that knows nothing asks where the log ends", async () => {
    const { heard, reads, commit, follower } = following({ isWanted: () => false });
    commit(3, false);
    follower.look();
    await turn();
    expect([heard, reads()]).toEqual([[], 1]);
  });
});

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

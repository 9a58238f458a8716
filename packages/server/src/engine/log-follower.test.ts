import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../kernel/record.ts";
import { type EventQuery, SOLE, type Store } from "../store/port.ts";
import { event } from "../store/suite/fixture.ts";
import { LogFollower } from "./log-follower.ts";

const stored = (position: number): StoredEvent => ({
  ...event(`hold:h${position}`, 1),
  position,
  at: 10 * position,
});

/** A log that several servers write to, and a follower of it. */
function following({ failedDeliveries = 0, hasReaders = (): boolean => true } = {}) {
  const log: StoredEvent[] = [];
  const delivered: number[] = [];
  const times: number[] = [];
  let [reads, failures] = [0, failedDeliveries];
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
    hasReaders,
    isAhead: (at) => at > (times.at(-1) ?? 0),
    onTime: (at) => times.push(at),
    deliver: async (events) => {
      if (failures-- > 0) throw new Error("the store is not available");
      delivered.push(...events.map(({ position }) => position));
    },
  });
  return {
    delivered,
    times,
    reads: () => reads,
    follower,
    /** Adds events to the log; with `isOwn` the follower is told about them. */
    commit: (count: number, isOwn: boolean) => {
      const events = Array.from({ length: count }, (_, i) => stored(log.length + i + 1));
      log.push(...events);
      if (isOwn) follower.committed(events);
    },
  };
}

describe("a log follower without readers", () => {
  test("a follower without readers ignores hints of times that it knows, and a new reader gets every event after it joined", async () => {
    let hasReaders = false;
    const { delivered, times, reads, commit, follower } = following({ hasReaders: () => hasReaders });
    times.push(1_000);
    commit(3, false);
    follower.hint(30);
    commit(1, true);
    follower.hint(50);
    expect([delivered, reads()]).toEqual([[], 0]);
    hasReaders = true;
    commit(2, false);
    follower.hint(60);
    await turn();
    expect([delivered, reads()]).toEqual([[5, 6], 1]);
  });

  test("a hint without a time makes a follower without readers ask for the end of the log and its time", async () => {
    const { delivered, times, reads, commit, follower } = following({ hasReaders: () => false });
    commit(3, false);
    follower.hint();
    await turn();
    expect([delivered, times, reads()]).toEqual([[], [30], 2]);
    follower.hint();
    await turn();
    expect([delivered, times, reads()]).toEqual([[], [30], 3]);
  });

  test("G3: a hint of a later time makes the follower read the time of the last event, and moves no time itself", async () => {
    const { times, commit, follower } = following({ hasReaders: () => false });
    commit(3, false);
    follower.hint(4_102_444_800_000);
    await turn();
    expect(times).toEqual([30]);
  });
});

describe("events that this server committed", () => {
  test("own events are delivered without reading the log", async () => {
    const { delivered, reads, commit } = following();
    commit(2, true);
    await turn();
    commit(1, true);
    await turn();
    expect(delivered).toEqual([1, 2, 3]);
    expect(reads()).toBe(0);
  });

  test("own events are delivered after events that another server committed before them, each once", async () => {
    const { delivered, commit, follower } = following();
    commit(2, false);
    commit(2, true);
    await turn();
    expect(delivered).toEqual([1, 2, 3, 4]);
    follower.hint();
    commit(1, true);
    commit(1, true);
    await turn();
    expect(delivered).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("own events are read from the log again if their delivery failed", async () => {
    const { delivered, reads, commit } = following({ failedDeliveries: 1 });
    commit(2, true);
    await turn();
    expect(delivered).toEqual([1, 2]);
    expect(reads()).toBe(1);
  });
});

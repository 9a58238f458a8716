import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../kernel/record.ts";
import { cutPage, PAGE_LENGTH } from "../store/event-pages.ts";
import { type EventQuery, SOLE, type Store } from "../store/port.ts";
import { event } from "../store/suite/fixture.ts";
import { type Interest, LogFollower } from "./log-follower.ts";

const stored = (position: number): StoredEvent => ({
  ...event(`hold:h${position}`, 1),
  position,
  at: 10 * position,
});

/** A log that several servers write to, and a follower of it. */
function following({ failedDeliveries = 0, interest = (): Interest => "all" } = {}) {
  const log: StoredEvent[] = [];
  const delivered: number[] = [];
  const times: number[] = [];
  const lookedAt: (readonly string[])[] = [];
  const scanned: number[] = [];
  let [reads, failures] = [0, failedDeliveries];
  const store = {
    shared: SOLE,
    lastPosition: async () => {
      reads += 1;
      return log.length;
    },
    events: async ({ after, upTo, types }: EventQuery) => {
      reads += 1;
      const from = log.slice(after, upTo);
      scanned.push(from.length);
      return cutPage(from.filter(({ type }) => types === undefined || types.includes(type)));
    },
  } as unknown as Store;
  const follower = new LogFollower(store, {
    interest,
    lookAt: (marks) => lookedAt.push(marks),
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
    lookedAt,
    scanned,
    reads: () => reads,
    follower,
    /** Adds events to the log; with `isOwn` the follower is told about them. */
    commit: (count: number, isOwn: boolean, type = "hold.placed", data = "{}") => {
      const events = Array.from({ length: count }, (_, i) => ({ ...stored(log.length + i + 1), type, data }));
      log.push(...events);
      if (isOwn) follower.committed(events);
    },
  };
}

test.each<Interest>(["all", "endings"])(
  "G13: a follower for %s reads on after a page that ended because its events are long",
  async (interest) => {
    const { delivered, commit, follower } = following({ interest: () => interest });
    commit(5, false, "hold.decided", "x".repeat(PAGE_LENGTH / 2));
    commit(1, false, "intent.changed");
    follower.hint();
    await turn();
    expect(delivered).toEqual(interest === "all" ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5]);
  },
);

describe("a log follower without readers", () => {
  test("a follower without readers ignores hints of times that it knows, and a new reader gets every event after it joined", async () => {
    let interest: Interest = "none";
    const { delivered, times, reads, commit, follower } = following({ interest: () => interest });
    times.push(1_000);
    commit(3, false);
    follower.hint({ at: 30 });
    commit(1, true);
    follower.hint({ at: 50 });
    expect([delivered, reads()]).toEqual([[], 0]);
    interest = "all";
    commit(2, false);
    follower.hint({ at: 60 });
    await turn();
    expect([delivered, reads()]).toEqual([[5, 6], 1]);
  });

  test("a hint without a time makes a follower without readers ask for the end of the log and its time", async () => {
    const { delivered, times, reads, commit, follower } = following({ interest: () => "none" });
    commit(3, false);
    follower.hint();
    await turn();
    expect([delivered, times, reads()]).toEqual([[], [30], 2]);
    follower.hint();
    await turn();
    expect([delivered, times, reads()]).toEqual([[], [30], 3]);
  });

  test("G3: a hint of a later time makes the follower read the time of the last event, and moves no time itself", async () => {
    const { times, commit, follower } = following({ interest: () => "none" });
    commit(3, false);
    follower.hint({ at: 4_102_444_800_000 });
    await turn();
    expect(times).toEqual([30]);
  });
});

describe("a log follower for which agents wait, and no stream is open", () => {
  const waiting = (more: { interest?: () => Interest } = {}) => {
    const kit = following({ interest: () => "endings", ...more });
    // Known already, so that no hint is read for its time.
    kit.times.push(1_000);
    return kit;
  };

  test("a hint that names the holds that ended makes the follower look at them, and not read the log", async () => {
    const { lookedAt, reads, commit, follower } = waiting();
    commit(1, false, "hold.decided");
    follower.hint({ at: 10, ended: ["h1"] });
    follower.hint({ at: 20, ended: [] });
    await turn();
    expect([lookedAt, reads()]).toEqual([[["h1"], []], 0]);
  });

  test("a hint that does not say what ended, and a look without a hint, read the endings only", async () => {
    const { delivered, lookedAt, commit, follower } = waiting();
    commit(2, false);
    commit(1, false, "hold.expired");
    follower.hint({ at: 30 });
    await turn();
    expect(delivered).toEqual([3]);
    commit(1, false);
    commit(1, false, "hold.cancelled");
    follower.hint();
    await turn();
    expect([delivered, lookedAt]).toEqual([[3, 5], []]);
  });

  test("own commits are not read again, also after another server committed", async () => {
    const { reads, commit } = waiting();
    commit(1, true);
    commit(1, false);
    commit(2, true);
    await turn();
    expect(reads()).toBe(0);
  });

  test.each(["hold.decided", "intent.changed"])(
    "G3: a hint of a later time is read, although it names the holds that ended, also if the last event is %s",
    async (type) => {
      const { times, commit, follower } = waiting();
      commit(200, false, type);
      follower.hint({ at: 2_000, ended: [] });
      await turn();
      expect(times.at(-1)).toBe(2_000);
    },
  );

  test("G13: events that end no hold are passed over once, not looked through again at each look", async () => {
    const { scanned, commit, follower } = waiting();
    for (let look = 0; look < 3; look += 1) {
      commit(400, false, "intent.changed");
      follower.hint();
      await turn();
    }
    expect(scanned.filter((count) => count > 1)).toEqual([400, 400, 400]);
  });

  test("a stream that is opened while the endings are read gets the other events too", async () => {
    let interest: Interest = "endings";
    const { delivered, commit, follower } = waiting({ interest: () => interest });
    commit(1, false);
    commit(1, false, "hold.decided");
    follower.hint({ at: 20 });
    interest = "all";
    await turn();
    expect(delivered).toEqual([1, 2]);
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

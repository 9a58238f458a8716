import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { TABLE } from "../domains.ts";
import type { EntityKey } from "../kernel/entity.ts";
import { emptyMemory } from "../store/memory/data.ts";
import { AGENT, holdIn } from "../testing/core-samples.ts";
import { type EngineKit, engineKit, share, type TestStore } from "../testing/engine-kit.ts";
import { Timers } from "./timers.ts";

const RETRY_MS = 5_000;
const placed = (id: string, ...afterMs: readonly number[]) =>
  ({
    kind: "place_hold",
    hold: holdIn({
      id,
      expires: { afterMs: afterMs.at(-1) ?? 50 },
      rungs: afterMs
        .slice(0, -1)
        .map((ms) => ({ kind: "attempt", when: { afterMs: ms }, channel: "chat" }) as const),
    }),
  }) as const;

function withTimers(kit: EngineKit) {
  const late: number[] = [];
  const faults: (EntityKey | null)[] = [];
  const timers = new Timers({
    engine: kit.engine,
    onFired: (lateMs) => late.push(lateMs),
    onFault: (_fault, key) => faults.push(key),
  });
  return { ...kit, timers, late, faults };
}

async function typesOf(store: TestStore, id: string): Promise<readonly string[]> {
  const events = await store.events({ stream: `hold:${id}`, after: 0, limit: 100 });
  return events.map(({ type }) => type);
}

/** Adds a timer row that no command can serve. */
async function addRow(store: TestStore, key: Partial<EntityKey>, dueAt: number): Promise<void> {
  const batch = await store.begin();
  const whole = { workspace: "default", kind: "hold", id: "ghost", ...key } as const;
  await batch.commit({ puts: [], events: [], timers: [{ key: whole, dueAt }], outbox: [] });
}

describe("T1: a due timer becomes a command", () => {
  test("a timer fires at its exact time", async () => {
    const { timers, run, clock, store, late } = withTimers(engineKit());
    await timers.start();
    await run(placed("h1", 20, 50));
    await clock.advance(19);
    expect(await typesOf(store, "h1")).toEqual(["hold.placed"]);
    await clock.advance(1);
    expect(await typesOf(store, "h1")).toEqual(["hold.placed", "hold.escalated"]);
    await clock.advance(30);
    expect(await typesOf(store, "h1")).toEqual(["hold.placed", "hold.escalated", "hold.expired"]);
    expect(late).toEqual([0, 0]);
    expect(clock.pending).toBe(0);
  });

  test("an earlier timer that is set later fires first", async () => {
    const { timers, run, clock, stored } = withTimers(engineKit());
    await timers.start();
    await run(placed("slow", 1_000));
    await run(placed("fast", 10));
    await clock.advance(10);
    expect((await stored("fast"))?.body.status).toBe("expired");
    expect((await stored("slow"))?.body.status).toBe("open");
    await clock.advance(990);
    expect((await stored("slow"))?.body.status).toBe("expired");
  });

  test("1,100 timers that are due at once are fired in three commits", async () => {
    const { timers, run, clock, store, late } = withTimers(engineKit());
    await Promise.all(Array.from({ length: 1_100 }, (_, i) => run(placed(`h${i}`, 10))));
    const before = store.commits.length;
    await timers.start();
    await clock.advance(10);
    expect(late).toHaveLength(1_100);
    expect(store.commits.length - before).toBe(3);
  });

  test("a due hold gets the command tick_hold, and a kind without timers gets none", () => {
    const key = { workspace: "w", kind: "hold", id: "h1" } as const;
    expect(TABLE.tickOf(key)).toMatchObject({
      kind: "tick_hold",
      workspace: "w",
      holdId: "h1",
      by: { role: "system" },
    });
    expect(TABLE.tickOf({ ...key, kind: "group" })).toBeUndefined();
  });
});

describe("T2: a timer fires at most once (G3)", () => {
  test("rungs that came due while no server ran are logged, and only the newest is delivered", async () => {
    const data = emptyMemory();
    const { run, clock, engine } = engineKit({ data });
    await run(placed("h1", 10, 20, 30, 500));
    await engine.stop();
    await clock.advance(100);

    const next = withTimers(engineKit({ data, clock }));
    await next.timers.start();
    expect(await typesOf(next.store, "h1")).toEqual([
      "hold.placed",
      "hold.escalated",
      "hold.escalated",
      "hold.escalated",
    ]);
    expect((await next.stored("h1"))?.body.rungs.map(({ state }) => state)).toEqual([
      "missed",
      "missed",
      "fired",
    ]);
    expect(next.late).toEqual([90]);
    await next.timers.stop();

    const third = withTimers(engineKit({ data, clock }));
    await third.timers.start();
    expect(third.late, "a restart fires nothing twice").toEqual([]);
    await third.timers.stop();
  });

  test("two timer loops over one store fire each timer once", async () => {
    const kit = engineKit();
    const one = withTimers(kit);
    const other = withTimers(kit);
    await Promise.all([one.timers.start(), other.timers.start()]);
    await kit.run(placed("h1", 10, 50));
    await kit.clock.advance(100);
    expect(await typesOf(kit.store, "h1")).toEqual(["hold.placed", "hold.escalated", "hold.expired"]);
    await Promise.all([one.timers.stop(), other.timers.stop()]);
  });

  test("a timer does nothing if its hold was cancelled first", async () => {
    const { timers, run, clock, store, late } = withTimers(engineKit());
    await timers.start();
    await run(placed("h1", 50));
    await run({ kind: "cancel_hold", holdId: "h1" }, AGENT);
    await clock.advance(RETRY_MS);
    expect(await typesOf(store, "h1")).toEqual(["hold.placed", "hold.cancelled"]);
    expect(late).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe("T3: a timer that fails rests, and never delays the others", () => {
  test("a timer that fails is retried every few seconds, and the others fire on time", async () => {
    const { timers, run, clock, store, faults, late } = withTimers(engineKit());
    await addRow(store, { kind: "group" }, clock.now());
    await timers.start();
    await run(placed("h1", 1_000));
    await run(placed("h2", RETRY_MS + 1));
    expect(faults).toHaveLength(1);
    await clock.advance(1_000);
    expect(late).toEqual([0]);
    await clock.advance(RETRY_MS - 1_001);
    expect(faults).toHaveLength(1);
    await clock.advance(1);
    expect(faults).toMatchObject([{ kind: "group" }, { kind: "group" }]);
    await clock.advance(1);
    expect(late).toEqual([0, 0]);
  });

  test("a timer whose command changes nothing rests instead of firing in a loop", async () => {
    const { timers, run, clock, store, late } = withTimers(engineKit());
    await addRow(store, {}, clock.now());
    let looks = 0;
    store.before = (call) => {
      if (call === "begin") looks += 1;
    };
    await timers.start();
    await clock.advance(RETRY_MS - 1);
    expect(looks).toBe(1);
    await clock.advance(1);
    expect(looks).toBe(2);
    await run(placed("h1", 10));
    await clock.advance(10);
    expect(late).toEqual([0]);
    await timers.stop();
    expect(clock.pending).toBe(0);
  });

  test("a timer that rested fires on time once its due time has changed", async () => {
    const { timers, run, clock, store, late, stored } = withTimers(engineKit());
    await timers.start();
    await run(placed("h1", 1_000));
    await addRow(store, { id: "h1" }, clock.now());
    await run(placed("h2", 20));
    await clock.advance(20);
    await addRow(store, { id: "h1" }, clock.now() + 980);
    await run(placed("h3", 10));
    await clock.advance(980);
    expect((await stored("h1"))?.body.status).toBe("expired");
    expect(late).toEqual([0, 0, 0]);
  });

  test("a timer that rested and was then removed delays no other timer", async () => {
    const { timers, run, clock, store, late } = withTimers(engineKit());
    await addRow(store, {}, clock.now());
    await addRow(store, { kind: "group" }, clock.now());
    await timers.start();
    const batch = await store.begin();
    const key = { workspace: "default", kind: "hold", id: "ghost" } as const;
    await batch.commit({ puts: [], events: [], timers: [{ key, dueAt: null }], outbox: [] });
    await run(placed("h1", RETRY_MS + 10));
    let looks = 0;
    store.before = (call) => {
      if (call === "due") looks += 1;
    };
    await clock.advance(RETRY_MS + 10);
    expect(late).toEqual([0]);
    expect(looks).toBeLessThan(10);
  });

  test("timers whose commit failed are fired again later", async () => {
    const { timers, run, clock, store, faults, stored } = withTimers(engineKit());
    await timers.start();
    await run(placed("h1", 50));
    store.failOnce("commit", new Error("disk full"));
    await clock.advance(50);
    expect(faults).toEqual([null]);
    expect((await stored("h1"))?.body.status).toBe("open");
    await clock.advance(RETRY_MS);
    expect((await stored("h1"))?.body.status).toBe("expired");
  });

  test("a failed search for due timers is repeated later", async () => {
    const kit = engineKit();
    await kit.run(placed("h1", 50));
    await kit.clock.advance(50);
    const { timers, clock, store, faults, late } = withTimers(kit);
    store.failOnce("due", new Error("busy"));
    await timers.start();
    expect(faults).toEqual([null]);
    await clock.advance(RETRY_MS);
    expect(late).toEqual([RETRY_MS]);
  });

  test("a failed search for the next timer does not delay a timer that is due sooner", async () => {
    const { timers, run, clock, store, late } = withTimers(engineKit());
    const read = store.nextTimerAt.bind(store);
    store.nextTimerAt = async () => {
      store.nextTimerAt = read;
      throw new Error("busy");
    };
    const starting = timers.start();
    await run(placed("h1", 50));
    await starting;
    await clock.advance(50);
    expect(late).toEqual([0]);
  });
});

describe("wake-ups during a search", () => {
  /** Makes the store read the next timer at once and return it only when told to. */
  function staleLook(store: TestStore) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = store.nextTimerAt.bind(store);
    store.nextTimerAt = async () => {
      const found = await read();
      await promise;
      return found;
    };
    return resolve;
  }

  test("a timer that is set and comes due during the search for the next one fires", async () => {
    const { timers, run, clock, store, late } = withTimers(engineKit());
    const handOver = staleLook(store);
    const starting = timers.start();
    await turn();
    await run(placed("h1", 50));
    const moving = clock.advance(50);
    await turn();
    handOver();
    await Promise.all([starting, moving]);
    await clock.advance(0);
    expect(late).toEqual([0]);
  });

  test("a timer that comes due during the search for the next one fires at once", async () => {
    const kit = engineKit();
    await kit.run(placed("h1", 50));
    await turn();
    const { timers, clock, store, late } = withTimers(kit);
    const handOver = staleLook(store);
    const starting = timers.start();
    await turn();
    await clock.advance(60);
    handOver();
    await starting;
    await clock.advance(0);
    expect(late).toEqual([10]);
  });
});

describe("stopping the timers", () => {
  test("stopping cancels the pending wake-up and sets no other", async () => {
    const { timers, run, clock, store } = withTimers(engineKit());
    await timers.start();
    await run(placed("h1", 50));
    await turn();
    expect(clock.pending).toBe(1);
    await timers.stop();
    expect(clock.pending).toBe(0);
    await run(placed("h2", 10));
    await clock.advance(100);
    expect(await typesOf(store, "h1")).toEqual(["hold.placed"]);
  });

  test("stopping waits for the batch that is being fired and sets no wake-up for later timers", async () => {
    const kit = engineKit();
    await kit.run(placed("h1", 50));
    await kit.run(placed("later", 9_000));
    await kit.clock.advance(50);
    const { timers, clock, store, stored } = withTimers(kit);
    const release = store.block("commit");
    void timers.start();
    for (let i = 0; i < 5; i += 1) await turn();
    let isStopped = false;
    const stopping = timers.stop().then(() => {
      isStopped = true;
    });
    await turn();
    expect(isStopped).toBe(false);
    release();
    await stopping;
    expect((await stored("h1"))?.body.status).toBe("expired");
    expect(clock.pending).toBe(0);
  });
});

describe("T4: servers that share a store", () => {
  test("a server fires due timers in small batches, each found and fired in one transaction", async () => {
    const kit = engineKit();
    const { store, clock, run } = kit;
    await Promise.all(Array.from({ length: 1_200 }, (_, n) => run(placed(`h${n}`, 50))));
    const { batches } = share(store);
    const { timers, late, faults } = withTimers(kit);
    const commits = store.commits.length;
    await clock.advance(50);
    await timers.start();
    expect([late.length, faults]).toEqual([1_200, []]);
    expect(batches).toEqual([500, 500, 200]);
    expect(store.commits.slice(commits).map(({ events }) => events.length)).toEqual([500, 500, 200]);
    await timers.stop();
  });

  test("a timer without a command and a timer whose command changes nothing both rest, and the others fire", async () => {
    const kit = engineKit();
    const { store, clock, run } = kit;
    await run(placed("h1", 50));
    await run(placed("idle", 9_000));
    await addRow(store, { id: "idle" }, 1_010);
    const batch = await store.begin();
    const odd = { workspace: "default", kind: "group", id: "odd" } as const;
    await batch.commit({
      puts: [{ key: odd, expected: 0, version: 1, seq: 0, head: "", body: {} }],
      events: [],
      timers: [{ key: odd, dueAt: 1_020 }],
      outbox: [],
    });
    const { batches } = share(store);
    const { timers, late, faults, stored } = withTimers(kit);
    await clock.advance(50);
    await timers.start();
    expect((await stored("h1"))?.body.status).toBe("expired");
    expect([late, faults]).toEqual([[0], [expect.objectContaining(odd)]]);
    const until = clock.now() + RETRY_MS;
    expect(store.commits.at(-1)?.rests).toMatchObject([
      { key: { id: "odd" }, until },
      { key: { id: "idle" }, until },
    ]);
    expect(await store.nextTimerAt()).toBe(until);
    expect(batches).toEqual([3]);
    await timers.stop();
  });

  test("a due timer that another server has locked is checked less and less often until it is free", async () => {
    const kit = engineKit();
    const { store, clock, run } = kit;
    await run(placed("h1", 50));
    const { batches } = share(store);
    const { timers, stored } = withTimers(kit);
    const begin = store.begin;
    let isLocked = true;
    store.begin = async () => {
      const batch = await begin();
      return isLocked ? { ...batch, due: async () => [] } : batch;
    };
    await timers.start();
    await clock.advance(50);
    const looks: number[] = [];
    const nextTimerAt = store.nextTimerAt.bind(store);
    store.nextTimerAt = () => {
      looks.push(clock.now() - 1_050);
      return nextTimerAt();
    };
    await clock.advance(1_700);
    expect(looks).toEqual([20, 60, 140, 300, 620, 1_120, 1_620]);
    isLocked = false;
    await clock.advance(500);
    expect([(await stored("h1"))?.body.status, batches]).toEqual(["expired", [1]]);
    await timers.stop();
  });

  test("a batch that lost a conflict is retried at once, and one that failed is retried later", async () => {
    const kit = engineKit();
    const { store, clock, run } = kit;
    await Promise.all(Array.from({ length: 60 }, (_, n) => run(placed(`h1-${n}`, 50))));
    const { batches } = share(store);
    const { timers, late, faults, stored } = withTimers(kit);
    await clock.advance(50);
    store.failOnce("commit", Object.assign(new Error("gave way"), { retryable: true }));
    await timers.start();
    expect([late.length, faults]).toEqual([60, []]);
    // After a conflict the next try takes fewer timers.
    expect(batches).toEqual([60, 50, 10]);
    await run(placed("h2", 50));
    store.failOnce("commit", new Error("the disk is full"));
    await clock.advance(50);
    expect(faults).toEqual([null]);
    await clock.advance(RETRY_MS);
    expect((await stored("h2"))?.body.status).toBe("expired");
    await timers.stop();
  });
});

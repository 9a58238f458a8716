/** S1 to S5: the guarantees of a commit. */

import { describe, expect, it } from "vitest";
import type { Entity } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import { type Changes, VersionConflict } from "../port.ts";
import {
  commit,
  event,
  type Harness,
  holdBody,
  key,
  message,
  put,
  readAll,
  type StoreUnderTest,
} from "./fixture.ts";

type Open = () => Promise<Harness>;

export function describeCommits({ open }: StoreUnderTest, indexes: IndexTable): void {
  const opened = () => open(indexes);
  describe("S1 a commit", () => describeAtomic(opened));
  describe("S2 a put", () => describeVersions(opened));
  describe("S3 positions", () => describePositions(opened));
  describe("S4 batches", () => describeBatches(opened));
  describe("S5 time", () => describeTime(opened));
}

/** One of everything, so that a failure must undo every table. */
const EVERYTHING: Changes = {
  puts: [put(key("h1"), 0, holdBody()), put(key("l1", "group"), 0, { thread: "h1" })],
  events: [event("hold:h1", 1)],
  timers: [{ key: key("h1"), dueAt: 5000 }],
  outbox: [message("m1")],
};

const FAILING: Readonly<Record<string, Partial<Changes>>> = {
  "an event whose number in its stream is taken": { events: [event("hold:h0", 1)] },
  "two events with the same number": { events: [event("hold:h9", 1), event("hold:h9", 1)] },
  "a version conflict": { puts: [put(key("h0"), 7, holdBody())] },
  "an outbox row that already exists": { outbox: [message("m0")] },
  "a version that does not increase": { puts: [put(key("h0"), 1, holdBody(), { version: 1 })] },
  "a body that is not JSON": { puts: [put(key("h9"), 0, holdBody({ count: 1n }))] },
};

function describeAtomic(open: Open): void {
  it("a commit survives a restart completely", async () => {
    await using harness = await open();
    await commit(harness.store, EVERYTHING);
    const before = await readAll(harness.store);
    expect(await readAll(await harness.reopen())).toEqual(before);
  });

  for (const [why, failing] of Object.entries(FAILING)) {
    it(`a commit that fails on ${why} changes nothing, and the store keeps working`, async () => {
      await using harness = await open();
      const { store } = harness;
      await commit(store, {
        puts: [put(key("h0"), 0, holdBody())],
        events: [event("hold:h0", 1)],
        outbox: [message("m0")],
      });
      const before = await readAll(store);
      const changes = {
        puts: [...EVERYTHING.puts, ...(failing.puts ?? [])],
        events: [...EVERYTHING.events, ...(failing.events ?? [])],
        timers: EVERYTHING.timers,
        outbox: [...EVERYTHING.outbox, ...(failing.outbox ?? [])],
      };
      await expect(commit(store, changes)).rejects.toThrow();
      expect(await readAll(store)).toEqual(before);
      await commit(store, EVERYTHING);
      expect(await store.load(EVERYTHING.puts.map((one) => one.key))).toHaveLength(2);
    });
  }

  it("stored entities share no objects with the caller", async () => {
    await using harness = await open();
    const { store } = harness;
    const body = { ...holdBody(), list: ["a"] };
    await commit(store, { puts: [put(key("h1"), 0, body)] });
    body.list.push("b");
    const [found] = (await store.load([key("h1")])) as readonly Entity<typeof body>[];
    found?.body.list.push("c");
    expect((await store.load([key("h1")]))[0]?.body).toMatchObject({ list: ["a"] });
  });

  it("a closed store refuses every call", async () => {
    await using harness = await open();
    const batch = await harness.store.begin();
    const waiting = harness.store.begin();
    const refused = expect(waiting).rejects.toMatchObject({ code: "store_closed" });
    await harness.store.close();
    await expect(batch.commit(EVERYTHING)).rejects.toMatchObject({ code: "store_closed" });
    await refused;
    await expect(harness.store.begin()).rejects.toMatchObject({ code: "store_closed" });
    await expect(harness.store.load([key("h1")])).rejects.toMatchObject({ code: "store_closed" });
    await expect(harness.store.census(0)).rejects.toMatchObject({ code: "store_closed" });
    const store = await harness.reopen();
    expect(await store.load([key("h1")])).toEqual([]);
  });
}

function describeVersions(open: Open): void {
  const KINDS_WRITTEN = { hold: holdBody(), group: { thread: "h1" }, person: { name: "Ann" } } as const;
  for (const kind of ["hold", "group", "person"] as const) {
    const body = KINDS_WRITTEN[kind];
    const at = key("x1", kind);

    it(`a put of a ${kind} with another expected version than the stored one fails with VersionConflict`, async () => {
      await using harness = await open();
      const { store } = harness;
      await expect(commit(store, { puts: [put(at, 1, body)] })).rejects.toThrow(VersionConflict);
      await expect(commit(store, { puts: [put(at, 1, null)] })).rejects.toThrow(VersionConflict);
      await commit(store, { puts: [put(at, 0, body)] });
      await commit(store, { puts: [put(at, 1, body, { version: 5, seq: 3, head: "abc" })] });
      for (const expected of [0, 1, 4, 6]) {
        const conflict = commit(store, { puts: [put(at, expected, body, { version: 9 })] });
        await expect(conflict).rejects.toMatchObject({ name: "VersionConflict", key: at });
        await expect(commit(store, { puts: [put(at, expected, null)] })).rejects.toThrow(VersionConflict);
      }
      expect(await store.load([at])).toEqual([{ ...at, version: 5, seq: 3, head: "abc", body }]);
    });

    it(`a put of a ${kind} without a body deletes it, and it can be created again`, async () => {
      await using harness = await open();
      const { store } = harness;
      await commit(store, { puts: [put(at, 0, null)] });
      await commit(store, { puts: [put(at, 0, body)] });
      await commit(store, { puts: [put(at, 1, null)] });
      expect(await store.load([at])).toEqual([]);
      await commit(store, { puts: [put(at, 0, body)] });
      expect(await store.load([at])).toHaveLength(1);
    });

    it(`a ${kind} that is only read is read as it was committed last, also if it did not exist before`, async () => {
      await using harness = await open();
      const { store } = harness;
      const read = () => store.load([{ ...at, read: true }]);
      expect(await read()).toEqual([]);
      await commit(store, { puts: [put(at, 0, body)] });
      expect(await read()).toMatchObject([{ version: 1 }]);
      await expect(commit(store, { puts: [put(at, 0, body)] })).rejects.toThrow(VersionConflict);
      expect(await read()).toMatchObject([{ version: 1 }]);
      await commit(store, { puts: [put(at, 1, { ...body, more: true })] });
      expect(await read()).toMatchObject([{ version: 2, body: { more: true } }]);
      await commit(store, { puts: [put(at, 2, null)] });
      expect(await read()).toEqual([]);
    });

    it(`a second put of a ${kind} in one commit builds on the first`, async () => {
      await using harness = await open();
      const { store } = harness;
      await commit(store, { puts: [put(at, 0, body), put(at, 1, { ...body, more: true })] });
      expect((await store.load([at]))[0]).toMatchObject({ version: 2, body: { more: true } });
      await expect(commit(store, { puts: [put(at, 2, body), put(at, 2, body)] })).rejects.toThrow(
        VersionConflict,
      );
    });
  }
}

function describePositions(open: Open): void {
  it("positions increase in commit order and are returned in the order of the events", async () => {
    await using harness = await open();
    const { store } = harness;
    expect(await store.lastPosition()).toBe(0);
    const first = await commit(store, { events: [event("hold:b", 1), event("hold:a", 1)] });
    const second = await commit(store, { events: [event("hold:a", 2)] });
    const [p1 = 0, p2 = 0, p3 = 0] = [...first.positions, ...second.positions];
    expect(p1).toBeGreaterThan(0);
    expect(p2).toBeGreaterThan(p1);
    expect(p3).toBeGreaterThan(p2);
    const found = await store.events({ after: 0, limit: 10 });
    expect(found.map(({ position, stream, seq }) => [position, stream, seq])).toEqual([
      [p1, "hold:b", 1],
      [p2, "hold:a", 1],
      [p3, "hold:a", 2],
    ]);
    expect(await store.lastPosition()).toBe(p3);
  });

  it("no position is ever at or below one that was seen, even after a failed commit and a restart", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, { events: [event("hold:a", 1)] });
    const seen = await store.lastPosition();
    await expect(commit(store, { events: [event("hold:b", 1), event("hold:a", 1)] })).rejects.toThrow();
    const { positions } = await commit(await harness.reopen(), { events: [event("hold:c", 1)] });
    expect(positions[0]).toBeGreaterThan(seen);
  });
}

function describeBatches(open: Open): void {
  it("batches that load the same entity for writing run one after the other", async () => {
    await using harness = await open();
    const { store } = harness;
    const order: string[] = [];
    async function increment(name: string): Promise<void> {
      const batch = await store.begin();
      const [found] = await batch.load([key("h1")]);
      order.push(`${name} loaded ${found?.version ?? 0}`);
      await batch.query({ workspace: "default", kind: "hold", limit: 1 });
      const version = found?.version ?? 0;
      const changes = { puts: [put(key("h1"), version, holdBody())], events: [], timers: [], outbox: [] };
      await batch.commit(changes);
    }
    await Promise.all(["a", "b", "c"].map(increment));
    expect(order).toEqual(["a loaded 0", "b loaded 1", "c loaded 2"]);
  });

  it("a batch that was released or has failed lets the next one start", async () => {
    await using harness = await open();
    const { store } = harness;
    const released = await store.begin();
    await released.release();
    await released.release();
    await expect(commit(store, { puts: [put(key("h1"), 3, holdBody())] })).rejects.toThrow(VersionConflict);
    const batch = await store.begin();
    await batch.commit(EVERYTHING);
    await batch.release();
    expect(await store.find("group", "l1")).toMatchObject({ id: "l1", workspace: "default" });
  });

  it("a batch that has ended refuses every call", async () => {
    await using harness = await open();
    const batch = await harness.store.begin();
    await batch.commit(EVERYTHING);
    await expect(batch.commit(EVERYTHING)).rejects.toThrow("has ended");
    await expect(batch.load([key("h1")])).rejects.toThrow("has ended");
    await expect(batch.find("hold", "h1")).rejects.toThrow("has ended");
    await expect(batch.query({ workspace: "default", kind: "hold", limit: 1 })).rejects.toThrow("has ended");
    await expect(batch.events({ after: 0, limit: 1 })).rejects.toThrow("has ended");
  });

  it("a batch reads the same as the store", async () => {
    await using harness = await open();
    const { store } = harness;
    await commit(store, EVERYTHING);
    const batch = await store.begin();
    expect(await batch.load([key("h1")])).toEqual(await store.load([key("h1")]));
    expect(await batch.find("group", "l1")).toEqual(await store.find("group", "l1"));
    expect(await batch.query({ workspace: "default", kind: "hold", limit: 5 })).toHaveLength(1);
    expect(await batch.events({ after: 0, limit: 5 })).toHaveLength(1);
    await batch.release();
  });
}

function describeTime(open: Open): void {
  it("times are compared only with the given now, never with the real date", async () => {
    await using harness = await open();
    const { store } = harness;
    const farFuture = 32_503_680_000_000;
    await commit(store, {
      timers: [
        { key: key("past"), dueAt: 10 },
        { key: key("future"), dueAt: farFuture },
      ],
      outbox: [message("m1", { dueAt: farFuture })],
      puts: [put(key("past"), 0, holdBody({ createdAt: 10 }))],
    });
    expect(await store.dueTimers(9, 10)).toEqual([]);
    expect(await store.dueTimers(10, 10)).toHaveLength(1);
    expect(await store.dueTimers(farFuture, 10)).toHaveLength(2);
    expect(await store.claimOutbox(farFuture - 1, 100, 10)).toEqual([]);
    expect(await store.claimOutbox(farFuture, 100, 10)).toMatchObject([{ dueAt: farFuture + 100 }]);
    expect((await store.census(20)).openByAge).toMatchObject({ minute: 1, older: 0 });
  });
}

/** How batches of two servers affect each other. */

import { afterAll, beforeAll, expect, it } from "vitest";
import { type Clock, systemClock } from "../../system/clock.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { type Due, type Hint, LoadRoom } from "../port.ts";
import { commit, event, holdBody, indexes, key, message, placeHolds, put } from "../suite/fixture.ts";
import { freshSchema } from "./harness.ts";
import { openPostgresStore } from "./open.ts";
import type { PostgresStore } from "./postgres-store.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

async function twoStores(clock: Clock = systemClock) {
  const { url } = freshSchema(database);
  // Both migrate the empty schema at the same time.
  const open = () => openPostgresStore({ url, indexes, clock });
  const [a, b] = await Promise.all([open(), open()]);
  return {
    a,
    b,
    [Symbol.asyncDispose]: async () => {
      await a.close();
      await b.close();
    },
  };
}

const NOTHING = { puts: [], events: [], timers: [], outbox: [] };

it("S3 positions follow the order of commits, not the order in which batches began", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await placeHolds(a, { h1: {}, h2: {} });
  const early = await a.begin();
  await early.load([key("h1")]);
  const late = await b.begin();
  await late.load([key("h2")]);
  const second = await late.commit({ ...NOTHING, events: [event("hold:h2", 1)] });
  expect(await a.events({ after: 0, limit: 5 })).toHaveLength(1);
  const first = await early.commit({ ...NOTHING, events: [event("hold:h1", 1)] });
  expect(first.positions[0]).toBeGreaterThan(second.positions[0] ?? 0);
});

it("S3 a reader that has seen a position never later finds one below it", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  let isWriting = true;
  const write = async (store: typeof a, name: string) => {
    for (let seq = 1; seq <= 40; seq += 1) await commit(store, { events: [event(`hold:${name}`, seq)] });
  };
  const writing = Promise.all([write(a, "a"), write(b, "b")]).finally(() => {
    isWriting = false;
  });
  const seen: number[] = [];
  do {
    const page = await a.events({ after: seen.at(-1) ?? 0, limit: 1000 });
    seen.push(...page.map(({ position }) => position));
  } while (isWriting);
  await writing;
  const all = await a.events({ after: 0, limit: 1000 });
  const rest = await a.events({ after: seen.at(-1) ?? 0, limit: 1000 });
  expect([...seen, ...rest.map(({ position }) => position)]).toEqual(all.map(({ position }) => position));
  expect(all).toHaveLength(80);
});

it("S4 a batch waits for rows that another batch has loaded for writing, but not for rows it only reads", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await placeHolds(a, { h1: {} });
  const holder = await a.begin();
  await holder.load([key("h1")]);
  const other = await b.begin();
  expect(await other.load([{ ...key("h1"), read: true }])).toMatchObject([{ version: 1 }]);
  let isLoaded = false;
  const loading = other.load([key("h1")]).then((found) => {
    isLoaded = true;
    return found;
  });
  await b.lastPosition();
  expect(isLoaded).toBe(false);
  await holder.commit({ ...NOTHING, puts: [put(key("h1"), 1, holdBody({ status: "decided" }))] });
  expect(await loading).toMatchObject([{ version: 2, body: { status: "decided" } }]);
  await other.release();
});

it("attack 12: a batch in a deadlock fails with a retryable error, and the other one continues", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await placeHolds(a, { h1: {}, h2: {} });
  const [one, two] = [await a.begin(), await b.begin()];
  await one.load([key("h1")]);
  await two.load([key("h2")]);
  const crossed = await Promise.allSettled([
    one.load([key("h2")]).finally(() => one.release()),
    two.load([key("h1")]).finally(() => two.release()),
  ]);
  const failed = crossed.filter((result) => result.status === "rejected");
  expect(failed).toMatchObject([{ reason: { name: "StoreContention", retryable: true } }]);
});

it("S2 of two batches that create the same entity, the later one fails with a retryable conflict", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  const [one, two] = [await a.begin(), await b.begin()];
  await Promise.all([one.load([key("h1")]), two.load([key("h1")])]);
  const changes = { ...NOTHING, puts: [put(key("h1"), 0, holdBody())] };
  const written = await Promise.allSettled([one.commit(changes), two.commit(changes)]);
  expect(written.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(written.filter(({ status }) => status === "rejected")).toMatchObject([
    { reason: { name: "VersionConflict", retryable: true, key: key("h1") } },
  ]);
});

const HOLDS = Array.from({ length: 40 }, (_, at) => `h${String(at).padStart(2, "0")}`);

/** Holds whose timers are all due at the same time. */
async function placeDue(store: PostgresStore): Promise<void> {
  await commit(store, {
    puts: HOLDS.map((name) => put(key(name), 0, holdBody())),
    timers: HOLDS.map((name) => ({ key: key(name), dueAt: 100 })),
  });
}

const idsOf = (due: readonly Due[]) => due.map(({ key }) => key.id);

it("due timers are found by one server at a time, and by another after that one released them or died", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await placeDue(a);
  const [one, two] = [await a.begin(), await b.begin()];
  expect(await one.due(99, 10)).toEqual([]);
  const found = await Promise.all([one.due(100, 10), two.due(100, 20)]);
  expect(found.map(({ length }) => length)).toEqual([10, 20]);
  expect(new Set(found.flatMap(idsOf)).size).toBe(30);
  expect(found[0][0]).toMatchObject({ dueAt: 100, entity: { kind: "hold", version: 1, body: holdBody() } });
  await two.release();
  const next = await b.begin();
  expect(await next.due(100, 50)).toHaveLength(30);
  await next.release();
  await a.close();
  const last = await b.begin();
  expect(new Set(idsOf(await last.due(100, 50)))).toEqual(new Set(HOLDS));
  await last.release();
});

it("due timers whose entity another server has locked are skipped, and that server can still write them", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await placeDue(a);
  const answering = await a.begin();
  await answering.load([key("h05"), key("h06")]);
  const firing = await b.begin();
  const due = await firing.due(100, 50);
  expect(idsOf(due)).toHaveLength(38);
  expect(idsOf(due)).not.toContain("h05");
  // It waits for the row that the other has locked; the other does not wait for it.
  const answered = answering.commit({
    ...NOTHING,
    puts: [put(key("h05"), 1, holdBody({ status: "decided" }))],
    timers: [{ key: key("h05"), dueAt: null }],
  });
  await firing.commit({ ...NOTHING, timers: due.map(({ key: at }) => ({ key: at, dueAt: null })) });
  await answered;
  expect(await b.dueTimers(100, 50)).toEqual([{ key: key("h06"), dueAt: 100 }]);
});

it("timers of every kind are found, and resting timers only after their rest", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await commit(a, {
    puts: [put(key("h1"), 0, holdBody()), put(key("h1", "group"), 0, { thread: "t" })],
    timers: [
      { key: key("h1"), dueAt: 100 },
      { key: key("h1", "group"), dueAt: 50 },
    ],
  });
  const one = await a.begin();
  const due = await one.due(100, 5);
  expect(due.map(({ key: { kind }, dueAt }) => [kind, dueAt])).toEqual([
    ["group", 50],
    ["hold", 100],
  ]);
  await one.commit({
    ...NOTHING,
    rests: due.map(({ key: at, dueAt }) => ({ key: at, dueAt, until: 600 })),
  });
  expect(await b.nextTimerAt()).toBe(600);
  const two = await b.begin();
  expect(await two.due(599, 5)).toEqual([]);
  expect(await two.due(600, 5)).toHaveLength(2);
  await two.release();
  // Setting the timer again ends its rest.
  await commit(b, { timers: [{ key: key("h1"), dueAt: 200 }] });
  expect(await a.nextTimerAt()).toBe(200);
  const late = await a.begin();
  await late.commit({ ...NOTHING, rests: [{ key: key("h1"), dueAt: 100, until: 900 }] });
  expect(await a.nextTimerAt()).toBe(200);
});

it("a batch of due timers is full even if earlier timers are locked or have no entity", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await placeDue(a);
  await commit(a, { timers: [{ key: key("gone"), dueAt: 50 }] });
  const holding = await a.begin();
  await holding.load(HOLDS.slice(0, 15).map((name) => key(name)));
  const firing = await b.begin();
  expect(await firing.due(100, 10)).toHaveLength(10);
  await firing.release();
  await holding.release();
});

it("the database's time decides which timers are due, even if nothing else is read", async () => {
  const { url } = freshSchema(database);
  const local = new ManualClock();
  await using store = await openPostgresStore({ url, indexes, clock: local, isDatabaseTime: true });
  await placeDue(store);
  await local.advance(3_600_000);
  const batch = await store.begin();
  expect(await batch.due(100, 5)).toHaveLength(5);
  expect(Math.abs(batch.now(0) - systemClock.now())).toBeLessThan(60_000);
  await batch.release();
});

it("each outbox message is claimed by one server at a time", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await commit(a, { outbox: HOLDS.map((name) => message(name, { dueAt: 100 })) });
  const rows = await Promise.all([a, b, a, b].map((store) => store.claimOutbox(100, 1_000, 10)));
  expect(new Set(rows.flat().map(({ id }) => id)).size).toBe(rows.flat().length);
});

it("a claimed message belongs to its claimer as long as the claimer renews it", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  await commit(a, { outbox: [message("m1", { dueAt: 100 })] });
  const rows = await a.claimOutbox(100, 5_000, 10);
  expect(await a.renewOutbox(rows, 8_000)).toEqual([true]);
  expect(await b.claimOutbox(7_999, 5_000, 10)).toEqual([]);
  expect(await b.claimOutbox(8_000, 5_000, 10)).toHaveLength(1);
  expect(await a.renewOutbox(rows, 20_000)).toEqual([false]);
  expect(await b.nextOutboxAt()).toBe(13_000);
});

it("all servers share one budget, which resets when its time is over", async () => {
  await using stores = await twoStores();
  const { a, b } = stores;
  const some = (name: string, count: number) => ({ name, count, windowMs: 1_000 });
  expect(await a.spend([some("x", 2), some("y\u0000", 1)], 100)).toEqual([
    { name: "x", spent: 2, endsAt: 1_100 },
    { name: "y\u0000", spent: 1, endsAt: 1_100 },
  ]);
  expect(await b.spend([some("x", 3)], 500)).toEqual([{ name: "x", spent: 5, endsAt: 1_100 }]);
  expect(await b.spend([some("x", 1)], 1_100)).toEqual([{ name: "x", spent: 1, endsAt: 2_100 }]);
});

it("a server that commits nothing still follows the database's time when its own clock changes", async () => {
  const { url } = freshSchema(database);
  const local = new ManualClock();
  await using store = await openPostgresStore({ url, indexes, clock: local, isDatabaseTime: true });
  await local.advance(3_600_000);
  expect(store.clock.now()).toBeGreaterThan(systemClock.now() + 3_000_000);
  await store.nextTimerAt();
  expect(Math.abs(store.clock.now() - systemClock.now())).toBeLessThan(60_000);
});

it("a server is notified of the other server's commits, and not of its own", async () => {
  // Nobody moves the clock, so nobody polls.
  await using stores = await twoStores(new ManualClock());
  const { a, b } = stores;
  const notified: (Hint | undefined)[] = [];
  let hear = () => {};
  const heard = (count: number) =>
    new Promise<void>((resolve) => {
      hear = () => notified.length >= count && resolve();
      hear();
    });
  const watching = a.watch((hint) => {
    notified.push(hint);
    hear();
  });
  await heard(1);
  for (let seq = 1; seq <= 20; seq += 1) await commit(a, { events: [event("hold:a", seq)] });
  expect(notified).toEqual([undefined]);
  const last = event("hold:b", 2);
  await commit(b, { events: [event("hold:b", 1), last] });
  await heard(2);
  expect(notified).toEqual([undefined, { at: last.at, ended: [] }]);
  const ended = ["hold.decided", "hold.expired"].map((type) => ({
    ...event(`hold:hold_0123456789_${type}`, 1),
    type,
  }));
  await commit(b, { events: ended.map((each) => ({ ...each, stream: each.stream.replace(".", "_") })) });
  await heard(3);
  expect(notified[2]?.ended).toEqual(["ld_decided", "ld_expired"]);
  await watching.stop();
});

it("attack 12: a batch of timers does not wait for a row that another server has locked, so the two cannot deadlock", async () => {
  await using stores = await twoStores(new ManualClock());
  const { a, b } = stores;
  await placeHolds(a, { h1: {}, h2: {} });
  await commit(a, { timers: [{ key: key("h1"), dueAt: 1 }] });
  const answering = await b.begin();
  await answering.load([key("h2")]);
  const firing = await a.begin();
  expect((await firing.due(5, 10)).map((due) => due.key.id)).toEqual(["h1"]);
  // As the members of one group: each batch has locked what the other needs.
  const waiting = answering.load([key("h1")]);
  await expect(firing.load([key("h2")])).rejects.toMatchObject({ name: "StoreContention", retryable: true });
  await firing.release();
  expect(await waiting).toHaveLength(1);
  await answering.release();
});

it("a batch of timers goes on without a row that another server has locked, if it is only needed where there is room (G3)", async () => {
  await using stores = await twoStores(new ManualClock());
  const { a, b } = stores;
  await placeHolds(a, { h1: {}, h2: {}, h3: {} });
  await commit(a, { timers: [{ key: key("h1"), dueAt: 1 }] });
  const answering = await b.begin();
  await answering.load([key("h2")]);
  const firing = await a.begin();
  const room = new LoadRoom();
  await firing.due(5, 10, room);
  const spare = [key("h2"), key("h3")].map((each) => ({ ...each, ifRoom: true as const }));
  expect((await firing.load(spare, room)).map(({ id }) => id)).toEqual(["h3"]);
  // It may not be taken for a row that does not exist.
  expect(room.takeRefused().map(({ id }) => id)).toEqual(["h2"]);
  await firing.release();
  await answering.release();
});

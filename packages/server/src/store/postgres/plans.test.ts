/**
 * Statements are planned while the tables are empty and their plans are cached: they must not scan the tables once
 * these are large.
 */

import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { ask, type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { commit, event, holdBody, indexes, key, message, put } from "../suite/fixture.ts";
import { connect, readAddress } from "./connect.ts";
import { KEPT_MS } from "./fresh-plans.ts";
import { freshSchema } from "./harness.ts";
import { openPostgresStore } from "./open.ts";
import type { PostgresStore } from "./postgres-store.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

const ROWS = 1500;
const TABLES = ["hold", "entity", "entity_index", "event", "timer", "outbox"];

const NOTHING = { puts: [], events: [], timers: [], outbox: [] };

/** The statements of one placement, one read and one answer. */
async function use(store: PostgresStore, id: string): Promise<void> {
  await commit(store, {
    puts: [put(key(id), 0, holdBody()), put(key(id, "group"), 0, { thread: id })],
    events: [event(`hold:${id}`, 1)],
    timers: [{ key: key(id), dueAt: 10 }],
  });
  await store.load([{ ...key(id), read: true }]);
  const batch = await store.begin();
  await batch.load([key(id), { ...key("settings", "workspace"), read: true }]);
  await batch.commit({
    puts: [
      put(key(id), 1, holdBody({ status: "decided" })),
      put(key(id, "group"), 1, { thread: id, used: true }),
    ],
    events: [event(`hold:${id}`, 2)],
    timers: [{ key: key(id), dueAt: null }],
    outbox: [message(id, { holdId: id, dueAt: 10 })],
    forget: [{ workspace: "default", holdId: id }],
  });
  const firing = await store.begin();
  const due = await firing.due(20, 2);
  await firing.commit({
    ...NOTHING,
    rests: due.map(({ key: at, dueAt }) => ({ key: at, dueAt, until: 30 })),
  });
  const claimed = await store.claimOutbox(20, 30, 2);
  await store.renewOutbox(claimed, 60);
  for (const row of claimed) await store.settleOutbox({ ...row, state: "sent", dueAt: null });
  await store.pruneOutbox(5000, 2);
}

/** The statements of lists. */
async function list(store: PostgresStore, id: string): Promise<void> {
  await store.query({ workspace: "default", kind: "group", index: { name: "thread", value: id }, limit: 5 });
  await store.query({ workspace: "default", kind: "group", prefix: id, limit: 5 });
  await store.query({ workspace: "default", kind: "group", limit: 5 });
  await store.query({ workspace: "default", kind: "link", prefix: id, limit: 5 });
  await store.query({ workspace: "default", kind: "hold", newestFirst: true, limit: 5 });
}

it("plans that were cached before a table grew do not scan it", async () => {
  const { schema, url } = freshSchema(database);
  const store = await openPostgresStore({ url, indexes, clock: systemClock });
  // PostgreSQL caches a plan from its sixth use on.
  for (let i = 0; i < 8; i += 1) await use(store, `early${i}`);
  const ids = Array.from({ length: ROWS }, (_, i) => `h${i}`);
  await commit(store, {
    puts: ids.flatMap((id) => [put(key(id), 0, holdBody()), put(key(id, "group"), 0, { thread: id })]),
    events: ids.map((id) => event(`hold:${id}`, 1)),
    timers: ids.map((id) => ({ key: key(id), dueAt: 10 })),
  });
  for (let i = 0; i < 8; i += 1) await use(store, `late${i}`);
  // Sessions report their statistics when they end.
  await store.close();
  const { client } = await connect(readAddress(database.url));
  const { rows: tables } = await client.query<{ relname: string; seq_tup_read: number }>(
    "SELECT relname, seq_tup_read FROM pg_stat_user_tables WHERE schemaname = $1",
    [schema],
  );
  await client.end();
  expect(tables.length).toBeGreaterThan(5);
  for (const { relname, seq_tup_read: read } of tables) {
    expect(read, `rows of ${relname} read by sequential scans`).toBeLessThan(ROWS);
  }
});

/** How many index entries and rows of each table were read. */
async function readOf(schema: string): Promise<Readonly<Record<string, number>>> {
  const { client } = await connect(readAddress(database.url));
  const { rows } = await client.query<{ relname: string; read: number }>(
    `SELECT t.relname, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::bigint AS read
      FROM pg_stat_user_tables t LEFT JOIN pg_stat_user_indexes i ON i.relid = t.relid
      WHERE t.schemaname = $1 GROUP BY t.relid, t.relname, t.seq_tup_read`,
    [schema],
  );
  await client.end();
  return Object.fromEntries(rows.map(({ relname, read }) => [relname, read]));
}

it("attack 12: plans that were cached while statistics said that a table was almost empty do not scan it", async () => {
  const { schema, url } = freshSchema(database);
  const store = await openPostgresStore({ url, indexes, clock: systemClock });
  for (let i = 0; i < 3; i += 1) await use(store, `first${i}`);
  await ask(url.replace(/[?].*/, ""), TABLES.map((table) => `ANALYZE ${schema}.${table};`).join(" "));
  for (let i = 0; i < 8; i += 1) await use(store, `early${i}`).then(() => list(store, `early${i}`));
  const ids = Array.from({ length: ROWS }, (_, i) => `h${i}`);
  await commit(store, {
    puts: ids.flatMap((id) => [put(key(id), 0, holdBody()), put(key(id, "group"), 0, { thread: id })]),
    events: ids.map((id) => event(`hold:${id}`, 1)),
    timers: ids.map((id) => ({ key: key(id), dueAt: 10 })),
    outbox: ids.map((id) => message(id, { holdId: id, dueAt: 10 })),
  });
  for (let i = 0; i < 8; i += 1) await use(store, `late${i}`).then(() => list(store, `late${i}`));
  await store.close();
  expect(Object.entries(await readOf(schema)).filter(([, read]) => read >= ROWS)).toEqual([]);
});

it("a list of one workspace does not read the entities of another, and links are found by their hold", async () => {
  const { schema, url } = freshSchema(database);
  const store = await openPostgresStore({ url, indexes, clock: systemClock });
  const ids = Array.from({ length: ROWS }, (_, i) => `h${i}`);
  await commit(store, {
    puts: ids.flatMap((id) => [
      put(key(id, "person", "elsewhere"), 0, { name: id }),
      put(key(`${id}.hash`, "link", "elsewhere"), 0, { holdId: id }),
    ]),
  });
  await commit(store, {
    puts: [put(key("ada", "person"), 0, {}), put(key("h1.other", "link"), 0, { holdId: "h1" })],
  });
  for (let i = 0; i < 8; i += 1) {
    expect(await store.query({ workspace: "default", kind: "person", limit: 5 })).toHaveLength(1);
    expect(await store.query({ workspace: "default", kind: "link", prefix: "h1.", limit: 5 })).toHaveLength(
      1,
    );
  }
  await store.close();
  const { client } = await connect(readAddress(database.url));
  const { rows } = await client.query<{ scans: number }>(
    "SELECT idx_scan AS scans FROM pg_stat_user_indexes WHERE schemaname = $1 AND indexrelname = 'entity_listed'",
    [schema],
  );
  await client.end();
  expect(rows).toEqual([{ scans: 8 }]);
  expect((await readOf(schema))["entity"]).toBeLessThan(ROWS);
});

it("a list is planned for the value it asks for", async () => {
  const { schema, url } = freshSchema(database);
  const store = await openPostgresStore({ url, indexes, clock: systemClock });
  const ids = Array.from({ length: 8 * ROWS }, (_, i) => `hold_${String(i).padStart(26, "0")}`);
  await commit(store, {
    puts: ids.map((id, i) => put(key(id), 0, holdBody({ creator: i < 6 ? "rare" : "usual" }))),
  });
  await ask(url.replace(/[?].*/, ""), TABLES.map((table) => `ANALYZE ${schema}.${table};`).join(" "));
  for (let i = 0; i < 8; i += 1) {
    const { holds } = await store.searchHolds({ workspace: "default", text: "", creator: "rare", limit: 5 });
    expect(holds).toHaveLength(5);
  }
  await store.close();
  expect((await readOf(schema)).hold).toBeLessThan(ids.length);
});

it("attack 12: writes find rows by their primary key, even before there are statistics", async () => {
  const { schema, url } = freshSchema(database);
  const store = await openPostgresStore({ url, indexes, clock: systemClock });
  const ids = Array.from({ length: 4 * ROWS }, (_, i) => `hold_${String(i).padStart(26, "0")}`);
  await commit(store, {
    puts: ids.map((id, i) => put(key(id), 0, holdBody({ status: i % 2 === 0 ? "open" : "expired" }))),
  });
  for (let i = 0; i < 8; i += 1) await use(store, `late${i}`);
  await store.close();
  const { client } = await connect(readAddress(database.url));
  const { rows } = await client.query(
    `SELECT indexrelname, idx_scan FROM pg_stat_user_indexes WHERE schemaname = $1 AND idx_scan > 0
      AND relname = 'hold' AND indexrelname <> 'hold_pkey'`,
    [schema],
  );
  await client.end();
  expect(rows).toEqual([]);
});

it("every connection discards its plans when they are old, and not before", async () => {
  const clock = new ManualClock();
  const store = await openPostgresStore({ url: freshSchema(database).url, indexes, clock });
  await use(store, "first");
  const statements: unknown[] = [];
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args) {
    statements.push(args[0]);
    return query.apply(this, args) as never;
  });
  const discards = () => statements.splice(0).filter((text) => text === "DISCARD PLANS").length;
  await clock.advance(KEPT_MS - 1);
  await use(store, "early");
  expect(discards()).toBe(0);
  await clock.advance(1);
  await use(store, "late");
  await use(store, "later");
  // The connection of the batches and the one of the pool.
  expect(discards()).toBe(2);
  spy.mockRestore();
  await store.close();
});

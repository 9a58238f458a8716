/** Batches that end in an unusual way. */

import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { ask, type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { commit, event, holdBody, indexes, key, put } from "../suite/fixture.ts";
import { freshSchema } from "./harness.ts";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;
let name: string;
let elsewhere: string;

beforeAll(async () => {
  database = await testDatabase();
  name = new URL(database.url).pathname.slice(1);
  elsewhere = new URL("/postgres", database.url).href;
});
afterAll(() => database[Symbol.asyncDispose]());

const openStore = () => openPostgresStore({ url: freshSchema(database).url, indexes, clock: systemClock });

it("a batch with an event that cannot be written writes nothing else either", async () => {
  await using store = await openStore();
  const unwritable = event("hold:h1", 1, { actor: undefined as never });
  const puts = [put(key("h1"), 0, holdBody())];
  await expect(commit(store, { puts, events: [unwritable] })).rejects.toThrow(TypeError);
  expect(await store.load([key("h1")])).toEqual([]);
  await commit(store, { puts, events: [event("hold:h1", 1)] });
  expect(await store.events({ after: 0, limit: 10 })).toHaveLength(1);
});

const LONG = holdBody({ text: "x".repeat(900_000) });
const many = Array.from({ length: 12 }, (_, at) => key(`h${at.toString().padStart(2, "0")}`));

it("a conflict in any part of many long rows fails the whole commit, and the next one goes through (S1, S2)", async () => {
  await using store = await openStore();
  await commit(store, { puts: many.map((each) => put(each, 0, LONG)) });
  for (const wrong of [0, 5, 11]) {
    const puts = many.map((each, at) => put(each, at === wrong ? 7 : 1, LONG));
    await expect(commit(store, { puts, events: [event("hold:h01", 1)] })).rejects.toThrow("h");
    const rows = await store.load(many);
    expect(rows.map(({ version }) => version)).toEqual(many.map(() => 1));
    expect(await store.lastPosition()).toBe(0);
  }
  await commit(store, { puts: many.map((each) => put(each, 1, LONG)) });
  expect((await store.load(many)).every(({ version }) => version === 2)).toBe(true);
});

it("a store that is closed while a batch connects leaves no connection open", async () => {
  const store = await openStore();
  await ask(
    elsewhere,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  const connect: (this: pg.Client) => Promise<unknown> = pg.Client.prototype.connect;
  const closing = Promise.withResolvers<void>();
  const connecting = vi.spyOn(pg.Client.prototype, "connect").mockImplementation(function (this: pg.Client) {
    closing.resolve(store.close());
    return connect.call(this);
  });
  try {
    // Until the store has noticed that its connection is gone.
    await vi.waitFor(async () => {
      const begun = store.begin().then((batch) => batch.release());
      await expect(begun).rejects.toMatchObject({ code: "store_closed" });
    });
    await closing.promise;
    expect(connecting).toHaveBeenCalledOnce();
  } finally {
    connecting.mockRestore();
  }
  await vi.waitFor(async () => expect(await sessions()).toBe(0), { timeout: 5_000, interval: 20 });
});

async function sessions(): Promise<number> {
  const client = new pg.Client({ connectionString: elsewhere });
  await client.connect();
  const { rowCount } = await client.query("SELECT FROM pg_stat_activity WHERE datname = $1", [name]);
  await client.end();
  return rowCount ?? 0;
}

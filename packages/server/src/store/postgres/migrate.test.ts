import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { ask, type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { indexOf } from "../suite/fixture.ts";
import { freshSchema } from "./harness.ts";
import { readMigrations } from "./migrations.ts";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

const open = (url: string, more = {}) => openPostgresStore({ url, indexOf, clock: systemClock, ...more });

it("M1 any number of servers may start at once on an empty database", async () => {
  const { url } = freshSchema(database);
  const stores = await Promise.all(Array.from({ length: 4 }, () => open(url)));
  expect(await Promise.all(stores.map((store) => store.lastPosition()))).toEqual([0, 0, 0, 0]);
  for (const store of stores) await store.close();
});

it("M1 a migration that fails leaves the schema as it was; one that works is told once", async () => {
  const { url } = freshSchema(database);
  await (await open(url)).close();
  const known = readMigrations();
  await expect(
    open(url, { migrations: [...known, "CREATE TABLE more (id int); SELECT nonsense"] }),
  ).rejects.toThrow("nonsense");
  const upgrades: unknown[] = [];
  const options = {
    migrations: [...known, "CREATE TABLE more (id int)"],
    onUpgrade: (upgrade: unknown) => upgrades.push(upgrade),
  };
  await (await open(url, options)).close();
  await (await open(url, options)).close();
  expect(upgrades).toEqual([{ from: known.length, to: known.length + 1 }]);
});

it("M2 a newer schema and one that is not ours are left alone", async () => {
  const { url, schema } = freshSchema(database);
  await (await open(url, { migrations: [...readMigrations(), "CREATE TABLE more (id int)"] })).close();
  await expect(open(url)).rejects.toMatchObject({
    name: "StoreError",
    code: "database_newer",
    details: { schema },
  });
  const foreign = freshSchema(database);
  await ask(database.url, `CREATE SCHEMA ${foreign.schema}; CREATE TABLE ${foreign.schema}.theirs (id int)`);
  await expect(open(foreign.url)).rejects.toMatchObject({ code: "database_foreign" });
});

it("an address that leads nowhere says so", async () => {
  await expect(open("postgres://nobody@127.0.0.1:1/none")).rejects.toMatchObject({
    name: "StoreUnavailable",
  });
});

import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { testStore } from "../store.suite.ts";
import { indexes } from "../suite/fixture.ts";
import { openHarness } from "./harness.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

testStore({ name: "postgres", open: (given) => openHarness(database, given) });

test("only its owner can read a backup of PostgreSQL, from its first byte on", async () => {
  await using harness = await openHarness(database, indexes);
  const path = harness.backupPath();
  const modes: number[] = [];
  const folder = dirname(path);
  await harness.store.backup(path, () => {
    for (const name of readdirSync(folder))
      if (name.startsWith(basename(path))) modes.push(statSync(join(folder, name)).mode & 0o777);
  });
  modes.push(statSync(path).mode & 0o777);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

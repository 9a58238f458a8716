/** The same stories over a real database, where servers really lock rows and hear of each other over connections. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { DATABASE } from "../src/testing/fresh-database-url.ts";
import { type TestDatabase, testDatabase } from "../src/testing/postgres/test-database.ts";
import { runSeed } from "./run.ts";

let database: TestDatabase;
const before = process.env[DATABASE];

beforeAll(async () => {
  database = await testDatabase();
  process.env[DATABASE] = database.url;
});

afterAll(async () => {
  if (before === undefined) delete process.env[DATABASE];
  else process.env[DATABASE] = before;
  await database[Symbol.asyncDispose]();
});

test.each([1, 2, 3, 4])(
  "seed %i keeps every promise on two servers that share a PostgreSQL",
  { timeout: 240_000 },
  async (seed) => {
    const { complaints } = await runSeed(seed, { store: "postgres", servers: 2, steps: 100 });
    expect(complaints, `replay with: npm run sim -- --store postgres --servers 2 --seed ${seed}`).toEqual([]);
  },
);

/** Runs a test file over PostgreSQL: a database of its own, in which every server that it makes gets a schema. */

import { afterAll, beforeAll } from "vitest";
import { DATABASE } from "../fresh-database-url.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  process.env[DATABASE] = database.url;
});

afterAll(async () => {
  delete process.env[DATABASE];
  await database[Symbol.asyncDispose]();
});

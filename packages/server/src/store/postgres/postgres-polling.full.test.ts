import { afterAll, beforeAll } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { testStore } from "../store.suite.ts";
import { openHarness } from "./harness.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

testStore({
  name: "postgres without NOTIFY",
  open: (indexes) => openHarness(database, indexes, "&notify=off"),
});

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { ask, type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { testFiles } from "../file.suite.ts";
import { gathered, transferFiles } from "../file-port.ts";
import { folderFiles } from "../sqlite/folder-files.ts";
import { indexes } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { readAddress } from "./connect.ts";
import { postgresFiles } from "./file-table.ts";
import { freshSchema } from "./harness.ts";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

async function opened() {
  const { url } = freshSchema(database);
  await (await openPostgresStore({ url, indexes, clock: systemClock })).close();
  return url;
}

testFiles("PostgreSQL", async () => {
  const url = await opened();
  const all = [postgresFiles(url)];
  return {
    files: all[0] as ReturnType<typeof postgresFiles>,
    reopen: async () => {
      const another = postgresFiles(url);
      all.push(another);
      return another;
    },
    [Symbol.asyncDispose]: async () => {
      for (const files of all) await files.close();
    },
  };
});

test("files can be transferred to a folder and back, and an interrupted transfer can be continued", async () => {
  await using folder = await temporaryFolder();
  const url = await opened();
  const files = postgresFiles(url);
  const others = folderFiles(join(folder.path, "x.files"));
  const one = async function* () {
    yield Buffer.from("content");
  };
  await files.write("file_1", one());
  await files.write("file_2", one());
  expect(await transferFiles(files, others)).toBe(2);
  expect(await transferFiles(files, others)).toBe(0);
  await files.remove(["file_1", "file_2"]);
  expect(await transferFiles(others, files)).toBe(2);
  // A process killed in the middle of a file leaves its first part without an end mark.
  await files.remove(["file_2"]);
  await ask(url, `INSERT INTO ${readAddress(url).schema}.file_part VALUES ('file_2', 0, false, 'con')`);
  expect(await transferFiles(others, files)).toBe(1);
  const parts = await files.read("file_2");
  expect(Buffer.concat(await gathered(parts as AsyncIterable<Uint8Array>)).toString()).toBe("content");
  await files.close();
});

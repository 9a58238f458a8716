import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import { systemClock } from "../../system/clock.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { testServer } from "../../testing/test-server.ts";
import { openSqliteStore } from "../sqlite/open.ts";
import { readAll } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { copyIn } from "./copy-in.ts";
import { freshSchema } from "./harness.ts";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

async function filled(path: string, holds: number): Promise<void> {
  await using test = await testServer({ store: openSqliteStore({ path, indexes: TABLE }) });
  for (let at = 0; at < holds; at += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, holds - at) }, async (_, more) => {
        const { body } = await test.call("POST", "/v1/holds", {
          key: test.keys.agent,
          body: { type: "approval", prompt: "Ship?", key: `k:${at + more}`, timeout: "1h" },
        });
        const answer = { key: test.keys.operator, body: { action: "approve" } };
        if (more % 2 === 0) await test.call("POST", `/v1/holds/${body.id}/answer`, answer);
      }),
    );
  }
  await test.server.checkpointer.make();
}

const MAIN = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));

function run(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const all = ["--conditions=@holdpoint/source", MAIN, ...args];
  const env = { ...process.env, ...more };
  return new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
    execFile(process.execPath, all, { env }, (fault, out, err) => {
      resolve({ code: fault === null ? 0 : Number(fault.code), said: `${out}${err}` });
    });
  });
}

const migrate = (path: string, url: string) => run(["migrate", "--from", `sqlite:${path}`, "--to", url]);

it("migrate copies and verifies everything, and a server continues with the copy", {
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  await filled(path, 40);
  const { url } = freshSchema(database);
  const moved = await migrate(path, url);
  expect(moved).toMatchObject({ code: 0, said: expect.stringContaining("40 hold rows") });

  const verified = await run(["verify"], { HOLDPOINT_DATABASE_URL: url, HOLDPOINT_HOME: folder.path });
  expect(verified).toMatchObject({ code: 0, said: expect.stringContaining("whole") });

  const file = openSqliteStore({ path, indexes: TABLE });
  const store = await openPostgresStore({ url, indexes: TABLE, clock: systemClock });
  expect(await readAll(store)).toEqual(await readAll(file));
  const links = { workspace: "default", kind: "link", limit: 1000 } as const;
  expect(await store.query(links)).toEqual(await file.query(links));
  await file.close();

  await using test = await testServer({ store });
  const again = await test.call("POST", "/v1/holds", {
    key: test.keys.agent,
    body: { type: "approval", prompt: "Ship?", key: "k:1", timeout: "1h" },
  });
  expect(again.status).toBe(200);
  expect(await migrate(path, url)).toMatchObject({ code: 1, said: expect.stringContaining("is not empty") });
});

it("copyIn refuses a file that is not a database", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "notes.db");
  await writeFile(path, "not a database, but long enough to be read as one".repeat(40));
  const copying = copyIn({ path, url: freshSchema(database).url, indexes: TABLE });
  await expect(copying).rejects.toMatchObject({ name: "StoreError", code: "database_foreign" });
});

it("I1 I2 an interrupted copy can be continued, and no server can open the schema before it is finished", {
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  await filled(path, 30);
  const { url } = freshSchema(database);
  await (await openPostgresStore({ url, indexes: TABLE, clock: systemClock, isImporting: true })).close();
  for (let page = 0; page < 2; page += 1) {
    const cut = copyIn({ path, url, indexes: TABLE, isStopped: () => true });
    await expect(cut).rejects.toThrow("stopped");
  }
  await expect(openPostgresStore({ url, indexes: TABLE, clock: systemClock })).rejects.toMatchObject({
    code: "database_unfinished",
  });
  const other = join(folder.path, "other.db");
  await filled(other, 1);
  await expect(copyIn({ path: other, url, indexes: TABLE })).rejects.toMatchObject({
    code: "database_unfinished",
    message: expect.stringContaining("DROP SCHEMA"),
  });

  expect(await migrate(path, url)).toMatchObject({ code: 0 });
  const file = openSqliteStore({ path, indexes: TABLE });
  const store = await openPostgresStore({ url, indexes: TABLE, clock: systemClock });
  expect(await readAll(store)).toEqual(await readAll(file));
  await file.close();
  await store.close();
});

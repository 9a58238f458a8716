import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { temporaryFolder } from "../../store/suite/temporary.ts";
import { testServer } from "../../testing/test-server.ts";

it.each(["hold", "entity", "event", "timer", "outbox"])(
  "attack 12: a server whose table %s is gone or damaged says that it is not ready",
  async (table) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "holdpoint.db");
    await using test = await testServer({ store: openSqliteStore({ path, indexes: TABLE }) });
    expect((await test.call("GET", "/readyz")).status).toBe(200);
    const db = new DatabaseSync(path);
    db.exec(`ALTER TABLE ${table} RENAME TO lost`);
    db.close();
    expect((await test.call("GET", "/readyz")).status).toBe(503);
    const repair = new DatabaseSync(path);
    repair.exec(`ALTER TABLE lost RENAME TO ${table}`);
    repair.close();
  },
);

/** Overwrites the page in the file where the table begins. */
function damage(path: string, table: string): void {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table) as {
    rootpage: number;
  };
  const { page_size: size } = db.prepare("PRAGMA page_size").get() as { page_size: number };
  db.close();
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (rootpage - 1) * size);
  closeSync(file);
}

/** A file with one hold in it, whose table is damaged after the server has stopped. */
async function startedOver(folder: string, table: string) {
  const path = join(folder, "holdpoint.db");
  const first = await testServer({ store: openSqliteStore({ path, indexes: TABLE }) });
  const body = { type: "approval", prompt: "Go?", timeout: "1h" };
  expect((await first.call("POST", "/v1/holds", { key: first.keys.agent, body })).status).toBe(201);
  await first.server.stop();
  damage(path, table);
  return testServer({ store: openSqliteStore({ path, indexes: TABLE }) });
}

it.each(["hold", "outbox"])(
  "attack 12: a server that was started over a damaged page of its table %s says that it is not ready",
  async (table) => {
    await using folder = await temporaryFolder();
    await using test = await startedOver(folder.path, table);
    expect((await test.call("GET", "/readyz")).status).toBe(503);
  },
);

it("attack 12: a server does not start over a damaged page of its log", async () => {
  await using folder = await temporaryFolder();
  await expect(startedOver(folder.path, "event")).rejects.toThrow("malformed");
});

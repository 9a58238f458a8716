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

/** A PostgreSQL store in an empty schema of its own, for tests. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { IndexTable } from "../../kernel/table.ts";
import { systemClock } from "../../system/clock.ts";
import { ask, type TestDatabase } from "../../testing/postgres/test-database.ts";
import { openSqliteCopy } from "../sqlite/open.ts";
import type { Harness } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { openPostgresStore } from "./open.ts";
import type { PostgresStore } from "./postgres-store.ts";

export function freshSchema(database: TestDatabase): { readonly schema: string; readonly url: string } {
  const schema = `s${randomUUID().replaceAll("-", "").slice(0, 12)}`;
  return { schema, url: `${database.url}?schema=${schema}` };
}

/** Schemas that nobody uses at the moment. To empty one costs a tenth of making another. */
const empty = new WeakMap<TestDatabase, ReturnType<typeof freshSchema>[]>();

const TABLES = ["hold", "entity", "entity_index", "event", "timer", "outbox", "file_part", "spending"];

export async function openHarness(
  database: TestDatabase,
  indexes: IndexTable,
  parameters = "",
): Promise<Harness> {
  const idle = empty.get(database) ?? [];
  empty.set(database, idle);
  const place = idle.pop() ?? freshSchema(database);
  const folder = await temporaryFolder();
  const stores: PostgresStore[] = [];
  const open = async () => {
    const store = await openPostgresStore({ url: `${place.url}${parameters}`, indexes, clock: systemClock });
    stores.push(store);
    return store;
  };
  return {
    store: await open(),
    reopen: async () => {
      await stores.at(-1)?.close();
      return open();
    },
    backupPath: () => join(folder.path, "backup.db"),
    openCopy: async (copy) => openSqliteCopy(copy),
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close();
      await ask(database.url, TABLES.map((table) => `DELETE FROM ${place.schema}.${table}`).join(";"));
      idle.push(place);
      await folder[Symbol.asyncDispose]();
    },
  };
}

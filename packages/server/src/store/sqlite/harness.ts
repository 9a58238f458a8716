/** A SQLite store in a temporary folder of its own, for tests. */

import { join } from "node:path";
import type { IndexTable } from "../../kernel/table.ts";
import type { Harness } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { openSqliteCopy, openSqliteStore } from "./open.ts";
import type { SqliteStore } from "./sqlite-store.ts";

export interface SqliteHarness extends Harness {
  readonly path: string;
}

export async function openHarness(indexes: IndexTable): Promise<SqliteHarness> {
  const folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  const stores: SqliteStore[] = [];
  const open = () => {
    const store = openSqliteStore({ path, indexes });
    stores.push(store);
    return store;
  };
  return {
    path,
    store: open(),
    reopen: async () => {
      await stores.at(-1)?.close();
      return open();
    },
    backupPath: () => join(folder.path, "backup.db"),
    openCopy: async (copy) => openSqliteCopy(copy),
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

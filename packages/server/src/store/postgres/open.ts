/** Opens a PostgreSQL database as a store, bringing its schema up to date first. */

import type pg from "pg";
import type { IndexTable } from "../../kernel/table.ts";
import { StoreError } from "../store-error.ts";
import { type Address, connect, openPool, readAddress } from "./connect.ts";
import type { LocalClock } from "./database-clock.ts";
import { lockOf } from "./locks.ts";
import { migrate, type Upgrade } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { PostgresStore } from "./postgres-store.ts";
import { assertSession } from "./session.ts";

const SEARCH_MS = 2000;
/** What a dead server left is noticed this soon, and so is what a cut connection swallowed. */
const LOOK_MS = 500;

export interface PostgresOptions {
  /** `postgres://…`; `?schema=` names another schema than `holdpoint`, `?notify=off` does without NOTIFY. */
  readonly url: string;
  readonly indexes: IndexTable;
  readonly clock: LocalClock;
  /** Whether `now` is the database's, as it must be when several servers share it. Tests drive their own. */
  readonly isDatabaseTime?: boolean;
  readonly searchMs?: number;
  readonly lookMs?: number;
  readonly migrations?: readonly string[];
  /** For the copy itself: everybody else is refused a database that one has not been finished in. */
  readonly isImporting?: boolean;
  /** Told once when an existing schema was brought to a newer one. */
  readonly onUpgrade?: (upgrade: Upgrade) => void;
}

export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { indexes, clock, searchMs = SEARCH_MS, lookMs = LOOK_MS, isDatabaseTime = false } = options;
  const address = readAddress(options.url);
  const connection = await connect(address);
  let openedAt: number;
  try {
    await assertOwnSession(connection.client, address);
    const migrations = options.migrations ?? readMigrations();
    const lock = lockOf(address.schema, "migration");
    const upgrade = await migrate(connection.client, address.schema, lock, migrations);
    if (upgrade.from > 0 && upgrade.from < upgrade.to) options.onUpgrade?.(upgrade);
    if (options.isImporting !== true) await assertWhole(connection.client, address.schema);
    const { rows } = await connection.client.query<{ position: number }>(
      "SELECT coalesce(max(position), 0) AS position FROM event",
    );
    openedAt = rows[0]?.position ?? 0;
  } finally {
    await connection.client.end();
  }
  const pool = openPool(address);
  const store = new PostgresStore({
    ...{ address, pool, indexes, clock, isDatabaseTime },
    ...{ searchMs, lookMs, openedAt },
  });
  // The clock is known before anybody asks for it.
  if (isDatabaseTime) {
    const batch = await store.begin();
    await batch.load([]);
    await batch.release();
  }
  return store;
}

async function assertOwnSession(client: pg.Client, address: Address): Promise<void> {
  const other = await connect(address);
  try {
    await assertSession(client, other.client);
  } finally {
    await other.client.end();
  }
}

async function assertWhole(client: pg.ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ unfinished: boolean }>(
    "SELECT to_regclass('import') IS NOT NULL AS unfinished",
  );
  if (rows[0]?.unfinished !== true) return;
  throw new StoreError(
    "database_unfinished",
    `A copy into schema ${schema} was begun and has not ended. Run the same "holdpoint migrate" again.`,
    { schema },
  );
}

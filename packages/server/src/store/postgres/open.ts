/** Opens a PostgreSQL database as a store and upgrades its schema first. */

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
/** How often to look for work that a dead server left, and for notifications that a lost connection missed. */
const LOOK_MS = 500;

export interface PostgresOptions {
  /** `postgres://…`; `?schema=` names another schema than `holdpoint`, `?notify=off` turns NOTIFY off. */
  readonly url: string;
  readonly indexes: IndexTable;
  readonly clock: LocalClock;
  /** Whether `now` is the database's time, as it must be if several servers share it. Tests use their own clock. */
  readonly isDatabaseTime?: boolean;
  readonly searchMs?: number;
  readonly lookMs?: number;
  readonly migrations?: readonly string[];
  /** Set by the copy itself; everybody else is refused while a copy into the schema is unfinished. */
  readonly isImporting?: boolean;
  /** Called once when an existing schema was upgraded. */
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
  // Reads the database's time before anybody asks for it.
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
    `A copy into schema ${schema} was started and has not finished. Run the same "holdpoint migrate" again.`,
    { schema },
  );
}

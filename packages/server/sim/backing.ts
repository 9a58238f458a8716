/** What outlives a process of the simulation: memory, a SQLite file or a schema in PostgreSQL. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TABLE } from "../src/domains.ts";
import { emptyMemory } from "../src/store/memory/data.ts";
import { MemoryStore } from "../src/store/memory/memory-store.ts";
import type { Store } from "../src/store/port.ts";
import { openSqliteStore } from "../src/store/sqlite/open.ts";
import type { Clock } from "../src/system/clock.ts";
import { freshDatabaseUrl } from "../src/testing/fresh-database-url.ts";
import { countingAsked } from "../src/testing/test-store.ts";

export const STORES = ["memory", "sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

export interface Backing extends AsyncDisposable {
  /** What a process finds when it starts. The one before it is gone, with its connections. */
  open(clock: Clock): Promise<Store>;
  /** Resolves when nothing is asked of the store any more. */
  idle(): Promise<void>;
}

/** Days pass in a simulation, and no other server dies meanwhile. */
const NEVER_LOOK_MS = 1e12;

export function backingOf(name: StoreName): Backing {
  if (name === "memory") return memoryBacking();
  if (name === "sqlite") return sqliteBacking();
  const url = freshDatabaseUrl();
  if (url === undefined) throw new Error("the simulation on PostgreSQL needs the database of a test run");
  return counted(async (clock) => {
    const { openPostgresStore } = await import("../src/store/postgres/open.ts");
    return openPostgresStore({ url, indexes: TABLE, clock, lookMs: NEVER_LOOK_MS });
  });
}

function memoryBacking(): Backing {
  const data = emptyMemory();
  return {
    open: async () => new MemoryStore({ indexes: TABLE, data }),
    idle: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function sqliteBacking(): Backing {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-sim-"));
  const path = join(folder, "holdpoint.db");
  return counted(
    async () => openSqliteStore({ path, indexes: TABLE }),
    () => rmSync(folder, { recursive: true, force: true }),
  );
}

/** A real store answers some turns later, so the clock waits for it. */
function counted(open: (clock: Clock) => Promise<Store>, forget: () => void = () => undefined): Backing {
  let now: { readonly store: Store; readonly idle?: () => Promise<void> } | undefined;
  return {
    async open(clock) {
      await now?.store.close();
      now = countingAsked(await open(clock));
      return now.store;
    },
    idle: async () => now?.idle?.(),
    async [Symbol.asyncDispose]() {
      await now?.store.close();
      forget();
    },
  };
}

/** What outlives the processes of a simulation: memory, a SQLite file or a schema in PostgreSQL. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TABLE } from "../src/domains.ts";
import { emptyMemory } from "../src/store/memory/data.ts";
import { MemoryPeers } from "../src/store/memory/memory-peers.ts";
import { MemoryStore } from "../src/store/memory/memory-store.ts";
import type { Store } from "../src/store/port.ts";
import { openSqliteStore } from "../src/store/sqlite/open.ts";
import type { Clock } from "../src/system/clock.ts";
import { freshDatabaseUrl } from "../src/testing/fresh-database-url.ts";
import { countingAsked } from "../src/testing/test-store.ts";

export const STORES = ["memory", "sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

export interface Backing extends AsyncDisposable {
  /** What a process finds when it starts. It closes it when it is gone. */
  open(clock: Clock): Promise<Store>;
  /** Resolves when nothing is asked of the stores any more. */
  idle(): Promise<void>;
}

/** Days pass in a simulation, so servers look for what a dead one left less often than in production. */
export const LOOK_MS = 600_000;
/** Nobody else is there who could die. */
const NEVER_LOOK_MS = 1e12;

export function backingOf(name: StoreName, servers: number): Backing {
  if (name === "memory") return memoryBacking(servers);
  if (name === "sqlite") return sqliteBacking();
  const url = freshDatabaseUrl();
  if (url === undefined) throw new Error("the simulation on PostgreSQL needs the database of a test run");
  const lookMs = servers > 1 ? LOOK_MS : NEVER_LOOK_MS;
  return counted(async (clock) => {
    const { openPostgresStore } = await import("../src/store/postgres/open.ts");
    return openPostgresStore({ url, indexes: TABLE, clock, lookMs });
  });
}

function memoryBacking(servers: number): Backing {
  const data = emptyMemory();
  const shared = servers > 1 ? { peers: new MemoryPeers(LOOK_MS) } : {};
  return {
    open: async () => new MemoryStore({ indexes: TABLE, data, ...shared }),
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
  const opened: ReturnType<typeof countingAsked>[] = [];
  return {
    async open(clock) {
      const one = countingAsked(await open(clock));
      opened.push(one);
      return one.store;
    },
    async idle() {
      for (const { idle } of opened) await idle?.();
    },
    async [Symbol.asyncDispose]() {
      for (const { store } of opened) await store.close();
      forget();
    },
  };
}

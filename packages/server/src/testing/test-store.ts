/** The store under a test server: in memory, or a schema of its own in PostgreSQL where the run is to prove that one. */

import { join } from "node:path";
import { TABLE } from "../domains.ts";
import { emptyMemory, type MemoryData } from "../store/memory/data.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import type { Batch, Store } from "../store/port.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import type { Clock } from "../system/clock.ts";
import { freshDatabaseUrl } from "./fresh-database-url.ts";

/** Days pass in these tests, and no other server dies meanwhile. */
const NEVER_LOOK_MS = 1e12;

export interface StoreUnderTest {
  readonly store: Store;
  /** Resolves when nothing is asked of the store any more. Absent: it answers in the same turn. */
  readonly idle?: () => Promise<void>;
  /** The same data as another server has it. */
  readonly again: () => Promise<StoreUnderTest>;
}

/** `folder`: in a real file there, where it would have been in memory. */
export async function storeUnderTest(clock: Clock, folder?: string): Promise<StoreUnderTest> {
  const url = freshDatabaseUrl();
  if (url !== undefined) return postgresUnderTest(clock, url);
  return folder === undefined ? inMemory(emptyMemory()) : inFile(join(folder, "holdpoint.db"));
}

function inMemory(data: MemoryData): StoreUnderTest {
  return { store: new MemoryStore({ indexes: TABLE, data }), again: async () => inMemory(data) };
}

function inFile(path: string): StoreUnderTest {
  return { store: openSqliteStore({ path, indexes: TABLE }), again: async () => inFile(path) };
}

async function postgresUnderTest(clock: Clock, url: string): Promise<StoreUnderTest> {
  const { openPostgresStore } = await import("../store/postgres/open.ts");
  const store = await openPostgresStore({ url, indexes: TABLE, clock, lookMs: NEVER_LOOK_MS });
  return { ...countingAsked(store), again: () => postgresUnderTest(clock, url) };
}

/** A real database answers some turns later, so a test that moves the clock waits for it. */
export function countingAsked(store: Store): Omit<StoreUnderTest, "again"> {
  let asked = 0;
  const during = async <T>(work: Promise<T>): Promise<T> => {
    asked += 1;
    return work.finally(() => {
      asked -= 1;
    });
  };
  const counting = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: readonly unknown[]) => {
          const given: unknown = member.apply(target, args);
          if (!(given instanceof Promise)) return given;
          return during(given.then((found) => (name === "begin" ? counting(found as Batch) : found)));
        };
      },
    });
  return {
    store: counting(store),
    async idle() {
      for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        if (asked > 0) quiet = 0;
      }
    },
  };
}

/** Between two questions of one request lie some turns of the event loop. */
const QUIET_TURNS = 5;

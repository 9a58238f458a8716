/** Several servers over one database, on one clock that the test moves. */

import { randomUUID } from "node:crypto";
import { TABLE } from "../../domains.ts";
import type { ServerOptions } from "../../server.ts";
import { openPostgresStore } from "../../store/postgres/open.ts";
import type { PostgresStore } from "../../store/postgres/postgres-store.ts";
import { ManualClock } from "../manual-clock.ts";
import { type TestServer, testServer } from "../test-server.ts";
import type { TestDatabase } from "./test-database.ts";

export interface TestServers extends AsyncDisposable {
  readonly clock: ManualClock;
  /** The address of the schema they share. */
  readonly url: string;
  readonly all: readonly TestServer[];
  readonly stores: readonly PostgresStore[];
}

export async function testServers(
  database: TestDatabase,
  count: number,
  parameters = "",
  options: Partial<ServerOptions> = {},
): Promise<TestServers> {
  const clock = new ManualClock();
  const url = `${database.url}?schema=s${randomUUID().replaceAll("-", "").slice(0, 12)}${parameters}`;
  const stores = await Promise.all(
    Array.from({ length: count }, () => openPostgresStore({ url, indexes: TABLE, clock })),
  );
  const all = await Promise.all(stores.map((store) => testServer({ ...options, store, clock })));
  return {
    clock,
    url,
    all,
    stores,
    [Symbol.asyncDispose]: async () => {
      for (const { server } of all) await server.stop();
    },
  };
}

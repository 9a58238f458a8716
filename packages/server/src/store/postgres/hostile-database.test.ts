/** Databases with unusual settings, in read-only mode, or that do not respond. */

import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { serve } from "../../serve.ts";
import { systemClock } from "../../system/clock.ts";
import { readConfig } from "../../system/config.ts";
import { type TestServers, testServers } from "../../testing/postgres/servers.ts";
import { ask, type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { indexes } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { type Connection, connect, connectForBatches, readAddress } from "./connect.ts";
import { freshSchema } from "./harness.ts";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;
let name: string;
/** Another database, so that the settings under test do not affect the session that changes them. */
let elsewhere: string;

beforeAll(async () => {
  database = await testDatabase();
  name = new URL(database.url).pathname.slice(1);
  elsewhere = new URL("/postgres", database.url).href;
});

afterAll(() => database[Symbol.asyncDispose]());

const place = (on: TestServer) =>
  on.call("POST", "/v1/holds", { key: on.keys.agent, body: { type: "approval", prompt: "Refund?" } });

/** Existing sessions keep their settings, as after a failover. */
const alter = (change: string) => ask(elsewhere, `ALTER DATABASE ${name} ${change}`);

const cut = () =>
  ask(elsewhere, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`);

async function timeoutOf(opened: Promise<Connection>): Promise<unknown> {
  const { client } = await opened;
  const { rows } = await client.query("SELECT current_setting('statement_timeout') AS found");
  await client.end();
  return rows[0].found;
}

function only({ all: [server] }: TestServers): TestServer {
  if (server === undefined) throw new Error("Invariant: the test started no server");
  return server;
}

it("S3 session defaults of the database do not change what servers guarantee", async () => {
  await alter("SET default_transaction_isolation = 'serializable'");
  await alter("SET statement_timeout = '1min'");
  try {
    await using servers = await testServers(database, 2);
    const placed = await Promise.all([...servers.all, ...servers.all, ...servers.all].map(place));
    expect(placed.map(({ status }) => status)).toEqual(placed.map(() => 201));
    const events = await only(servers).store.events({ after: 0, limit: 100, types: ["hold.placed"] });
    expect(events).toHaveLength(placed.length);
    // An ordinary statement times out before its caller gives up; a migration has no time limit.
    expect(await timeoutOf(connectForBatches(readAddress(database.url)))).toBe("20s");
    expect(await timeoutOf(connect(readAddress(database.url)))).toBe("0");
  } finally {
    await alter("RESET ALL");
  }
});

it("a read-only database is reported as unavailable, and is used again once it accepts writes", async () => {
  await using servers = await testServers(database, 1);
  const server = only(servers);
  await alter("SET default_transaction_read_only = on");
  await cut();
  expect(await place(server)).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(await server.call("GET", "/readyz")).toMatchObject({ status: 503, body: { status: "not_ready" } });
  await alter("RESET ALL");
  expect(await place(server)).toMatchObject({ status: 201 });
});

it("a failed start leaves no open connection that would keep the process alive", async () => {
  await using folder = await temporaryFolder();
  const { url } = freshSchema(database);
  await (await openPostgresStore({ url, indexes, clock: systemClock })).close();
  await alter("SET default_transaction_read_only = on");
  try {
    const env = { HOLDPOINT_HOME: folder.path, HOLDPOINT_PORT: "0", HOLDPOINT_DATABASE_URL: url };
    const serving = serve(readConfig(env, folder.path), env, () => undefined);
    await expect(serving).rejects.toMatchObject({ name: "StoreUnavailable" });
    await vi.waitFor(async () => expect(await sessions()).toBe(0), { timeout: 10_000, interval: 20 });
  } finally {
    await alter("RESET ALL");
  }
});

async function sessions(): Promise<number> {
  const client = new pg.Client({ connectionString: elsewhere });
  await client.connect();
  const { rowCount } = await client.query("SELECT FROM pg_stat_activity WHERE datname = $1", [name]);
  await client.end();
  return rowCount ?? 0;
}

/** Listening for other servers' commits when the database refuses LISTEN. */

import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import type { Hint } from "../port.ts";
import { readAddress } from "./connect.ts";
import { Watch } from "./watch.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => database[Symbol.asyncDispose]());

async function connections(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'holdpoint'",
  );
  await client.end();
  return rows[0].n;
}

it("a connection that cannot LISTEN, as on a standby, is closed before the next attempt", async () => {
  let refusals = 0;
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args) {
    if (String(args[0]).startsWith("LISTEN") && refusals < 3) {
      refusals += 1;
      return Promise.reject(new Error("cannot execute LISTEN during recovery")) as never;
    }
    return query.apply(this, args) as never;
  });
  const clock = new ManualClock();
  const { promise: heard, resolve: onMore } = Promise.withResolvers<Hint | undefined>();
  const address = readAddress(database.url);
  const watch = new Watch({ address, channel: "c", self: "me", clock, onMore, lookMs: 3_600_000 });
  for (let tries = 1; tries <= 3; tries += 1) {
    await expect.poll(() => refusals).toBe(tries);
    // One timer to poll, one to try LISTEN again.
    await expect.poll(() => clock.pending).toBe(2);
    await clock.advance(250);
  }
  // It listens now and checks for earlier commits.
  await heard;
  await expect.poll(connections).toBe(1);
  await watch.stop();
  await expect.poll(connections).toBe(0);
});

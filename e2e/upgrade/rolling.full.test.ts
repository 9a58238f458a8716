/**
 * A rolling upgrade with a version that really was: it serves, the present one starts beside it and migrates the database under its
 * load, both serve, and the earlier one stops. Agents place and wait on both, people answer on both.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TABLE } from "../../packages/server/src/domains.ts";
import { readMigrations } from "../../packages/server/src/store/postgres/migrations.ts";
import { openPostgresStore } from "../../packages/server/src/store/postgres/open.ts";
import { systemClock } from "../../packages/server/src/system/clock.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/postgres/test-database.ts";
import { atRest, check } from "../chaos/check.ts";
import { load, newTally, type Tally } from "../chaos/load.ts";
import { type ChaosServer, chaosServer } from "../chaos/servers.ts";
import { type EarlierVersion, earlierVersion } from "./earlier-version.ts";

/** The last commit before migration 7 of PostgreSQL. */
const EARLIER = "d6464813ed85fe26c5f78b5b35279ee0eb29f03f";
const WORKERS = 6;
/** Of acknowledged requests, in each part of the upgrade. */
const ENOUGH = 300;

let database: TestDatabase;
let earlier: EarlierVersion;

beforeAll(async () => {
  earlier = earlierVersion(EARLIER);
  database = await testDatabase();
});

afterAll(async () => {
  earlier?.[Symbol.dispose]();
  await database?.[Symbol.asyncDispose]();
});

async function countingReceiver() {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"]);
    received.set(id, (received.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, received, [Symbol.dispose]: () => void server.close() };
}

/** Until so many requests more were acknowledged. */
async function more(tally: Tally, count: number): Promise<void> {
  const until = tally.acknowledged + count;
  while (tally.acknowledged < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function holdsIn(url: string): Promise<readonly string[]> {
  await using store = await openPostgresStore({ url, indexes: TABLE, clock: systemClock });
  const keys: string[] = [];
  for (let after = ""; ; ) {
    const page = await store.query({ workspace: "default", kind: "hold", limit: 500, after });
    keys.push(...page.map(({ body }) => body.key ?? ""));
    const last = page.at(-1)?.id;
    if (last === undefined) return keys.toSorted();
    after = last;
  }
}

test("an earlier version serves while the present one migrates and takes over: nothing is lost, doubled or broken", {
  timeout: 300_000,
}, async () => {
  expect(earlier.schema).toBeLessThan(readMigrations().length);
  using receiver = await countingReceiver();
  const { url } = database;
  const old = chaosServer("earlier", url, { config: "", env: {}, main: earlier.main });
  const present = chaosServer("present", url, { config: "", env: {} });
  const serving: ChaosServer[] = [old];
  let isOver = false;
  let state = 7;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  try {
    await old.start();
    const tally = newTally();
    const options = { servers: serving, callbackUrl: receiver.url, random, isOver: () => isOver };
    const loading = load(options, WORKERS, tally);
    await more(tally, ENOUGH);
    // The earlier version goes on while its tables are changed.
    const acknowledgedBefore = tally.acknowledged;
    await present.start();
    expect(tally.acknowledged).toBeGreaterThan(acknowledgedBefore);
    serving.push(present);
    const heardBefore = tally.heard;
    await more(tally, ENOUGH);
    expect(tally.heard).toBeGreaterThan(heardBefore);
    serving.shift();
    await old.stop();
    await more(tally, ENOUGH);
    isOver = true;
    await loading;
    expect(tally.surprises).toEqual([]);
    expect(await atRest(url, 90_000)).toBe(true);
    const found = await check(url, tally.promised, receiver.received);
    expect(found.problems).toEqual([]);
    expect(await holdsIn(url)).toEqual(tally.promised.map(({ key }) => key).toSorted());
    // Going back is refused before anything is served, with what to do instead.
    await expect(old.start()).rejects.toThrow(
      `has version ${readMigrations().length}, but this program only knows up to ${earlier.schema}. Run the newer Holdpoint`,
    );
  } finally {
    isOver = true;
    await Promise.all([old.kill(), present.kill()]);
    old.forget();
    present.forget();
  }
});

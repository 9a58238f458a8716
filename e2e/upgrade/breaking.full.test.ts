/**
 * A migration that breaks the version before: operators are told to stop all servers first (docs/operate/running.md). A server that was
 * left running must not write what newer ones cannot find, and must say so; nothing that anybody was told may be lost.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { TABLE } from "../../packages/server/src/domains.ts";
import { openPostgresStore } from "../../packages/server/src/store/postgres/open.ts";
import { systemClock } from "../../packages/server/src/system/clock.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/postgres/test-database.ts";
import { verifyLog } from "../../packages/server/src/verify-log.ts";
import { call } from "../chaos/load.ts";
import { AGENT, chaosServer, OPERATOR } from "../chaos/servers.ts";
import { type EarlierVersion, earlierVersion } from "./earlier-version.ts";

/** The last commit before migration 5 of PostgreSQL, which keeps links under their holds. */
const EARLIER = "5a10ad3465c1930b1a83303c53d6d626b49f859f";

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

const ask = (key: string) => ({
  method: "POST",
  body: JSON.stringify({ type: "approval", prompt: "Refund?", key }),
});
const approval = { method: "POST", body: JSON.stringify({ action: "approve" }) };

test("a server that a breaking migration overtakes refuses to make links, and everything it acknowledged before goes on", {
  timeout: 120_000,
}, async () => {
  const { url } = database;
  const old = chaosServer("earlier", url, { config: "", env: {}, main: earlier.main });
  const present = chaosServer("present", url, { config: "", env: {} });
  try {
    await old.start();
    const before = await call(old.url(), "/v1/holds", AGENT, ask("before"));
    expect(before.status).toBe(201);
    await present.start();
    const during = await call(old.url(), "/v1/holds", AGENT, ask("during"));
    expect(during.status).toBeGreaterThanOrEqual(500);
    // The same key on a present server: the refused placing left nothing behind, and the agent's next try succeeds.
    const again = await call(present.url(), "/v1/holds", AGENT, ask("during"));
    expect(again.status).toBe(201);
    const id = String(before.body["id"]);
    const { pathname, search } = new URL(String(before.body["review_url"]));
    const page = await fetch(`${present.url()}${pathname}${search}`, {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
    });
    expect(await page.text()).toContain("Refund?");
    expect((await call(present.url(), `/v1/holds/${id}/answer`, OPERATOR, approval)).status).toBe(200);
    await old.stop();
    await using store = await openPostgresStore({ url, indexes: TABLE, clock: systemClock });
    expect((await verifyLog(store)).breaks).toEqual([]);
    await expect(old.start()).rejects.toThrow("newer");
  } finally {
    await Promise.all([old.kill(), present.kill()]);
    old.forget();
    present.forget();
  }
});

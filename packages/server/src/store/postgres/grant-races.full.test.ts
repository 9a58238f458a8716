import { afterAll, beforeAll, expect, test } from "vitest";
import { testServers } from "../../testing/postgres/servers.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const ROUNDS = 5;

test("of two hundred checks at once on three servers against a grant with one use left one is granted, and none after it is revoked", {
  timeout: 300_000,
}, async () => {
  await using servers = await testServers(database, 3, "", { platform: { maxOpenChecks: 10_000 } });
  const all = servers.all as readonly TestServer[];
  const on = (n: number) => all[n % all.length] as TestServer;
  const check = (n: number, tool: string, amount: number) =>
    on(n).call("POST", "/v1/checks", { key: on(n).keys.agent, body: { tool, args: { amount } } });
  const grantOf = async (tool: string, uses: number) => {
    const { hold } = (await check(0, tool, -1)).body;
    const grant = { for: "1h", uses, args: { amount: "any" } };
    const answer = { key: on(0).keys.operator, body: { action: "approve", grant } };
    const { outcome } = (await on(1).call("POST", `/v1/holds/${hold.id}/answer`, answer)).body;
    const claim = { key: on(0).keys.agent, body: { digest: hold.digest } };
    await on(2).call("POST", `/v1/holds/${hold.id}/claim`, claim);
    return outcome.grant_id;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await grantOf(`pay_${round}`, 1);
    const replies = await Promise.all(Array.from({ length: 200 }, (_none, n) => check(n, `pay_${round}`, n)));
    expect(replies.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    expect(replies.filter(({ body }) => body.verdict === "allow")).toHaveLength(1);

    const grantId = await grantOf(`mail_${round}`, 1_000);
    const before = Array.from({ length: 50 }, (_none, n) => check(n, `mail_${round}`, n));
    await on(round).call("DELETE", `/v1/grants/${grantId}`, { key: on(0).keys.operator });
    const after = Array.from({ length: 50 }, (_none, n) => check(n, `mail_${round}`, 100 + n));
    await Promise.all(before);
    expect((await Promise.all(after)).filter(({ body }) => body.verdict === "allow")).toEqual([]);
  }
  expect(await verifyLog(on(0).store)).toMatchObject({ breaks: [] });
});

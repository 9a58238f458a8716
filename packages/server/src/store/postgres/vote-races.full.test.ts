import { afterAll, beforeAll, expect, test } from "vitest";
import { seedPeople } from "../../people-seed.ts";
import { testServers } from "../../testing/postgres/servers.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { VOTERS, voterKeys } from "../../testing/voters.ts";
import { verifyLog } from "../../verify-log.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const ROUNDS = 10;

test("G1 fifty people vote at once on three servers where two are needed, and one of them is suspended meanwhile", {
  timeout: 300_000,
}, async () => {
  await using servers = await testServers(database, 3, "", { keys: voterKeys() });
  const all = servers.all as readonly TestServer[];
  const on = (n: number) => all[n % all.length] as TestServer;
  const people = Object.fromEntries(VOTERS.map((name) => [name, {}]));
  await seedPeople(on(0).server.engine, { people, teams: { everybody: { members: VOTERS } } });
  for (let round = 0; round < ROUNDS; round += 1) {
    const decision = { approve: [{ need: 2, from: ["team:everybody"] }] };
    const body = { type: "approval", prompt: `Round ${round}?`, decision };
    const { body: hold } = await on(round).call("POST", "/v1/holds", { key: "key-of-agent", body });
    const racing = VOTERS.map((name, n) =>
      on(n).call("POST", `/v1/holds/${hold.id}/answer`, {
        key: `key-of-${name}`,
        body: { action: "approve" },
      }),
    );
    const suspended = VOTERS[round] as string;
    const patch = { key: "key-of-root", body: { status: "suspended" } };
    const suspending = on(round + 1).call("PATCH", `/v1/people/${suspended}`, patch);
    const replies = await Promise.all(racing);
    await suspending;
    const { body: final } = await on(2).call("GET", `/v1/holds/${hold.id}`, { key: "key-of-agent" });
    expect(final.status).toBe("decided");
    const voters: string[] = final.votes.map(({ person }: { person: string }) => person);
    expect(new Set(voters).size).toBe(2);
    expect(replies.filter(({ body: reply }) => reply.status === "decided")).toHaveLength(1);
  }
  expect(await verifyLog(on(0).store)).toMatchObject({ breaks: [] });
});

import { expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { emptyMemory } from "./data.ts";
import { MemoryPeers } from "./memory-peers.ts";
import { MemoryStore } from "./memory-store.ts";

const ASK = { type: "approval", prompt: "Refund?" };

/** Two servers over one memory. */
async function pair() {
  const clock = new ManualClock();
  const [data, peers] = [emptyMemory(), new MemoryPeers(10_000)];
  const open = () => testServer({ clock, store: new MemoryStore({ indexes: TABLE, data, peers }) });
  return { clock, a: await open(), b: await open() };
}

const place = (on: TestServer, more: object = {}) =>
  on.call("POST", "/v1/holds", { key: on.keys.agent, body: { ...ASK, ...more } });

test("a wait on one server ends when the hold is answered on another that shares its memory", async () => {
  const { a, b } = await pair();
  await using _a = a;
  await using _b = b;
  const { id } = (await place(a)).body;
  const waiting = a.call("GET", `/v1/holds/${id}?wait=30`, { key: a.keys.agent });
  const answer = { key: b.keys.operator, body: { action: "approve" } };
  const answers = await Promise.all([a, b].map((on) => on.call("POST", `/v1/holds/${id}/answer`, answer)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await waiting).body.outcome).toMatchObject({ kind: "decided" });
});

test("a server fires the timers of another that died, once it looks again", async () => {
  const { a, b, clock } = await pair();
  await using _b = b;
  const { id } = (await place(a, { timeout: "5s", on_timeout: "reject" })).body;
  await a.server.timers.stop();
  await clock.advance(10_000);
  const expired = await b.store.events({ after: 0, limit: 100, types: ["hold.expired"] });
  expect(expired.map(({ stream }) => stream)).toEqual([`hold:${id}`]);
  await a[Symbol.asyncDispose]();
});

test("a budget is shared, and ends with its window", async () => {
  const { shared } = new MemoryStore({ indexes: TABLE, peers: new MemoryPeers(1) });
  const spend = async (now: number) => (await shared.spend([{ name: "n", count: 2, windowMs: 10 }], now))[0];
  expect([await spend(0), await spend(9), await spend(10)]).toEqual([
    { name: "n", spent: 2, endsAt: 10 },
    { name: "n", spent: 4, endsAt: 10 },
    { name: "n", spent: 2, endsAt: 20 },
  ]);
});

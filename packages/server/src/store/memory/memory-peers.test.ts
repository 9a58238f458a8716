import { expect, test, vi } from "vitest";
import { TABLE } from "../../domains.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { emptyMemory } from "./data.ts";
import { MemoryPeers } from "./memory-peers.ts";
import { MemoryStore } from "./memory-store.ts";

const LOOK_MS = 10_000;
const HOUR_MS = 3_600_000;
const ASK = { type: "approval", prompt: "Refund?" };

/** Two servers over one memory. */
async function pair(betweenStarts: (clock: ManualClock) => Promise<void> = async () => undefined) {
  const clock = new ManualClock();
  const [data, peers] = [emptyMemory(), new MemoryPeers(LOOK_MS)];
  const open = () => testServer({ clock, store: new MemoryStore({ indexes: TABLE, data, peers }) });
  const a = await open();
  await betweenStarts(clock);
  return { clock, a, b: await open() };
}

/** The second server starts when nothing has been written for an hour, so it knows less of the time than the first. */
const pairAfterSetBack = () =>
  pair(async (clock) => {
    await clock.advance(HOUR_MS);
    await clock.set(clock.now() - 24 * HOUR_MS);
  });

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

test("F4: an agent that waits on one server hears of its hold alone, and the log is not read for it", async () => {
  const { a, b } = await pair();
  await using _a = a;
  await using _b = b;
  const [mine, other] = [(await place(a)).body.id, (await place(a)).body.id];
  const waiting = a.call("GET", `/v1/holds/${mine}?wait=30`, { key: a.keys.agent });
  await expect.poll(() => a.server.feed.waiting).toBe(1);
  const events = vi.spyOn(a.store, "events");
  const load = vi.spyOn(a.store, "load");
  for (const id of [other, mine])
    await b.call("POST", `/v1/holds/${id}/answer`, { key: b.keys.operator, body: { action: "approve" } });
  expect((await waiting).body.outcome).toMatchObject({ kind: "decided" });
  const loaded = load.mock.calls.flatMap(([wants]) => wants.map(({ id }) => id));
  expect([loaded.includes(mine), loaded.includes(other), events.mock.calls]).toEqual([true, false, []]);
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

test("G3 a server ends the holds of another that died, although the clock was set back before it started", async () => {
  const { a, b, clock } = await pairAfterSetBack();
  await using _b = b;
  const { id } = (await place(a, { timeout: "5s", on_timeout: "reject" })).body;
  await a.server.timers.stop();
  await clock.advance(LOOK_MS);
  const expired = await b.store.events({ after: 0, limit: 100, types: ["hold.expired"] });
  expect(expired.map(({ stream }) => stream)).toEqual([`hold:${id}`]);
  await a[Symbol.asyncDispose]();
});

test("G3 no server accepts an answer after the deadline that another set, although the clock was set back before it started", async () => {
  const { a, b, clock } = await pairAfterSetBack();
  await using _a = a;
  await using _b = b;
  const { id } = (await place(a, { timeout: "5s" })).body;
  await a.server.timers.stop();
  await b.server.timers.stop();
  await clock.advance(5_000);
  const answer = { key: b.keys.operator, body: { action: "approve" } };
  expect((await b.call("POST", `/v1/holds/${id}/answer`, answer)).status).toBe(410);
  const times = (await b.store.events({ after: 0, limit: 100 })).map(({ at }) => at);
  expect(times).toEqual(times.toSorted((x, y) => x - y));
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

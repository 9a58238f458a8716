/** Several servers over one database guarantee the same as one server. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import { openCase, pathOf } from "../../testing/hitl-cases.ts";
import { openIntentServer, REC } from "../../testing/openintent.ts";
import { type TestServers, testServers } from "../../testing/postgres/servers.ts";
import { ask, type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";
import { readMigrations } from "./migrations.ts";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

const REFUND = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } } as const;

function pair({ all }: TestServers): readonly [TestServer, TestServer] {
  const [a, b] = all;
  if (a === undefined || b === undefined)
    throw new Error("Invariant: the test started fewer than two servers");
  return [a, b];
}

async function place(on: TestServer, more: object = {}) {
  const reply = await on.call("POST", "/v1/holds", { key: on.keys.agent, body: { ...REFUND, ...more } });
  expect(reply.status).toBeLessThan(300);
  return reply.body;
}

const read = async (on: TestServer, id: string) =>
  (await on.call("GET", `/v1/holds/${id}`, { key: on.keys.agent })).body;

const wait = (on: TestServer, id: string) =>
  on.call("GET", `/v1/holds/${id}?wait=30`, { key: on.keys.agent });

const answer = (on: TestServer, id: string, action = "approve") =>
  on.call("POST", `/v1/holds/${id}/answer`, { key: on.keys.operator, body: { action } });

/** Resolves when a request is waiting on that server. */
async function waitingOn(on: TestServer): Promise<void> {
  while (on.server.feed.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe("two servers, through every face", () => {
  it("a person who looks at a hold through one server is named to a person who looks through the other", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const { id } = await place(a);
    const look = async (on: TestServer, key: string) =>
      (await on.call("POST", `/v1/holds/${id}/looking`, { key })).body.others.map(
        ({ name }: { readonly name: string }) => name,
      );
    expect(await look(a, a.keys.operator)).toEqual([]);
    await expect.poll(() => look(b, b.keys.admin)).toEqual(["ada"]);
    await expect.poll(() => look(a, a.keys.operator)).toEqual(["root"]);
  });

  it("G3: a notification that no server sent moves neither the time nor the place in the log", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const channel = `holdpoint_${new URL(servers.url).searchParams.get("schema")}`;
    const hold = await place(a);
    for (const payload of ["x 1 4102444800000", "x 999999999999 1", "x 1 foo", "x", ""])
      await ask(database.url, `SELECT pg_notify('${channel}', '${payload}')`);
    const waiting = wait(b, hold.id);
    await waitingOn(b);
    expect((await answer(a, hold.id)).status).toBe(200);
    expect((await waiting).body.status).toBe("decided");
    for (const { server } of servers.all) expect(server.engine.clock.now()).toBe(servers.clock.now());
  });

  it("native: a wait on one server ends when the hold is answered on the other", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const hold = await place(a);
    const waiting = wait(b, hold.id);
    await waitingOn(b);
    expect((await answer(a, hold.id)).status).toBe(200);
    expect((await waiting).body.outcome).toMatchObject({ kind: "decided", action: "approve" });
  });

  it("HITL: a case opened on one server can be polled and answered on the other", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const opened = await openCase(a);
    const polled = () => b.call("GET", pathOf(opened.hitl.poll_url), { key: b.keys.agent });
    expect((await polled()).body).toMatchObject({ status: "pending" });
    const responded = await b.call("POST", opened.at("respond"), { body: { action: "approve", data: {} } });
    expect(responded.status).toBe(200);
    expect((await opened.poll()).body).toMatchObject({ status: "completed", result: { action: "approve" } });
  });

  it("OpenIntent: an intent suspended on one server can be resumed through the other", async () => {
    await using servers = await testServers(database, 2);
    const { clock, stores } = servers;
    const [, b] = pair(servers);
    await using oi = await openIntentServer({ clock, ...(stores[0] && { store: stores[0] }) });
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    const reply = await b.call("POST", `/api/v1/intents/${id}/suspend/respond`, {
      headers: { "x-api-key": b.keys.operator },
      body: { suspension_id: "s1", value: "approve", responded_by: "alice@example.com", metadata: {} },
    });
    expect(reply).toMatchObject({ status: 200 });
    expect(await oi.get(id)).toMatchObject({ status: "active" });
  });

  it("page: a link made on one server opens and decides on the other", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const hold = await place(a);
    const { pathname, search } = new URL(hold.review_url);
    const shown = await b.server.app.request(pathname + search, {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
    });
    expect(await shown.text()).toContain("Refund 40 EUR?");
    const sent = await b.server.app.request(`${pathname}/answer${search}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ _action: "approve", _shown: hold.digest }).toString(),
    });
    expect(sent.status).toBe(303);
    expect(await read(a, hold.id)).toMatchObject({ status: "decided", outcome: { door: "page" } });
  });
});

describe("two servers", () => {
  it("G1 two servers give racing answers one outcome and tell every loser", async () => {
    await using servers = await testServers(database, 2);
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = pair(servers);
      const hold = await place(a);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          answer(at % 2 === 0 ? a : b, hold.id, at < 10 ? "approve" : "reject"),
        ),
      );
      const { outcome } = await read(b, hold.id);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
        expect([status, body.outcome]).toEqual([409, outcome]);
      }
    }
  });

  it("G8 two servers that place under the same key at once find the same hold", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    for (let round = 0; round < 5; round += 1) {
      const key = `refund:${round}`;
      const holds = await Promise.all([a, b, a, b].map((on) => place(on, { key })));
      expect(new Set(holds.map(({ id }) => id)).size).toBe(1);
    }
  });

  it("G3 two servers fire a timer once, even if the server that set it is gone", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const ids = await Promise.all([1, 2, 3].map(async () => (await place(a, { timeout: "10s" })).id));
    await a.server.stop();
    await servers.clock.advance(10_000);
    for (const id of ids) expect(await read(b, id)).toMatchObject({ status: "expired" });
    const expired = await b.store.events({ after: 0, limit: 100, types: ["hold.expired"] });
    expect(expired).toHaveLength(3);
  });

  it("F2 a subscriber of one server gets the events of both once, in order", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const page of b.server.feed.follow({ workspace: "default" }, 0, stop.signal)) {
        seen.push(...page.map(({ position }) => position));
        if (seen.length >= 40) return;
      }
    })();
    await Promise.all(Array.from({ length: 40 }, (_, at) => place(at % 2 === 0 ? a : b)));
    await following;
    stop.abort();
    expect(seen).toEqual(seen.toSorted((x, y) => x - y));
    expect(new Set(seen).size).toBe(seen.length);
    const stored = await a.store.events({ workspace: "default", after: 0, limit: seen.length });
    expect(seen).toEqual(stored.map(({ position }) => position));
  });

  it("K1 two servers sign one chain of checkpoints", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([place(a), place(b)]);
      await Promise.all([a, b].map(({ server }) => server.checkpointer.make()));
    }
    const found = await verifyLog(a.store);
    expect(found.breaks).toEqual([]);
    expect(found.checkpoints).toBeGreaterThanOrEqual(3);
  });

  it("two servers count wrong credentials together", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const guess = async (on: TestServer) => (await on.call("GET", "/v1/me", { key: "wrong" })).status;
    const guesses = async (on: TestServer, count: number) => {
      const all = [];
      for (let n = 0; n < count; n += 1) all.push(await guess(on));
      return all;
    };
    expect(new Set(await guesses(a, 20))).toEqual(new Set([401]));
    await servers.clock.advance(1_000);
    expect(await guess(b)).toBe(401);
    await servers.clock.advance(1_000);
    const more = await guesses(b, 15);
    expect(more).toContain(429);
    expect(more.indexOf(429)).toBe(9);
  });

  it("two servers are notified of each other's commits again after their listening connections were cut", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const hold = await place(a);
    const waiting = wait(b, hold.id);
    await waitingOn(b);
    await ask(
      database.url,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`,
    );
    expect((await answer(a, hold.id)).status).toBe(200);
    await servers.clock.advance(1_000);
    expect((await waiting).body).toMatchObject({ status: "decided" });
  });

  it("two servers continue after all their connections were cut", async () => {
    await using servers = await testServers(database, 2);
    const [a, b] = pair(servers);
    const hold = await place(a);
    await ask(
      database.url,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid()`,
    );
    const replies = [await answer(a, hold.id), await answer(b, hold.id)];
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("two servers without NOTIFY", () => {
  it("two servers without NOTIFY find each other's commits by polling", async () => {
    await using servers = await testServers(database, 2, "&notify=off");
    const [a, b] = pair(servers);
    const hold = await place(a);
    const waiting = wait(b, hold.id);
    await waitingOn(b);
    expect((await answer(a, hold.id)).status).toBe(200);
    await servers.clock.advance(100);
    expect((await waiting).body).toMatchObject({ status: "decided" });
  });
});

describe("a rolling upgrade", () => {
  const ADDS = "ALTER TABLE hold ADD COLUMN added_later int NOT NULL DEFAULT 0";

  it("a server of the version before goes on beside one whose migration only adds, and each ends what the other began", async () => {
    await using servers = await testServers(database, 1);
    const [before] = servers.all;
    if (before === undefined) throw new Error("Invariant: the test started no server");
    const { clock, url } = servers;
    const begun = await place(before);
    const waiting = wait(before, begun.id);
    await waitingOn(before);
    const migrations = [...readMigrations(), ADDS];
    const store = await openPostgresStore({ url, indexes: TABLE, clock, migrations });
    await using after = await testServer({ store, clock });
    expect((await answer(after, begun.id)).status).toBe(200);
    expect((await waiting).body.outcome).toMatchObject({ kind: "decided", action: "approve" });
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const hold = await place(one, { timeout: "1h" });
      const [first, second] = await Promise.all([answer(one, hold.id), answer(other, hold.id, "reject")]);
      expect([first.status, second.status].toSorted()).toEqual([200, 409]);
      expect((await read(one, hold.id)).outcome).toEqual((await read(other, hold.id)).outcome);
    }
    const late = await place(before, { timeout: "1m" });
    await clock.advance(60_000);
    await expect.poll(async () => (await read(after, late.id)).status).toBe("expired");
    expect((await verifyLog(store)).breaks).toEqual([]);
  });

  it("a server of the version before that starts after the upgrade is refused with what to do", async () => {
    await using servers = await testServers(database, 1);
    const { clock, url } = servers;
    const migrations = [...readMigrations(), ADDS];
    await (await openPostgresStore({ url, indexes: TABLE, clock, migrations })).close();
    await expect(openPostgresStore({ url, indexes: TABLE, clock })).rejects.toMatchObject({
      code: "database_newer",
      message: expect.stringContaining("Run the newer Holdpoint"),
    });
    const [running] = servers.all;
    expect(running === undefined ? undefined : (await place(running)).status).toBe("open");
  });
});

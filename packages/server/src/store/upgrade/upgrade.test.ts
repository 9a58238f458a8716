import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import { seedPeople } from "../../people-seed.ts";
import { systemClock } from "../../system/clock.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";
import type { Store } from "../port.ts";
import { copyIn, finishCopy } from "../postgres/copy-in.ts";
import { freshSchema } from "../postgres/harness.ts";
import { openPostgresStore } from "../postgres/open.ts";
import { openSqliteStore } from "../sqlite/open.ts";
import { commit, key as keyOf, put } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";

const file = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
/** What the database holds: ids, a review link, and the time at which it was written. */
const WAS = JSON.parse(file("schema-3.json"));

const NEVER_LOOK_MS = 1_000_000_000_000;

function writeOld(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(file("schema-3.sql"));
  db.close();
}

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

async function openSqlite(folder: string): Promise<Store> {
  const path = join(folder, "holdpoint.db");
  writeOld(path);
  return openSqliteStore({ path, indexes: TABLE });
}

/** The rows are the same JSON in both databases; `holdpoint migrate` carries them over. */
async function openPostgres(folder: string, clock: ManualClock): Promise<Store> {
  await (await openSqlite(folder)).close();
  const { url } = freshSchema(database);
  await (await openPostgresStore({ url, indexes: TABLE, clock: systemClock, isImporting: true })).close();
  await copyIn({ path: join(folder, "holdpoint.db"), url, indexes: TABLE });
  await finishCopy(url);
  return openPostgresStore({ url, indexes: TABLE, clock, lookMs: NEVER_LOOK_MS });
}

describe.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("a database of the previous version, opened on %s", (_name, open) => {
  async function serve(folder: string): Promise<TestServer> {
    const clock = new ManualClock({ startAt: WAS.now });
    return testServer({ clock, store: await open(folder, clock) });
  }

  it("an old database verifies, and its holds read as before", async () => {
    await using folder = await temporaryFolder();
    await using test = await serve(folder.path);
    expect(await verifyLog(test.store)).toMatchObject({ breaks: [], erased: 1 });
    const read = async (id: string) =>
      (await test.call("GET", `/v1/holds/${id}`, { key: test.keys.operator })).body;
    expect(await read(WAS.timed)).toMatchObject({ status: "open", prompt: "Refund 40 EUR?", attempt: 1 });
    expect(await read(WAS.decided)).toMatchObject({
      outcome: { action: "approve" },
      claim: { state: "done" },
    });
    expect(await read(WAS.on_intent)).toMatchObject({ status: "open", intent_id: WAS.native_intent });
    const onIntent = await test.call("GET", `/v1/holds?intent_id=${WAS.native_intent}`, {
      key: test.keys.operator,
    });
    expect(onIntent.body.holds).toMatchObject([{ id: WAS.on_intent }]);
    const thread = await test.call("GET", "/v1/threads/t1", { key: test.keys.agent });
    expect(thread.body).toMatchObject({ data: { messages: [1, 2] } });
  });

  it("an old database's timers fire at their time, and its keys find the same holds", async () => {
    await using folder = await temporaryFolder();
    await using test = await serve(folder.path);
    const { agent: key } = test.keys;
    const again = { key: "timed", type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } };
    const found = await test.call("POST", "/v1/holds", { key, body: again });
    expect([found.status, found.body.id]).toEqual([200, WAS.timed]);
    await test.clock.advance(30 * 60_000);
    expect((await test.call("GET", `/v1/holds/${WAS.timed}`, { key })).body).toMatchObject({ attempt: 2 });
    await test.clock.advance(90 * 60_000);
    expect((await test.call("GET", `/v1/holds/${WAS.timed}`, { key })).body).toMatchObject({
      status: "expired",
      outcome: { default: { action: "reject" } },
    });
    const intent = await test.call("GET", `/api/v1/intents/${WAS.intent}`, { key });
    expect(intent.body).toMatchObject({ status: "abandoned" });
    expect((await verifyLog(test.store)).breaks).toEqual([]);
  });

  it("an old database's link takes an answer, which counts as given by the asker's link", async () => {
    await using folder = await temporaryFolder();
    await using test = await serve(folder.path);
    const { pathname, search } = new URL(WAS.review_url);
    const path = `${pathname.replace("/review/", "/reviews/")}/respond${search}`;
    expect(await test.call("POST", path, { body: { action: "approve" } })).toMatchObject({ status: 200 });
    const { body } = await test.call("GET", `/v1/holds/${WAS.linked}`, { key: test.keys.operator });
    expect(body.outcome).toMatchObject({ action: "approve", by: { kind: "link", given_to: "asker" } });
  });

  it("an old database's hold resumes its intent, and the subscriber that the settings row named is notified", async () => {
    await using folder = await temporaryFolder();
    await using test = await serve(folder.path);
    const { operator: key } = test.keys;
    const answer = { key, body: { action: "approve" } };
    expect(await test.call("POST", `/v1/holds/${WAS.on_intent}/answer`, answer)).toMatchObject({
      status: 200,
    });
    const intent = await test.call("GET", `/api/v1/intents/${WAS.native_intent}`, { key });
    expect(intent.body).toMatchObject({ status: "active" });
    const sent = await test.store.outbox({ workspace: "default", endpoint: WAS.subscription, limit: 10 });
    expect(sent.map(({ event }) => event.type)).toContain("intent.resumed");
    for (const id of WAS.members)
      await test.call("POST", `/v1/holds/${id}/answer`, {
        key,
        body: { action: id === WAS.members[0] ? "approve" : "confirm" },
      });
    const group = await test.call("GET", `/v1/groups/${WAS.group}`, { key });
    expect(group.body.released_at).toBeDefined();
    expect((await verifyLog(test.store)).breaks).toEqual([]);
  });

  it("each operator's key of an old database becomes a person, confirmed by the configuration or by an admin later", async () => {
    await using folder = await temporaryFolder();
    await using test = await serve(folder.path);
    const { engine } = test.server;
    // Versions before people were rows made keys and no people.
    const key = {
      id: "key_old",
      name: "mara",
      role: "operator",
      hash: "h",
      hint: "",
      callbackSecret: "s",
    } as const;
    const row = { ...key, madeAt: WAS.now, madeBy: "system" };
    await commit(test.store, { puts: [put(keyOf(row.id, "api_key"), 0, row)] });
    const apiKeys = [{ secret: "s", role: "admin", name: "root", workspace: "default" }] as const;
    await seedPeople(engine, { apiKeys });
    const { body } = await test.call("GET", "/v1/people", { key: test.keys.admin });
    expect(body.people).toMatchObject([
      { id: "mara", verified: false, source: "key", role: "operator" },
      { id: "root", verified: true, source: "key", role: "admin" },
    ]);
    const before = await test.store.lastPosition();
    await seedPeople(engine, { apiKeys });
    expect(await test.store.lastPosition(), "a restart adds nothing").toBe(before);
    const what = "its log is missing";
    const { breaks } = await verifyLog(test.store);
    expect(breaks, "the key that the test put beside the log").toMatchObject([
      { stream: `api_key:${row.id}`, what },
    ]);
  });
});

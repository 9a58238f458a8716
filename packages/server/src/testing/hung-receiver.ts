/** A receiver that takes connections and never answers, an agent that fills its backlog, and a healthy receiver beside it. */

import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { TABLE } from "../domains.ts";
import type { OutboxRow } from "../kernel/record.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { temporaryFolder } from "../store/suite/temporary.ts";
import { ManualClock } from "./manual-clock.ts";
import { Receiver } from "./receiver.ts";
import { type TestServer, testServer } from "./test-server.ts";

/** As many as one subscriber may have at one intent. */
const SUBSCRIPTIONS = 10;
/** Tries that go at once to one host that has never answered. */
const AT_ONCE = 1;

export interface Backlog {
  readonly intents: number;
  readonly entries: number;
}

/** Fills the backlog, and looks on through a restart and a stop. */
export async function playHungReceiver({ intents, entries }: Backlog): Promise<void> {
  await using folder = await temporaryFolder();
  await using hung = await Receiver.start();
  await using healthy = await Receiver.start();
  hung.answer = () => "hang";
  const waiting = intents * entries * SUBSCRIPTIONS;

  const first = await opened(folder.path);
  for (let n = 0; n < intents; n += 1) await fill(first, hung, entries);
  await hung.received(AT_ONCE);
  await expectServing(first, healthy, { waiting, claims: 1 });
  expect(hung.requests).toHaveLength(AT_ONCE);
  await stop(first);

  const again = await opened(folder.path);
  await hung.received(2 * AT_ONCE);
  await expectServing(again, healthy, { waiting, claims: 2 });
  expect(hung.requests).toHaveLength(2 * AT_ONCE);
  await stop(again);
}

/** Over a file, so that the second server finds what the first has left. */
function opened(folder: string): Promise<TestServer> {
  const store = openSqliteStore({ path: join(folder, "holdpoint.db"), indexes: TABLE });
  return testServer({ clock: new ManualClock(), store });
}

/** One intent with subscriptions at the hung receiver, and one access list that tells each of them of every entry. */
async function fill(test: TestServer, hung: Receiver, entries: number): Promise<void> {
  const id = await intentWith(test, hung.url("/hook"), SUBSCRIPTIONS);
  const list = Array.from({ length: entries }, (_, n) => ({
    principal_id: `agent-${n}`,
    principal_type: "agent",
    permission: "read",
  }));
  const set = { default_policy: "open", entries: list };
  expect((await openIntent(test, "PUT", `intents/${id}/acl`, set)).status).toBe(200);
}

async function intentWith(test: TestServer, url: string, subscriptions: number): Promise<string> {
  const made = await openIntent(test, "POST", "intents", { title: "Refund", created_by: "refunder" });
  const id = made.body.id as string;
  for (let n = 0; n < subscriptions; n += 1) {
    const subscribed = await openIntent(test, "POST", "subscriptions", { intent_id: id, webhook_url: url });
    expect(subscribed.status).toBe(200);
  }
  return id;
}

function openIntent(test: TestServer, method: string, path: string, body: object) {
  return test.call(method, `/api/v1/${path}`, { body, headers: { "x-api-key": test.keys.agent } });
}

/** Everything else goes on; of the backlog only so much was touched as its host can be sent at once; and it can be seen. */
async function expectServing(
  test: TestServer,
  healthy: Receiver,
  { waiting, claims }: { readonly waiting: number; readonly claims: number },
): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect((await test.call("GET", "/healthz")).status).toBe(200);
  const before = healthy.requests.length;
  const id = await intentWith(test, healthy.url("/hook", "localhost"), 1);
  const event = { event_type: "comment", actor: "refunder", payload: { note: "n" } };
  expect((await openIntent(test, "POST", `intents/${id}/events`, event)).status).toBe(200);
  await healthy.received(before + 1);

  const rows = (await test.store.outbox({ workspace: "default", limit: 2 * waiting })).filter(isHung);
  expect(rows).toHaveLength(waiting);
  expect(rows.reduce((sum, { claim }) => sum + claim, 0)).toBe(claims * AT_ONCE);
  expect(rows.every(({ state }) => state === "waiting")).toBe(true);

  const metrics = (await test.call("GET", "/metrics", { key: test.keys.admin })).body as string;
  expect(metrics).toMatch(/^holdpoint_outbox_longest_backlog [1-9]\d*$/m);
  const queued = await test.call("GET", "/v1/deliveries?state=queued&limit=1", { key: test.keys.operator });
  const { backlogs } = queued.body;
  expect(backlogs[0]).toMatchObject({ kind: "webhook", host: "127.0.0.1", waiting: expect.any(Number) });
}

function isHung({ lane }: OutboxRow): boolean {
  return lane === "127.0.0.1";
}

/** The sender ends five seconds of the clock later, whatever waits; what was under way is put back. */
async function stop({ server, clock }: TestServer): Promise<void> {
  const stopping = server.sender.stop();
  await clock.advance(5_000);
  await stopping;
  await server.stop();
}

/**
 * Rounds of load and `kill -9`. The client writes down what was acknowledged; after each restart the server must know all of
 * it, and nothing twice.
 */

import { Holdpoint } from "@holdpoint/sdk";
import { expect } from "vitest";
import { TABLE } from "../../packages/server/src/domains.ts";
import type { ReadStore } from "../../packages/server/src/store/port.ts";
import { openPostgresStore } from "../../packages/server/src/store/postgres/open.ts";
import { openSqliteCopy } from "../../packages/server/src/store/sqlite/open.ts";
import { systemClock } from "../../packages/server/src/system/clock.ts";
import { verifyLog } from "../../packages/server/src/verify-log.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

/** What the client was told, by key. */
interface Ledger {
  readonly placed: Map<string, string>;
  readonly answered: Map<string, string>;
  /** Placed with a deadline, and when it is. */
  readonly deadlines: Map<string, number>;
}

export async function crashRounds(rounds: number, loadMs: number): Promise<void> {
  await using server = await serverProcess();
  const ledger: Ledger = { placed: new Map(), answered: new Map(), deadlines: new Map() };
  for (let round = 0; round < rounds; round += 1) {
    const stop = new AbortController();
    const load = Array.from({ length: 16 }, (_, worker) =>
      work(server, ledger, `${round}.${worker}`, stop.signal),
    );
    // Somewhere within the load; where exactly is up to the machine, and every place must be survived.
    await new Promise((resolve) => setTimeout(resolve, loadMs * (0.3 + 0.7 * Math.random())));
    // A busy machine may have done nothing by then.
    const isEnough = () => ledger.placed.size > (round + 1) * 5 && ledger.answered.size > (round + 1) * 2;
    while (!isEnough()) await new Promise((resolve) => setTimeout(resolve, 10));
    await server.kill();
    stop.abort();
    await Promise.all(load);
    await server.start();
    await check(server, ledger, `${round}.`);
  }
  // No later crash took back what an earlier round was told.
  await check(server, ledger, "");
  expect(ledger.placed.size, "the load must have done something").toBeGreaterThan(rounds * 5);
  expect(ledger.answered.size).toBeGreaterThan(rounds * 2);
  await allTimersFired(server, ledger);
  await server.stop();
  await checkLog(server, ledger);
}

function call(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Places, answers some, lets some expire; whatever breaks, breaks: only acknowledged replies are written down. */
async function work(server: ServerProcess, ledger: Ledger, name: string, signal: AbortSignal): Promise<void> {
  for (let i = 0; !signal.aborted; i += 1) {
    const key = `${name}.${i}`;
    const expires = i % 4 === 0;
    try {
      const placed = await call(server, "POST", "/v1/holds", {
        key,
        type: "approval",
        prompt: `Go on with ${key}?`,
        ...(expires ? { timeout: "2s" } : {}),
      });
      const hold = (await placed.json()) as { id: string; expires_at?: string };
      ledger.placed.set(key, hold.id);
      if (hold.expires_at !== undefined) ledger.deadlines.set(key, Date.parse(hold.expires_at));
      if (i % 2 === 0) continue;
      const action = i % 3 === 0 ? "reject" : "approve";
      const answered = await call(server, "POST", `/v1/holds/${hold.id}/answer`, { action });
      if (answered.status === 200 && (await answered.json()) !== null) ledger.answered.set(key, action);
    } catch {
      return;
    }
  }
}

/** All whose keys begin so. */
async function check(server: ServerProcess, ledger: Ledger, keys: string): Promise<void> {
  const hp = new Holdpoint({ url: server.url, apiKey: server.key });
  for (const [key, id] of ledger.placed) {
    if (!key.startsWith(keys)) continue;
    const hold = await hp.get(id);
    expect(hold.key, `placing ${key} was acknowledged`).toBe(key);
    const action = ledger.answered.get(key);
    if (action !== undefined)
      expect(hold.outcome, `the answer to ${key} was acknowledged`).toMatchObject({
        kind: "decided",
        action,
      });
  }
}

/** Deadlines pass while the server is down as well; once it is up, each ends its hold. */
async function allTimersFired(server: ServerProcess, ledger: Ledger): Promise<void> {
  const last = Math.max(0, ...ledger.deadlines.values());
  const hp = new Holdpoint({ url: server.url, apiKey: server.key });
  const until = last + 10_000;
  for (const key of ledger.deadlines.keys()) {
    if (ledger.answered.has(key)) continue;
    const hold = await hp.wait(ledger.placed.get(key) as string, {
      waitMs: Math.max(1_000, until - Date.now()),
    });
    // An answer whose acknowledgement was lost may have come first; a person is named only then.
    expect(["expired", "decided"], `${key} had a deadline`).toContain(hold.outcome?.kind);
  }
}

async function openDatabase(url: string): Promise<ReadStore> {
  if (url.startsWith("sqlite:")) return openSqliteCopy(url.slice("sqlite:".length));
  return openPostgresStore({ url, indexes: TABLE, clock: systemClock });
}

/** The log is whole, and tells of every hold exactly one ending at most. */
async function checkLog(server: ServerProcess, ledger: Ledger): Promise<void> {
  const store = await openDatabase(server.database);
  try {
    expect((await verifyLog(store)).breaks).toEqual([]);
    const endings = new Map<string, number>();
    for await (const page of store.scan({ after: 0 })) {
      for (const { type, stream } of page) {
        if (["hold.decided", "hold.expired", "hold.cancelled"].includes(type))
          endings.set(stream, (endings.get(stream) ?? 0) + 1);
      }
    }
    expect([...endings.values()].every((count) => count === 1)).toBe(true);
    for (const key of ledger.answered.keys()) expect(endings.get(`hold:${ledger.placed.get(key)}`)).toBe(1);
  } finally {
    await store.close();
  }
}

/**
 * The machine of the primary fails and its standby is promoted while agents and people work. Holdpoint itself is not restarted: its
 * address leads to the new primary, as behind a cluster manager.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { TABLE } from "../../domains.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type Replicated, replicated, type Waiting } from "../../testing/postgres/replicated.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";
import { openPostgresStore } from "./open.ts";

async function withStandby(
  waiting: Waiting,
  play: (databases: Replicated, test: TestServer) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-standby-"));
  try {
    await using databases = await replicated(folder, waiting);
    const clock = new ManualClock();
    const store = await openPostgresStore({ url: databases.url, indexes: TABLE, clock });
    await using test = await testServer({ store, clock });
    await play(databases, test);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const place = (test: TestServer, key: string) =>
  test.call("POST", "/v1/holds", {
    key: test.keys.agent,
    body: { key, type: "approval", prompt: `Do ${key}?` },
  });

const answer = (test: TestServer, id: string) =>
  test.call("POST", `/v1/holds/${id}/answer`, { key: test.keys.operator, body: { action: "approve" } });

/** While there is no primary a server says 503, and the caller asks again. */
function patiently(ask: () => ReturnType<typeof place>): ReturnType<typeof place> {
  const asked = async () => {
    const reply = await ask();
    expect(reply.status).not.toBe(503);
    return reply;
  };
  return vi.waitFor(asked, { timeout: 60_000, interval: 20 });
}

const WORKERS = 6;
const BEFORE = 60;
const AFTER = 60;

it.each(["on", "remote_apply"] as const)(
  "G2 with a synchronous standby and synchronous_commit %s, a promotion loses nothing that was acknowledged",
  {
    timeout: 120_000,
  },
  (waiting) =>
    withStandby(waiting, async (databases, test) => {
      const placed = new Map<string, string>();
      const answered = new Set<string>();
      let refused = 0;
      let failover: Promise<void> | undefined;
      const counted = async (ask: () => ReturnType<typeof place>) => {
        const reply = await ask();
        if (reply.status === 503) refused += 1;
        return reply;
      };
      async function work(worker: number): Promise<void> {
        for (let n = 0; placed.size < BEFORE + AFTER; n += 1) {
          const key = `job:${worker}:${n}`;
          const { status, body } = await patiently(() => counted(() => place(test, key)));
          expect([200, 201], JSON.stringify(body)).toContain(status);
          placed.set(key, body.id);
          if (placed.size >= BEFORE) failover ??= databases.killPrimary().then(() => databases.promote());
          if (n % 2 === 0) continue;
          // 409: it was answered, and the connection was lost before that could be said.
          const { status: said } = await patiently(() => counted(() => answer(test, body.id)));
          expect([200, 409]).toContain(said);
          answered.add(body.id);
        }
      }
      await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
      await failover;
      expect(refused).toBeGreaterThan(0);
      for (const [key, id] of placed) {
        const { status, body } = await test.call("GET", `/v1/holds/${id}`, { key: test.keys.operator });
        const expected = { status: 200, key, outcome: answered.has(id) ? "approve" : undefined };
        expect({ status, key: body.key, outcome: body.outcome?.action }).toEqual(expected);
      }
      const events = await test.store.events({ after: 0, limit: 1_000, types: ["hold.placed"] });
      expect(events).toHaveLength(placed.size);
      expect((await verifyLog(test.store)).breaks).toEqual([]);
    }),
);

it(
  "without a synchronous standby a promotion loses what the standby had not received, and asking again places it again",
  {
    timeout: 120_000,
  },
  () =>
    withStandby("none", async (databases, test) => {
      const kept = await place(test, "kept");
      await databases.caughtUp();
      await databases.standby.stop();
      const lost = await place(test, "lost");
      expect([kept.status, lost.status]).toEqual([201, 201]);
      await databases.killPrimary();
      await databases.standby.start();
      await databases.promote();
      const again = await patiently(() => place(test, "lost"));
      expect(again.status).toBe(201);
      expect(again.body.id).not.toBe(lost.body.id);
      const look = (id: string) => test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent });
      expect((await look(kept.body.id)).status).toBe(200);
      expect((await look(lost.body.id)).status).toBe(404);
      expect((await verifyLog(test.store)).breaks).toEqual([]);
    }),
);

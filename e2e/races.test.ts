import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { expect, inject, test } from "vitest";
import { ManualClock } from "../packages/server/src/testing/manual-clock.ts";
import { testServer } from "../packages/server/src/testing/test-server.ts";
import { storeUnderTest } from "../packages/server/src/testing/test-store.ts";

const ROUNDS = inject("isFull") ? 200 : 40;
const ANSWERS = 50;

/** Over real HTTP and a real database; only the clock is the test's, so that the expiry falls at the very instant of the race. */
test("G1 fifty answers, a cancellation and an expiry at one instant give one outcome, and every loser is told", {
  timeout: 240_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-races-"));
  // A clock that waits for nobody.
  const clock = new ManualClock();
  const { store } = await storeUnderTest(clock, folder);
  const server = await testServer({ store, clock });
  const http = createAdaptorServer({ fetch: server.server.app.fetch });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const post = (path: string, key: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then(async (reply) => ({
      status: reply.status,
      body: (await reply.json()) as Record<string, unknown>,
    }));

  const endings = new Set<unknown>();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ask = { type: "approval", prompt: `Round ${round}?`, timeout: "60s" };
      const { body: hold } = await post("/v1/holds", server.keys.agent, ask);
      const racers = Array.from({ length: ANSWERS }, (_, i) =>
        post(`/v1/holds/${hold["id"]}/answer`, server.keys.operator, {
          action: i % 2 === 0 ? "approve" : "reject",
        }),
      );
      racers.splice(round % ANSWERS, 0, post(`/v1/holds/${hold["id"]}/cancel`, server.keys.agent, {}));
      // Every other round the deadline passes while the requests are on their way.
      const expiry = round % 2 === 0 ? clock.advance(60_000) : Promise.resolve();
      const replies = await Promise.all(racers);
      await expiry;
      const [final] = await store.load([
        { workspace: "default", kind: "hold", id: String(hold["id"]), read: true },
      ]);
      const outcome = final?.body["outcome"] as { kind: string };
      endings.add(outcome.kind);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(outcome.kind === "expired" ? 0 : 1);
      for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
        expect([409, 410]).toContain(status);
        expect(body["outcome"]).toMatchObject({ kind: outcome.kind });
      }
      const events = await store.events({
        workspace: "default",
        stream: `hold:${hold["id"]}`,
        after: 0,
        limit: 100,
      });
      expect(events.filter(({ type }) => /^hold\.(decided|expired|cancelled)$/.test(type))).toHaveLength(1);
    }
    expect(endings.size, "the race must be won by different racers").toBeGreaterThan(1);
  } finally {
    http.close();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
});

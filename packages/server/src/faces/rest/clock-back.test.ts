import { describe, expect, it } from "vitest";
import type { Outgoing } from "../../channels/outgoing.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const HOUR_MS = 3_600_000;
const ASK = { type: "approval", prompt: "Go?", timeout: "1h" } as const;

const place = async ({ call, keys }: TestServer) =>
  (await call("POST", "/v1/holds", { key: keys.agent, body: ASK })).body.id as string;
const answer = ({ call, keys }: TestServer, id: string) =>
  call("POST", `/v1/holds/${id}/answer`, { key: keys.operator, body: { action: "approve" } });

describe("attack 12: a clock that is set back a day", () => {
  it("G3 a hold ends after the time that really passed, although the clock was set back", async () => {
    await using test = await testServer();
    const [first, second] = [await place(test), await place(test)];
    await test.clock.advance(HOUR_MS / 2);
    expect((await answer(test, second)).status).toBe(200);
    await test.clock.set(test.clock.now() - 24 * HOUR_MS);
    expect((await test.call("GET", `/v1/holds/${first}`, { key: test.keys.agent })).body.status).toBe("open");
    await test.clock.advance(HOUR_MS / 2 - 1);
    expect((await test.call("GET", `/v1/holds/${first}`, { key: test.keys.agent })).body.status).toBe("open");
    await test.clock.advance(1);
    expect((await answer(test, first)).status).toBe(410);
    expect(test.log).toMatchObject([
      { message: expect.stringContaining("The clock was set back by 86400 s") },
    ]);
    expect((await test.call("GET", "/metrics")).body).toContain("holdpoint_clock_behind_seconds 86400");
    const events = await test.store.events({ after: 0, limit: 100 });
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it("G3 a hold ends in time although nobody has called the server since the clock was set back", async () => {
    await using test = await testServer();
    const id = await place(test);
    const isOpen = async () => {
      const [hold] = await test.store.load([{ workspace: "default", kind: "hold", id, read: true }]);
      return hold?.body.status === "open";
    };
    await test.clock.set(test.clock.now() - 24 * HOUR_MS);
    await test.clock.advance(HOUR_MS - 1);
    expect(await isOpen()).toBe(true);
    await test.clock.advance(1);
    expect(await isOpen()).toBe(false);
  });

  it("G3 time continues after the newest event, although the clock was set back while no server ran", async () => {
    const first = await testServer();
    const { store } = first;
    const id = await place(first);
    const later = await place(first);
    await first.clock.advance(HOUR_MS / 2);
    expect((await answer(first, later)).status).toBe(200);
    const clock = new ManualClock({ startAt: first.clock.now() - 24 * HOUR_MS });
    await using test = await testServer({ store, clock });
    await clock.advance(HOUR_MS / 2 - 1);
    expect((await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent })).body.status).toBe("open");
    await clock.advance(1);
    expect((await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent })).body.status).toBe("expired");
    expect((await answer(test, id)).status).toBe(410);
  });

  it("messages are sent at once, although the clock was set back after the server started", async () => {
    const sent: string[] = [];
    const outgoing: Outgoing = {
      checkTarget: (url) => ({ kind: "ok", url: new URL(url) }),
      async post({ url }) {
        sent.push(url);
        return { kind: "answered", status: 204, retryAfter: null, text: "" };
      },
    };
    await using test = await testServer({ outgoing });
    await test.clock.set(test.clock.now() - 24 * HOUR_MS);
    const body = { ...ASK, callback_url: "https://agent.example/callback" };
    const placed = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
    expect((await answer(test, placed.body.id)).status).toBe(200);
    await test.server.sender.idle();
    expect(sent).toEqual([body.callback_url]);
  });
});

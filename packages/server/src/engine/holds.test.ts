import { getEventListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Entity } from "../kernel/entity.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import { holdIn, openHold } from "../testing/core-samples.ts";
import { engineKit } from "../testing/engine-kit.ts";
import { Timers } from "../timers/timers.ts";
import { Feed } from "./feed.ts";
import { Holds } from "./holds.ts";

const answer = { kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "rest" } as const;
const never = new AbortController().signal;

async function kitWithHold(part: Parameters<typeof holdIn>[0] = {}) {
  const kit = engineKit();
  const feed = new Feed(kit.engine);
  const holds = new Holds(kit.engine, feed);
  await kit.run({ kind: "place_hold", hold: holdIn(part) });
  return { ...kit, feed, holds };
}

describe("reading a hold", () => {
  test("reading a hold changes nothing (G6)", async () => {
    const { holds, store, stored } = await kitWithHold();
    expect(await holds.get("default", "h1")).toEqual(await stored("h1"));
    expect(await holds.get("default", "h2")).toBeUndefined();
    expect(await holds.get("elsewhere", "h1")).toBeUndefined();
    expect(store.commits).toHaveLength(1);
    expect(store.loads, "and asks the engine for nothing").toHaveLength(1);
  });

  test("reading a hold past its time states the expiry before anybody sees it open", async () => {
    const { holds, clock, stored } = await kitWithHold({ expires: { afterMs: 50 } });
    await clock.advance(49);
    expect((await holds.get("default", "h1"))?.body.status).toBe("open");
    await clock.advance(1);
    expect((await holds.get("default", "h1"))?.body.outcome).toEqual({ kind: "expired", at: clock.now() });
    expect((await stored("h1"))?.body.status).toBe("expired");
  });

  test("bringForward returns the given hold if it was deleted meanwhile", async () => {
    const { holds } = await kitWithHold();
    const body = openHold({ id: "gone", expiresAt: 1 });
    const entity: Entity<Hold> = {
      workspace: "default",
      kind: "hold",
      id: "gone",
      version: 1,
      seq: 1,
      head: "",
      body,
    };
    expect(await holds.bringForward(entity)).toBe(entity);
  });
});

describe("waiting for a hold is only reading (G8)", () => {
  test("a wait that starts after the answer returns at once", async () => {
    const { holds, run, feed, clock } = await kitWithHold();
    await run(answer);
    expect((await holds.wait("default", "h1", 1_000, never))?.body.status).toBe("decided");
    expect(feed.waiting).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test("an answer ends a running wait at once", async () => {
    const { holds, run, feed, clock } = await kitWithHold();
    const waiting = holds.wait("default", "h1", 1_000, never);
    await turn();
    expect(feed.waiting).toBe(1);
    await run(answer);
    expect((await waiting)?.body.outcome).toMatchObject({ kind: "decided" });
    expect(feed.waiting).toBe(0);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(never, "abort")).toEqual([]);
  });

  test("a wait does not miss an answer between registering and reading (F1)", async () => {
    const { holds, run, store } = await kitWithHold();
    const { promise: reading, resolve: read } = Promise.withResolvers<void>();
    const load = store.load.bind(store);
    let isStale = false;
    store.load = async (wants) => {
      if (isStale) return load(wants);
      // Reads the state before the answer and returns it after the answer.
      isStale = true;
      const stale = load(wants);
      await reading;
      return stale;
    };
    const waiting = holds.wait("default", "h1", 1_000, never);
    await turn();
    await run(answer);
    read();
    expect((await waiting)?.body.status).toBe("decided");
  });

  test("a wait without an answer ends after its time with the open hold", async () => {
    const { holds, clock, feed } = await kitWithHold();
    const waiting = holds.wait("default", "h1", 1_000, never);
    await turn();
    await clock.advance(999);
    expect(feed.waiting).toBe(1);
    await clock.advance(1);
    expect((await waiting)?.body.status).toBe("open");
    expect(feed.waiting).toBe(0);
  });

  test("a client that disconnects ends its wait and changes nothing", async () => {
    const { holds, clock, feed, store } = await kitWithHold();
    const controller = new AbortController();
    const waiting = holds.wait("default", "h1", 1_000, controller.signal);
    await turn();
    controller.abort();
    expect((await waiting)?.body.status).toBe("open");
    expect(feed.waiting).toBe(0);
    expect(clock.pending).toBe(0);
    expect(store.commits).toHaveLength(1);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("a wait whose signal is already aborted returns at once", async () => {
    const { holds, feed } = await kitWithHold();
    expect((await holds.wait("default", "h1", 1_000, AbortSignal.abort()))?.body.status).toBe("open");
    expect(feed.waiting).toBe(0);
  });

  test("a wait for a hold that does not exist returns at once", async () => {
    const { holds, feed } = await kitWithHold();
    expect(await holds.wait("default", "h9", 1_000, never)).toBeUndefined();
    expect(feed.waiting).toBe(0);
  });

  test("an expiry ends a running wait like an answer", async () => {
    const { holds, engine, clock } = await kitWithHold({ expires: { afterMs: 50 } });
    const timers = new Timers({ engine });
    await timers.start();
    const waiting = holds.wait("default", "h1", 1_000, never);
    await turn();
    await clock.advance(50);
    expect((await waiting)?.body.status).toBe("expired");
    await timers.stop();
  });
});

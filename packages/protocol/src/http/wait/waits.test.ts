import { describe, expect, it } from "vitest";
import { isRefusal } from "../../client/index.ts";
import { errorOut } from "../testing/fake-replies.ts";
import { failure, type Setup, setup } from "../testing/setup.ts";
import { until } from "../testing/test-runtime.ts";

const ask = { type: "approval", prompt: "Go?" } as const;
const STREAM = /GET \/v1\/events/;
const READ = /GET \/v1\/holds\//;

/** Parked: the stream is up, the hold has been read since, and nothing is on its way. */
async function parked(kit: Setup, reads: number): Promise<void> {
  await until(() => kit.server.streams.length === 1 && kit.server.calls(READ).length === reads, "parking");
  await until(() => kit.runtime.asked.filter((ms) => ms >= 300_000).length === reads, "parking");
}

/** The server says that it is there, and the client has heard it. */
async function heartbeat(kit: Setup): Promise<void> {
  const heard = () => kit.runtime.asked.filter((ms) => ms === 45_000).length;
  const before = heard();
  kit.server.streams[0]?.write(": still here\n\n");
  await until(() => heard() > before || kit.server.streams.length === 0, "the heartbeat");
}

describe("a wait with the event stream", () => {
  it("finds an answer that came before the wait (G8)", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.decide(id);
    expect((await kit.hp.wait(id)).outcome).toMatchObject({ kind: "decided", action: "approve" });
  });

  it("gets an answer that comes later, and closes the stream", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    kit.server.decide(id, "reject");
    expect((await waiting).outcome).toMatchObject({ action: "reject" });
    await until(() => kit.server.streams.length === 0, "closing");
    expect(kit.runtime.waiting).toBe(0);
  });

  it("shares one stream with all other waits of the process", async () => {
    await using kit = await setup();
    const holds = await Promise.all(Array.from({ length: 20 }, () => kit.hp.place(ask)));
    const waits = holds.map(({ id }) => kit.hp.wait(id));
    await parked(kit, 20);
    for (const { id } of holds) kit.server.decide(id);
    const outcomes = await Promise.all(waits);
    expect(outcomes.every(({ status }) => status === "decided")).toBe(true);
    expect(kit.server.calls(STREAM)).toHaveLength(1);
  });

  it("subscribes only to events that end a hold", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    expect(kit.server.calls(STREAM)[0]?.query.get("types")).toBe("hold.decided,hold.expired,hold.cancelled");
    kit.server.decide(id);
    await waiting;
  });

  it("continues a broken stream where it was, without reading every hold again", async () => {
    await using kit = await setup();
    const [first, second] = await Promise.all([kit.hp.place(ask), kit.hp.place(ask)]);
    const waits = [kit.hp.wait(first.id), kit.hp.wait(second.id)];
    await parked(kit, 2);
    kit.server.decide(first.id);
    await waits[0];
    const reads = kit.server.calls(READ).length;
    kit.server.cutStreams();
    // Decided while nobody listened; the stream tells it again.
    kit.server.decide(second.id);
    expect((await waits[1])?.status).toBe("decided");
    const again = kit.server.calls(STREAM)[1];
    expect(again?.headers["last-event-id"]).toBe("101");
    expect(kit.server.calls(READ)).toHaveLength(reads + 1);
  });

  it("continues a stream that broke before its first event", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    kit.server.cutStreams();
    kit.server.decide(id);
    expect((await waiting).status).toBe("decided");
    expect(kit.server.calls(STREAM)[1]?.headers["last-event-id"]).toBe("100");
    expect(kit.server.calls(READ)).toHaveLength(2);
  });

  it("reads its hold again after a break when it does not know the last position", async () => {
    await using kit = await setup();
    kit.server.greets = false;
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    kit.server.cutStreams();
    kit.server.decide(id);
    expect((await waiting).status).toBe("decided");
    expect(kit.server.calls(STREAM)[1]?.headers["last-event-id"]).toBeUndefined();
  });

  it("reads its hold again when the stream continues from an earlier position", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    kit.server.streams[0]?.write("id: 7\n: connected\n\n");
    await until(() => kit.server.calls(READ).length === 2, "looking again");
    kit.server.decide(id);
    expect((await waiting).status).toBe("decided");
  });

  it("gives up a silent connection, and polls until there is another", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    kit.server.plan(STREAM, "drop", 1_000);
    await kit.runtime.advance(45_000);
    await until(() => kit.server.polls.size === 1, "a poll");
    kit.server.decide(id);
    expect((await waiting).status).toBe("decided");
  });

  it("keeps a connection that only sends heartbeats", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    for (let beat = 0; beat < 5; beat += 1) {
      await kit.runtime.advance(30_000);
      await heartbeat(kit);
    }
    expect(kit.server.calls(STREAM)).toHaveLength(1);
    kit.server.decide(id);
    await waiting;
  });

  it("reads its hold from time to time, in case an event was lost", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await parked(kit, 1);
    kit.server.settle(id, { kind: "expired", at: "2026-03-01T10:00:00Z" }, { quietly: true });
    for (let halfMinute = 0; halfMinute < 14; halfMinute += 1) {
      await kit.runtime.advance(30_000);
      await heartbeat(kit);
    }
    expect((await waiting).status).toBe("expired");
  });
});

describe("a wait without the event stream", () => {
  it.each([
    ["there is none", { status: 404, body: errorOut(404, "not_found") }],
    ["it is not allowed", { status: 403, body: errorOut(403, "not_allowed") }],
    ["something else answers", { status: 200, body: "<html>" }],
  ])("polls when %s", async (_, mishap) => {
    await using kit = await setup();
    kit.server.plan(STREAM, mishap, 9);
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await until(() => kit.server.polls.size === 1, "a poll");
    expect(kit.server.calls(READ).at(-1)?.query.get("wait")).toBe("30");
    kit.server.endPolls();
    await until(() => kit.server.calls(READ).length === 2, "another poll");
    await until(() => kit.server.polls.size === 1, "another poll");
    kit.server.decide(id);
    expect((await waiting).status).toBe("decided");
    expect(kit.server.calls(STREAM)).toHaveLength(1);
  });

  it("polls while the stream cannot be opened, and loses no answer", async () => {
    await using kit = await setup();
    kit.server.plan(STREAM, "drop", 2);
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await until(() => kit.server.streams.length === 1, "the stream");
    kit.server.decide(id);
    expect((await waiting).status).toBe("decided");
  });

  it("never opens a stream when told not to", async () => {
    await using kit = await setup({ streaming: false });
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id);
    await until(() => kit.server.polls.size === 1, "a poll");
    kit.server.decide(id);
    await waiting;
    expect(kit.server.calls(STREAM)).toHaveLength(0);
  });

  it("shares a few polls with many other waits", async () => {
    await using kit = await setup({ streaming: false });
    const holds = await Promise.all(Array.from({ length: 30 }, () => kit.hp.place(ask)));
    const waits = Promise.all(holds.map(({ id }) => kit.hp.wait(id)));
    await until(() => kit.server.polls.size === 6, "six polls");
    kit.server.endPolls();
    await until(() => kit.server.calls(READ).length === 12, "six more polls");
    expect(kit.server.calls(READ).at(-1)?.query.get("wait")).toBe("6");
    for (const { id } of holds) kit.server.decide(id);
    expect((await waits).every(({ status }) => status === "decided")).toBe(true);
    expect(kit.server.pollsMax).toBe(6);
  });

  it("goes on after errors that can be retried", async () => {
    await using kit = await setup({ streaming: false });
    const { id } = await kit.hp.place(ask);
    kit.server.plan(READ, { status: 502 }, 20);
    kit.server.plan(READ, "drop", 20);
    kit.server.decide(id);
    expect((await kit.hp.wait(id)).status).toBe("decided");
    expect(kit.server.calls(READ).length).toBeGreaterThan(40);
  });
});

describe("the end of a wait", () => {
  it("comes after its own timeout, with the hold as it is, and changes nothing (G8)", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id, { waitMs: 60_000 });
    await parked(kit, 1);
    await kit.runtime.advance(30_000);
    await heartbeat(kit);
    await kit.runtime.advance(30_000);
    expect((await waiting).status).toBe("open");
    expect(kit.server.holds.get(id)?.version).toBe(1);
    expect(kit.server.seen.map(({ method }) => method)).toEqual(["POST", "GET", "GET", "GET"]);
    await until(() => kit.server.streams.length === 0, "closing");
  });

  it("of a short timeout needs one poll and no stream", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const waiting = kit.hp.wait(id, { waitMs: 20_000 });
    await until(() => kit.server.polls.size === 1, "a poll");
    expect(kit.server.calls(READ)[0]?.query.get("wait")).toBe("20");
    kit.server.decide(id);
    await waiting;
    expect(kit.server.calls(STREAM)).toHaveLength(0);
  });

  it("comes when the signal aborts, with the signal's reason, and leaves nothing running", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const stop = new AbortController();
    const waiting = failure(kit.hp.wait(id, { signal: stop.signal }));
    await parked(kit, 1);
    stop.abort("enough");
    expect(await waiting).toBe("enough");
    await until(() => kit.server.streams.length === 0, "closing");
    await until(() => kit.runtime.waiting === 0, "timers taken back");
    expect(kit.server.holds.get(id)?.status).toBe("open");
  });

  it("comes when the signal aborts also for a wait that is still queued", async () => {
    await using kit = await setup({ streaming: false });
    const holds = await Promise.all(Array.from({ length: 7 }, () => kit.hp.place(ask)));
    const [last, ...first] = holds.toReversed();
    const busy = Promise.all(first.map(({ id }) => kit.hp.wait(id)));
    await until(() => kit.server.polls.size === 6, "six polls");
    const stop = new AbortController();
    const waiting = failure(kit.hp.wait(last!.id, { signal: stop.signal }));
    stop.abort("enough");
    expect(await waiting).toBe("enough");
    expect(kit.server.polls.size).toBe(6);
    for (const { id } of first) kit.server.decide(id);
    await busy;
  });

  it("comes with an error when the server refuses", async () => {
    await using kit = await setup();
    expect(isRefusal(await failure(kit.hp.wait("hold_none")), "not_found")).toBe(true);
    await until(() => kit.server.streams.length === 0, "closing");
  });
});

describe("a reader of events", () => {
  it("continues after a break without gaps or repeats", async () => {
    await using kit = await setup();
    const holds = await Promise.all([1, 2, 3].map(() => kit.hp.place(ask)));
    const stop = new AbortController();
    const events = kit.hp.follow({ after: 100, signal: stop.signal, types: ["hold.decided"] });
    const seen: (string | undefined)[] = [];
    kit.server.decide(holds[0]!.id);
    for await (const { holdId, position } of events) {
      seen.push(`${position} ${holdId}`);
      if (seen.length === 1) {
        kit.server.cutStreams();
        kit.server.decide(holds[1]!.id);
        kit.server.decide(holds[2]!.id);
      }
      if (seen.length === 3) stop.abort();
    }
    expect(seen).toEqual(["101 hold_1", "102 hold_2", "103 hold_3"]);
    expect(kit.server.calls(STREAM)[0]?.query.get("types")).toBe("hold.decided");
    await until(() => kit.server.streams.length === 0, "closing");
  });

  it("misses nothing that happens while the stream is broken before its first event", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const events = kit.hp.follow()[Symbol.asyncIterator]();
    const next = events.next();
    await until(() => kit.server.streams.length === 1, "the stream");
    await until(() => kit.runtime.asked.includes(45_000), "the greeting");
    kit.server.cutStreams();
    kit.server.decide(id);
    expect((await next).value).toMatchObject({ type: "hold.decided", holdId: id });
    await events.return?.();
  });

  it("ends with an error when the server refuses", async () => {
    await using kit = await setup();
    kit.server.plan(STREAM, { status: 401, body: errorOut(401, "unauthenticated") });
    const reading = async () => {
      for await (const event of kit.hp.follow()) throw new Error(`it gave ${event.type}`);
    };
    expect(isRefusal(await failure(reading()), "unauthenticated")).toBe(true);
  });

  it("closes its stream when it stops reading", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.decide(id);
    for await (const _ of kit.hp.follow({ after: 100 })) break;
    await until(() => kit.server.streams.length === 0, "closing");
    expect(kit.runtime.waiting).toBe(0);
  });
});

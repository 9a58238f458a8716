import { sseParser } from "@holdpoint/protocol/http";
import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC } from "../../testing/openintent.ts";

interface Seen {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
  readonly data: any;
}

class Stream implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = "";

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** The next frames that carry data. */
  async frames(count: number): Promise<readonly Seen[]> {
    for (;;) {
      const frames = this.#frames();
      if (frames.length >= count) {
        this.#text = "";
        return frames;
      }
      await this.#more();
    }
  }

  async text(part: string): Promise<void> {
    while (!this.#text.includes(part)) await this.#more();
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#reader.read();
    if (done) throw new Error(`the stream ended after ${this.#text}`);
    this.#text += new TextDecoder().decode(value);
  }

  #frames(): readonly Seen[] {
    return sseParser()
      .push(this.#text)
      .map(({ id, event, data }) => ({ id, event, data: JSON.parse(data) }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reader.cancel();
  }
}

async function open(
  oi: OpenIntentServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const reply = await oi.test.server.app.request(`/api/v1/${path}`, {
    headers: { "x-api-key": oi.test.keys.agent, accept: "text/event-stream", ...headers },
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/event-stream");
  return new Stream(reply.body as ReadableStream<Uint8Array>);
}

describe("streams", () => {
  it("OI-022 the stream of an intent continues after a lost connection without losing or repeating an event", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: other } = await oi.create();
    const path = `intents/${id}/subscribe`;
    const names: string[] = [];
    let last = "";
    {
      await using stream = await open(oi, path);
      await oi.patch(other, [{ op: "set", path: "/x", value: 1 }]);
      await oi.suspend(id, REC);
      const frames = await stream.frames(3);
      names.push(...frames.map(({ event }) => event ?? ""));
      last = frames.at(-1)?.id ?? "";
      expect(frames.at(-1)?.data).toMatchObject({
        intent_id: id,
        event_id: last,
        event_type: "intent.suspended",
        id: "s1",
      });
    }
    await oi.respond(id, "s1", "approve");
    await using again = await open(oi, path, { "last-event-id": last });
    const frames = await again.frames(2);
    names.push(...frames.map(({ event }) => event ?? ""));
    expect(names).toEqual([
      "STATE_CHANGED",
      "STATUS_CHANGED",
      "intent.suspended",
      "intent.resumed",
      "STATUS_CHANGED",
    ]);
    expect(frames[0]?.data).toMatchObject({
      id: "s1",
      value: "approve",
      responded_by: "alice@example.com",
      sequence: 6,
    });
    expect(frames[1]?.data).toMatchObject({ new_status: "active", old_status: "suspended_awaiting_input" });
  });

  it("OI-022 a stream sends its position before the first event", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await using stream = await open(oi, `intents/${id}/subscribe`);
    await stream.text(`id: evt_${id.slice("intent_".length)}_2\n`);
    await stream.text(": connected");
    await oi.test.clock.advance(30_000);
    await stream.text(": still here");
  });

  it("OI-022 finding 13: streams on the other family of paths use the log's event names", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await using client = await open(oi, `intents/${id}/subscribe`);
    await using server = await open(oi, `subscribe/intents/${id}`);
    await oi.patch(id, [
      { op: "set", path: "/a/b", value: 1 },
      { op: "remove", path: "/c" },
    ]);
    await oi.call("POST", `intents/${id}/leases`, { body: { scope: "a" } });
    await oi.status(id, "completed");
    const [named, logged] = [await client.frames(3), await server.frames(3)];
    expect(named.map(({ event }) => event)).toEqual(["STATE_CHANGED", "LEASE_ACQUIRED", "INTENT_COMPLETED"]);
    expect(logged.map(({ event }) => event)).toEqual(["state_patched", "lease_acquired", "status_changed"]);
    expect(named[0]?.data).toMatchObject({ old_state: {}, new_state: { a: { b: 1 } } });
    expect(named[1]?.data).toMatchObject({ scope: "a", agent_id: "refunder" });
    expect(named.map(({ data }) => data)).toEqual(logged.map(({ data }) => data));
  });

  it("OI-022 the stream of an agent has the events of its own intents only", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({}, { as: "otherAgent" });
    await using stream = await open(oi, "agents/refunder/subscribe");
    await using logged = await open(oi, "subscribe/agents/refunder");
    await oi.patch(id, [{ op: "set", path: "/not", value: "heard" }], { as: "otherAgent" });
    // Who has to do with it is asked when a stream hears of it.
    await oi.test.clock.advance(0);
    await oi.call("POST", `intents/${id}/agents`, { as: "otherAgent", body: { agent_id: "refunder" } });
    await oi.patch(id, [{ op: "set", path: "/heard", value: 1 }], { as: "otherAgent" });
    const frames = await stream.frames(2);
    expect(frames.map(({ event }) => event)).toEqual(["AGENT_ASSIGNED", "STATE_CHANGED"]);
    expect((await logged.frames(2)).map(({ event }) => event)).toEqual(["agent_assigned", "state_patched"]);
    await using again = await open(oi, "agents/refunder/subscribe", { "last-event-id": frames[0]?.id ?? "" });
    expect((await again.frames(1)).map(({ id: seen }) => seen)).toEqual([frames[1]?.id]);
  });

  it("OI-022 a stream is refused to callers without access, and for an unknown intent or Last-Event-ID", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const get = async (path: string, call = {}) => (await oi.call("GET", path, call)).status;
    for (const path of [
      "intents/none/subscribe",
      "subscribe/intents/none",
      "portfolios/none/subscribe",
      "subscribe/portfolios/none",
    ]) {
      expect(await get(path)).toBe(404);
    }
    expect(await get(`intents/${id}/subscribe`, { as: "nobody" })).toBe(401);
    expect(await get("agents/refunder/subscribe", { as: "otherAgent" })).toBe(403);
    for (const wrong of ["17", "evt_x", `evt_${"0".repeat(26)}_1`, `evt_${id.slice(7)}_999`]) {
      expect(await get(`intents/${id}/subscribe`, { headers: { "last-event-id": wrong } })).toBe(422);
    }
    await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed" } });
    expect(await get(`intents/${id}/subscribe`, { as: "otherAgent" })).toBe(403);
  });

  it("OI-022 a stream sends nothing more after its reader lost access", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { body: portfolio } = await oi.call("POST", "portfolios", { body: { name: "Launch" } });
    const { id } = await oi.create({}, { as: "otherAgent" });
    const { id: other } = await oi.create({}, { as: "otherAgent" });
    for (const member of [id, other])
      await oi.call("POST", `portfolios/${portfolio.id}/intents`, { body: { intent_id: member } });
    await using stream = await open(oi, `portfolios/${portfolio.id}/subscribe`);
    const patch = (intent: string, path: string) =>
      oi.patch(intent, [{ op: "set", path, value: 1 }], { as: "otherAgent" });
    await patch(id, "/seen");
    await stream.frames(1);
    await oi.call("PUT", `intents/${id}/acl`, { as: "otherAgent", body: { default_policy: "closed" } });
    await patch(id, "/unseen");
    await patch(other, "/other");
    const [frame] = await stream.frames(1);
    expect(frame?.data.new_state).toEqual({ other: 1 });
  });

  it("OI-145 the stream of a portfolio has the events of its members only", async () => {
    await using oi = await openIntentServer();
    const { body: portfolio } = await oi.call("POST", "portfolios", { body: { name: "Launch" } });
    const { id } = await oi.create();
    const { id: stranger } = await oi.create();
    await oi.call("POST", `portfolios/${portfolio.id}/intents`, { body: { intent_id: id } });
    await using stream = await open(oi, `portfolios/${portfolio.id}/subscribe`);
    await using log = await open(oi, `subscribe/portfolios/${portfolio.id}`);
    await oi.suspend(stranger, REC);
    await oi.suspend(id, REC);
    const frames = await stream.frames(4);
    expect(frames.map(({ event }) => event)).toEqual([
      "STATE_CHANGED",
      "STATUS_CHANGED",
      "intent.suspended",
      "portfolio.member_suspended",
    ]);
    expect(new Set(frames.map(({ data }) => data.intent_id))).toEqual(new Set([id]));
    expect(frames[3]?.data).toMatchObject({ portfolio_id: portfolio.id, suspension_id: "s1" });
    expect((await log.frames(4)).map(({ event }) => event)[1]).toBe("status_changed");
  });
});

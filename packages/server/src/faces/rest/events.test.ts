import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { OPERATOR } from "../../testing/core-samples.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import type { CallDeps } from "./calls/caller.ts";
import { followEvents } from "./calls/events.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

const place = async (test: TestServer, key = test.keys.agent) =>
  (await test.call("POST", "/v1/holds", { key, body: ASK })).body;
const cancel = (test: TestServer, id: string) =>
  test.call("POST", `/v1/holds/${id}/cancel`, { key: test.keys.dev, body: {} });

interface Frame {
  readonly id: string;
  readonly event?: string;
  readonly data?: { readonly hold_id: string; readonly position: number };
}

class Reader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body
      .pipeThrough(new TextDecoderStream() as never)
      .getReader() as ReadableStreamDefaultReader<string>;
  }

  static async open(
    test: TestServer,
    query = "",
    headers: Record<string, string> = {},
    key = test.keys.agent,
  ) {
    const reply = await test.server.app.request(`/v1/events${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    expect(reply.headers.get("content-type")).toBe("text/event-stream");
    return new Reader(reply.body as ReadableStream<Uint8Array>);
  }

  /** The next block of lines, whatever it is. */
  async block(): Promise<string> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { value, done } = await this.#reader.read();
      if (done) return "end";
      this.#text += value;
    }
  }

  async frame(): Promise<Frame> {
    for (;;) {
      const block = await this.block();
      if (block === "end") throw new Error("the stream ended");
      const lines = new Map(
        block
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const data = lines.get("data");
      if (data !== undefined)
        return { id: lines.get("id") ?? "", event: lines.get("event") ?? "", data: JSON.parse(data) };
    }
  }

  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

it("a stream continues from the end of the log for a reader whose position is beyond it, as after a restored backup", async () => {
  await using test = await testServer();
  const reader = await Reader.open(test, "", { "last-event-id": "999999" });
  const last = await test.server.engine.store.lastPosition();
  expect(await reader.block()).toBe(`id: ${last}\n: connected`);
  const hold = await place(test);
  expect((await reader.frame()).data?.hold_id).toBe(hold.id);
  await reader.close();
});

describe("the history of a hold", () => {
  it("a hold's history is its hash chain, oldest first, in pages", async () => {
    await using test = await testServer();
    const hold = await place(test);
    await cancel(test, hold.id);
    const path = `/v1/holds/${hold.id}/events`;
    const { body } = await test.call("GET", path, { key: test.keys.agent });
    const types = body.events.map(({ type }: { type: string }) => type);
    expect(types[0]).toBe("hold.placed");
    expect(types.at(-1)).toBe("hold.cancelled");
    for (const [index, event] of body.events.entries()) {
      expect(event).toMatchObject({
        seq: index + 1,
        hold_id: hold.id,
        previous: index === 0 ? "" : body.events[index - 1].hash,
      });
    }
    const first = await test.call("GET", `${path}?limit=1`, { key: test.keys.agent });
    expect(first.body.events).toHaveLength(1);
    const rest = await test.call("GET", `${path}?after=${first.body.next_after}`, { key: test.keys.agent });
    expect([...first.body.events, ...rest.body.events]).toEqual(body.events);
  });
});

describe("the stream of events", () => {
  it("the stream continues after the last frame that the reader saw, without a repeat or a gap", async () => {
    await using test = await testServer();
    const hold = await place(test);
    const first = await Reader.open(test, "?after=0");
    const { id, event, data } = await first.frame();
    expect({ event, hold: data?.hold_id }).toEqual({ event: "hold.placed", hold: hold.id });
    await first.close();
    await cancel(test, hold.id);
    const second = await Reader.open(test, "?after=0&types=hold.placed,hold.cancelled", {
      "last-event-id": id,
    });
    expect(await second.frame()).toMatchObject({ event: "hold.cancelled" });
    await second.close();
  });

  it("the stream sends past events and then new ones, in order", async () => {
    await using test = await testServer();
    const holds = [await place(test), await place(test)];
    const reader = await Reader.open(test, "?after=0&types=hold.placed");
    const seen = [await reader.frame(), await reader.frame()];
    holds.push(await place(test));
    seen.push(await reader.frame());
    await reader.close();
    expect(seen.map(({ data }) => data?.hold_id)).toEqual(holds.map(({ id }) => id));
    const positions = seen.map(({ data }) => data?.position ?? 0);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it("the stream shows an agent its own events, and operators all events of the workspace", async () => {
    await using test = await testServer();
    const mine = await Reader.open(test, "?types=hold.placed");
    const all = await Reader.open(test, "?types=hold.placed", {}, test.keys.operator);
    await place(test, test.keys.elsewhere);
    const other = await place(test, test.keys.otherAgent);
    const own = await place(test);
    expect((await mine.frame()).data?.hold_id).toBe(own.id);
    expect((await all.frame()).data?.hold_id).toBe(other.id);
    expect((await all.frame()).data?.hold_id).toBe(own.id);
    await Promise.all([mine.close(), all.close()]);
  });

  it("the stream can be narrowed to some holds", async () => {
    await using test = await testServer();
    const [one, two] = [await place(test), await place(test)];
    const reader = await Reader.open(test, `?hold_id=${two.id}&types=hold.cancelled`);
    await cancel(test, one.id);
    await cancel(test, two.id);
    expect((await reader.frame()).data?.hold_id).toBe(two.id);
    await reader.close();
  });

  it("the stream sends a comment every 15 seconds", async () => {
    await using test = await testServer();
    const reader = await Reader.open(test);
    expect(await reader.block()).toContain(": connected");
    await test.clock.advance(15_000);
    expect(await reader.block()).toBe(": still here");
    await test.clock.advance(15_000);
    expect(await reader.block()).toBe(": still here");
    await reader.close();
  });

  it("the stream ends for a reader whose key was revoked", async () => {
    await using test = await testServer();
    const made = await test.call("POST", "/v1/keys", {
      key: test.keys.admin,
      body: { name: "leaver", role: "operator" },
    });
    const reader = await Reader.open(test, "?types=hold.placed", {}, made.body.secret);
    expect(await reader.block()).toContain(": connected");
    await test.clock.advance(15_000);
    expect(await reader.block()).toBe(": still here");
    await test.call("DELETE", `/v1/keys/${made.body.id}`, { key: test.keys.admin });
    await test.clock.advance(15_000);
    await place(test);
    expect(await reader.block()).toBe("end");
    expect(test.server.feed.subscribers).toBe(0);
  });

  it("the stream frees its subscription when the reader disconnects", async () => {
    await using test = await testServer();
    await test.clock.advance(0);
    const before = test.clock.pending;
    const reader = await Reader.open(test);
    await reader.block();
    await reader.close();
    await test.clock.advance(0);
    expect(test.server.feed.subscribers).toBe(0);
    expect(test.clock.pending).toBe(before);
  });

  it("the stream waits for a slow reader instead of buffering without bound", async () => {
    await using test = await testServer();
    const reader = await Reader.open(test, "?after=0&types=hold.placed");
    for (let i = 0; i < 30; i += 1) await place(test);
    const seen = new Set<string>();
    for (let i = 0; i < 30; i += 1) seen.add((await reader.frame()).data?.hold_id ?? "");
    expect(seen.size).toBe(30);
    await reader.close();
  });

  it.each(["x", "-1", "1.5", "9".repeat(20), "0x10"])(
    "the stream refuses %s as Last-Event-ID",
    async (id) => {
      await using test = await testServer();
      const reply = await test.call("GET", "/v1/events", {
        key: test.keys.agent,
        headers: { "last-event-id": id },
      });
      expect(reply).toMatchObject({ status: 400, body: { code: "invalid_query" } });
    },
  );
});

it("G13 a stream of one hold is not woken by the events of other holds", async () => {
  await using test = await testServer();
  const { engine, feed, holds } = test.server;
  const own = await place(test);
  const caller = { workspace: "default", by: OPERATOR };
  const deps = { engine, feed, holds } as CallDeps;
  const { batches } = await followEvents(caller, { holdIds: [own.id] }, deps);
  const stop = new AbortController();
  let isWoken = false;
  const next = batches(stop.signal).next();
  void next.then(() => {
    isWoken = true;
  });
  await turn();
  const other = await place(test);
  await cancel(test, other.id);
  await turn();
  expect(isWoken).toBe(false);
  await cancel(test, own.id);
  expect((await next).value).toMatchObject([{ hold_id: own.id, type: "hold.cancelled" }]);
  stop.abort();
});

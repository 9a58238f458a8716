import { describe, expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import type { StoredEvent } from "../../kernel/record.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import type { ReadStore } from "../../store/port.ts";
import { openIntentServer, REC } from "../../testing/openintent.ts";
import { verifyLog } from "../../verify-log.ts";
import { suspensionLogId } from "../rules/intent/intent.ts";

/** A store that returns the same data as `store`, except for the events that `bend` changes or drops. */
function tampered(store: ReadStore, bend: (event: StoredEvent) => StoredEvent | null): ReadStore {
  return new Proxy(store, {
    get(target, name) {
      if (name !== "scan") {
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async function* (...query: Parameters<ReadStore["scan"]>) {
        for await (const page of target.scan(...query)) yield page.flatMap((event) => bend(event) ?? []);
      };
    },
  });
}

async function answered() {
  const store = new MemoryStore({ indexes: TABLE });
  const oi = await openIntentServer({ store });
  const { id } = await oi.create();
  await oi.suspend(id, REC);
  await oi.respond(id, "s1", "approve");
  return { oi, store, id, stream: `intent:${id}` };
}

/** Changes a row directly, as somebody with a database client could. */
async function tamper(
  store: MemoryStore,
  kind: "suspension_log" | "intent",
  id: string,
  change: object | null,
): Promise<void> {
  const batch = await store.begin();
  const [found] = await batch.load([{ workspace: "default", kind, id }]);
  if (found === undefined) throw new Error("nothing to change");
  const { version, seq, head, body } = found;
  const put = { key: { workspace: "default", kind, id }, expected: version, version: version + 1, seq, head };
  await batch.commit({
    puts: [{ ...put, body: change && { ...body, ...change } }],
    events: [],
    timers: [],
    outbox: [],
  });
}

describe("verification of intent logs", () => {
  it("verification of an intact intent log finds no break", async () => {
    const { oi, store } = await answered();
    await using _server = oi;
    expect(await verifyLog(store)).toMatchObject({ breaks: [], erased: 0 });
  });

  it.each<[string, (event: StoredEvent) => StoredEvent | null, string]>([
    [
      "a changed payload",
      (event) => ({ ...event, data: event.data.replace("refunder", "somebody") }),
      "was changed",
    ],
    ["a changed actor", (event) => ({ ...event, actor: "somebody" }), "was changed"],
    ["data that is not JSON", (event) => ({ ...event, data: "{" }), "was changed"],
    ["a missing event", () => null, "expected event"],
  ])("verification of an intent log finds %s", async (_what, bend, expected) => {
    const { oi, store, stream } = await answered();
    await using _server = oi;
    const isIt = (event: StoredEvent) => event.stream === stream && event.seq === 1;
    const { breaks } = await verifyLog(tampered(store, (event) => (isIt(event) ? bend(event) : event)));
    expect(breaks[0]).toMatchObject({ stream, what: expect.stringContaining(expected) });
  });

  it("verification of an intent log finds a changed answer in the row beside the log", async () => {
    const { oi, store, id, stream } = await answered();
    await using _server = oi;
    const logId = suspensionLogId(id, "s1");
    const [log] = await store.load([{ workspace: "default", kind: "suspension_log", id: logId, read: true }]);
    const payloads = JSON.parse(
      JSON.stringify(log?.body["payloads"]).replace(
        '"value":"approve","responded_by"',
        '"value":"deny","responded_by"',
      ),
    );
    await tamper(store, "suspension_log", logId, { payloads });
    expect((await verifyLog(store)).breaks).toMatchObject([
      { stream, what: "was changed: its hash does not match its content" },
    ]);
    const { body } = await oi.call("GET", `intents/${id}/events/verify`);
    expect(body).toMatchObject({ valid: false, breaks: [{ reason: "its hash does not match its content" }] });
  });

  it("verification of an intent log tells erased content apart from missing content", async () => {
    const { oi, store, id } = await answered();
    await using _server = oi;
    const logId = suspensionLogId(id, "s1");
    await tamper(store, "suspension_log", logId, { payloads: {}, erasedAt: 5 });
    const report = await verifyLog(store);
    expect(new Set(report.breaks.map(({ what }) => what))).toEqual(
      new Set(["its content is missing, and the log does not say that it was erased"]),
    );
    await tamper(store, "suspension_log", logId, null);
    expect(new Set((await verifyLog(store)).breaks.map(({ what }) => what))).toEqual(
      new Set(["its content is missing"]),
    );
    const { body } = await oi.call("GET", `intents/${id}/events/verify`);
    expect(body.breaks[0]).toMatchObject({ reason: "its content is missing" });
    await oi.call("GET", `intents/${id}/events`).then(({ status }) => expect(status).toBe(500));
    expect(oi.test.log.at(-1)?.message).toContain("is gone");
  });

  it("verification finds an intent whose row or log is missing", async () => {
    const { oi, store, id, stream } = await answered();
    await using _server = oi;
    const silent = tampered(store, (event) => (event.stream === stream ? null : event));
    expect((await verifyLog(silent)).breaks).toContainEqual({
      position: 0,
      stream,
      seq: 7,
      what: "its log is missing",
    });
    const cut = tampered(store, (event) => (event.stream === stream && event.seq === 7 ? null : event));
    expect((await verifyLog(cut)).breaks).toContainEqual(
      expect.objectContaining({ stream, what: "its log does not end at the event that its row names" }),
    );
    await tamper(store, "intent", id, null);
    expect((await verifyLog(store)).breaks).toContainEqual(
      expect.objectContaining({ stream, what: "its row is missing" }),
    );
  });
});

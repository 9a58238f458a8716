import type { Frame } from "@holdpoint/protocol/http";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { framesOf } from "../agent/event-stream.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { HOLDPOINT_URL, MemoryHolds } from "../testing/memory-holds.ts";
import { hitlService } from "./service.ts";

const BASE = "https://shop.example";
const DECIDED = {
  kind: "decided",
  action: "confirm",
  data: { note: "x" },
  by: { kind: "link", id: "l" },
  door: "page",
  at: "2026-03-01T10:05:00.000Z",
} as const;

async function setUp() {
  const holds = new MemoryHolds();
  const clock = manualClock();
  const service = hitlService(
    { baseUrl: BASE, name: "Shop", description: "Sells things." },
    {
      holds,
      holdpoint: { url: HOLDPOINT_URL },
      identify: (request) => request.headers.get("x-agent") ?? undefined,
      timer: clock,
    },
  );
  const request = new Request(`${BASE}/orders`, { method: "POST", headers: { "x-agent": "a1" } });
  const body = (await (
    await service.requireHuman(request, { type: "confirmation", prompt: "Go?" })
  ).json()) as { readonly hitl: JsonObject };
  const url = body.hitl["events_url"] as string;
  const listen = async (headers: HeadersInit = {}) =>
    (await service.handle(new Request(url, { headers: { "x-agent": "a1", ...headers } })))!;
  return { holds, clock, listen, id: holds.latest().id };
}

/** Reads in the background, so that a test can move the hold on meanwhile. */
function reading(response: Response) {
  const frames: Frame[] = [];
  let ended = false;
  let beats = 0;
  const done = (async () => {
    for await (const frame of framesOf(response.body!, () => {
      beats += 1;
    }))
      frames.push(frame);
    ended = true;
  })();
  return { frames, done, ended: () => ended, beats: () => beats };
}

describe("a case's events", () => {
  test("HP-150 the events come as a stream with headers that forbid buffering", async () => {
    const { listen, holds, id } = await setUp();
    holds.end(id, DECIDED);
    const response = await listen();
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("cache-control")).toContain("no-cache");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    await response.body?.cancel();
  });

  test("HP-151 only the agent that asked can read the events", async () => {
    const { listen } = await setUp();
    expect((await listen({ "x-agent": "a2" })).status).toBe(404);
  });

  test("HP-155 the stream begins with the whole history and continues with new events", async () => {
    const { listen, holds, clock, id } = await setUp();
    holds.open(id);
    const read = reading(await listen());
    await clock.settle();
    expect(read.frames.map((frame) => frame.event)).toEqual(["review.opened"]);
    holds.progress(id);
    holds.remind(id);
    await clock.settle();
    holds.end(id, DECIDED);
    await read.done;
    expect(read.frames.map((frame) => frame.event)).toEqual([
      "review.opened",
      "review.in_progress",
      "review.reminder",
      "review.completed",
    ]);
    expect(JSON.parse(read.frames[3]!.data)).toMatchObject({
      case_id: holds.latest().caseId,
      result: { action: "confirm", data: { note: "x" } },
    });
  });

  test("HP-154 the events have growing ids, from which a lost connection continues", async () => {
    const { listen, holds, id } = await setUp();
    holds.open(id);
    holds.progress(id);
    holds.end(id, DECIDED);
    const all = reading(await listen());
    await all.done;
    const ids = all.frames.map((frame) => Number(frame.id));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    for (const [index, last] of ids.entries()) {
      const rest = reading(await listen({ "last-event-id": String(last) }));
      await rest.done;
      expect(rest.frames.map((frame) => Number(frame.id))).toEqual(ids.slice(index + 1));
    }
  });

  test("HP-156 the stream of an ended case replays its events and closes", async () => {
    const { listen, holds, id } = await setUp();
    holds.end(id, { kind: "expired", default: { action: "skip" }, at: "2026-03-02T10:00:00.000Z" });
    const read = reading(await listen());
    await read.done;
    expect(read.frames.map((frame) => frame.event)).toEqual(["review.expired"]);
    expect(holds.following).toBe(0);
  });

  test("HP-157 the stream sends a heartbeat every 30 seconds", async () => {
    const { listen, clock, holds, id } = await setUp();
    const read = reading(await listen());
    await clock.advance(95_000);
    expect(read.beats()).toBe(3);
    expect(read.frames).toEqual([]);
    holds.end(id, DECIDED);
    await read.done;
    expect(clock.sleeping()).toBe(0);
  });

  test("HP-159 every listener gets the events, and one that leaves frees its resources", async () => {
    const { listen, clock, holds, id } = await setUp();
    const leaving = await listen();
    const others = await Promise.all(Array.from({ length: 20 }, () => listen()));
    const reads = others.map(reading);
    await clock.settle();
    expect(holds.following).toBe(21);
    await leaving.body?.cancel();
    await clock.settle();
    expect(holds.following).toBe(20);
    holds.end(id, DECIDED);
    await Promise.all(reads.map((read) => read.done));
    for (const read of reads) expect(read.frames.map((frame) => frame.event)).toEqual(["review.completed"]);
    expect(holds.following).toBe(0);
    expect(clock.sleeping()).toBe(0);
  });
});

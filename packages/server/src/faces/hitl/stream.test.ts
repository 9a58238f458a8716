import { join } from "node:path";
import { CASE_EVENT_DATA } from "@holdpoint/protocol/hitl";
import type { CaseEventName } from "@holdpoint/protocol/hitl/words";
import { sseParser } from "@holdpoint/protocol/http";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { temporaryFolder } from "../../store/suite/temporary.ts";
import { APPROVAL, CONFIRMATION, INPUT, openCase, type TestCase } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

interface Told {
  readonly id: string;
  readonly event: CaseEventName;
  readonly data: Readonly<Record<string, unknown>>;
}

function listen(
  server: TestServer,
  opened: TestCase,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return Promise.resolve(
    server.server.app.request(new URL(opened.hitl.events_url).pathname, {
      headers: { authorization: `Bearer ${server.keys.agent}`, ...headers },
    }),
  );
}

function framesIn(text: string): readonly Told[] {
  return sseParser()
    .push(text)
    .map(({ id, event, data }) => ({ id, event: event as CaseEventName, data: JSON.parse(data) }));
}

/** Everything until the server closes. */
async function heard(server: TestServer, opened: TestCase, headers = {}): Promise<readonly Told[]> {
  return framesIn(await (await listen(server, opened, headers)).text());
}

/** A case with all that can happen before its end. */
async function eventful(server: TestServer): Promise<TestCase> {
  const reminder_at = new Date(server.clock.now() + 60_000).toISOString();
  const opened = await openCase(server, { ...INPUT, reminder_at });
  await opened.open();
  await server.clock.advance(60_000);
  await opened.progress({ values: { name: "Ada" }, step: 1 });
  return opened;
}
const finish = (opened: TestCase) => opened.respond({ action: "submit", data: { name: "Ada" } });

describe("the stream of a case", () => {
  test("HP-150 the stream of a case is served unbuffered as server-sent events", async () => {
    await using server = await testServer();
    const { headers, body } = await listen(server, await openCase(server));
    expect(headers.get("content-type")).toContain("text/event-stream");
    expect(headers.get("cache-control")).toContain("no-cache");
    expect(headers.get("x-accel-buffering")).toBe("no");
    await body?.cancel();
  });

  test("HP-151 only the agent that opened a case may follow its stream", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    const path = new URL(opened.hitl.events_url).pathname;
    expect(await server.call("GET", path)).toMatchObject({ status: 401, body: { error: "unauthorized" } });
    expect(await server.call("GET", path, { key: server.keys.otherAgent })).toMatchObject({ status: 404 });
    expect(await server.call("GET", "/reviews/review_x/events", { key: server.keys.agent })).toMatchObject({
      status: 404,
    });
  });

  test.each(["completed", "expired", "cancelled"])(
    "HP-152 the stream has the protocol's six event names, in order (%s)",
    async (how) => {
      await using server = await testServer();
      const opened = await eventful(server);
      if (how === "completed") await finish(opened);
      if (how === "cancelled") await opened.cancel({ reason: "enough" });
      if (how === "expired") await server.clock.advance(86_400_000);
      expect((await heard(server, opened)).map(({ event }) => event)).toEqual([
        "review.opened",
        "review.reminder",
        "review.in_progress",
        `review.${how}`,
      ]);
    },
  );

  test.each(["completed", "expired", "cancelled"])(
    "HP-153 each event of the stream has its own data (%s)",
    async (how) => {
      await using server = await testServer();
      const opened = await eventful(server);
      if (how === "completed") await finish(opened);
      if (how === "cancelled") await opened.cancel({ reason: "enough" });
      if (how === "expired") await server.clock.advance(86_400_000);
      const frames = await heard(server, opened);
      for (const { event, data } of frames) {
        expect(CASE_EVENT_DATA[event].safeParse(data), event).toMatchObject({ success: true });
        expect(data["case_id"]).toBe(opened.id);
      }
      const { body } = await opened.poll();
      expect(body).toMatchObject(frames.at(-1)?.data ?? {});
      expect(frames[2]?.data["progress"]).toMatchObject({ current_step: 1, completed_fields: 1 });
    },
  );

  test("HP-154 the ids of a stream grow and stay the same after a restart", async () => {
    await using folder = await temporaryFolder();
    const start = () =>
      testServer({ store: openSqliteStore({ path: join(folder.path, "holdpoint.db"), indexes: TABLE }) });
    const before = await start();
    const opened = await eventful(before);
    await finish(opened);
    const first = await heard(before, opened);
    await before[Symbol.asyncDispose]();
    await using after = await start();
    expect(await heard(after, opened)).toEqual(first);
    const ids = first.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("HP-155 a stream continues after the given Last-Event-ID, whichever event that is", async () => {
    await using server = await testServer();
    const opened = await eventful(server);
    await finish(opened);
    const all = await heard(server, opened);
    for (const [index, { id }] of all.entries())
      expect(await heard(server, opened, { "last-event-id": id })).toEqual(all.slice(index + 1));
    for (const odd of ["", "x", "-1", "1e9"])
      expect(await heard(server, opened, { "last-event-id": odd })).toEqual(all);
  });

  test("HP-155 a stream sends past events first and then new ones", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    await opened.open();
    const stream = await listen(server, opened);
    await opened.respond({ action: "approve" });
    expect(framesIn(await stream.text()).map(({ event }) => event)).toEqual([
      "review.opened",
      "review.completed",
    ]);
  });

  test("HP-155 a Last-Event-ID beyond the end of the log means from now on", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    await opened.open();
    const stream = await listen(server, opened, { "last-event-id": "999999999" });
    await opened.respond({ action: "approve" });
    expect(framesIn(await stream.text()).map(({ event }) => event)).toEqual(["review.completed"]);
  });

  test("HP-156 the stream closes after the case has ended, at once if it ended before", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    const live = await listen(server, opened);
    await opened.cancel();
    expect(framesIn(await live.text())).toHaveLength(1);
    const [last] = await heard(server, opened);
    expect(await heard(server, opened, { "last-event-id": last?.id ?? "" })).toEqual([]);
  });

  test("HP-157 the stream sends something at least every 30 seconds", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    const stream = await listen(server, opened);
    for (let n = 0; n < 4; n += 1) await server.clock.advance(30_000);
    await opened.respond({ action: "approve" });
    const comments = (await stream.text()).split("\n").filter((line) => line.startsWith(":"));
    expect(comments.length).toBeGreaterThanOrEqual(4);
  });

  test("HP-159 a hundred readers get the same events and leave no subscription behind", async () => {
    await using server = await testServer();
    const opened = await openCase(server, { ...CONFIRMATION, inline: true });
    const streams = await Promise.all(Array.from({ length: 100 }, () => listen(server, opened)));
    const leaving = await listen(server, opened);
    await leaving.body?.cancel();
    await opened.submit({ action: "confirm" });
    const texts = await Promise.all(streams.map((stream) => stream.text()));
    expect(new Set(texts).size).toBe(1);
    expect(framesIn(texts[0] ?? "")).toMatchObject([
      { event: "review.completed", data: { result: { action: "confirm" } } },
    ]);
    await server.clock.advance(0);
    expect(server.server.feed.subscribers).toBe(0);
  });

  test("an answer through another door is sent on the stream of the case", async () => {
    await using server = await testServer();
    const opened = await openCase(server, APPROVAL);
    const stream = await listen(server, opened);
    await server.call("POST", `/v1/holds/${opened.holdId}/answer`, {
      key: server.keys.operator,
      body: { action: "reject" },
    });
    expect(framesIn(await stream.text())).toMatchObject([{ data: { result: { action: "reject" } } }]);
  });
});

import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { APPROVAL, INPUT, openCase, type TestCase } from "../../testing/hitl-cases.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Receiver } from "../../testing/receiver.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function told(server: TestServer, opened: TestCase): Promise<readonly { event: string; at: string }[]> {
  const abort = new AbortController();
  const reply = await server.server.app.request(new URL(opened.hitl.events_url).pathname, {
    headers: { authorization: `Bearer ${server.keys.agent}` },
    signal: abort.signal,
  });
  const { body } = await opened.poll();
  const isOver = ["completed", "expired", "cancelled"].includes(body.status);
  const text = isOver ? await reply.text() : await firstOf(reply);
  return [...text.matchAll(/event: (.*)\ndata: (.*)/g)].map(([, event = "", data = "{}"]) => ({
    event,
    at: JSON.parse(data).reminder_at,
  }));
}

/** What a stream of an open case has to say at once. */
async function firstOf(reply: Response): Promise<string> {
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  const comment = await reader?.read();
  const history = await reader?.read();
  await reader?.cancel();
  return `${comment?.value ?? ""}${history?.value ?? ""}`;
}

describe("the end of a case", () => {
  test("HP-141 a case expires at its time without any request", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    await server.clock.advance(DAY_MS);
    const [row] = await server.store.load([
      { workspace: "default", kind: "hold", id: opened.holdId, read: true },
    ]);
    expect(row?.body["status"]).toBe("expired");
  });

  test("HP-141 an expiry is shown to every reader, even before the timer has fired", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    await server.server.timers.stop();
    await server.clock.advance(DAY_MS + 5_000);
    const { body } = await opened.poll();
    expect(body).toMatchObject({ status: "expired", expired_at: opened.hitl.expires_at });
  });

  test("HP-142 an expired case reports its default action and has no result", async () => {
    await using server = await testServer();
    const opened = await openCase(server, { ...APPROVAL, default_action: "approve" });
    await server.clock.advance(DAY_MS);
    const { body } = await opened.poll();
    expect(body).toMatchObject({ status: "expired", default_action: "approve" });
    for (const name of ["result", "responded_by", "completed_at", "submission_context"])
      expect(body).not.toHaveProperty(name);
  });

  test("HP-143 an expiry is sent once on the stream and once by callback", async () => {
    await using receiver = await Receiver.start();
    await using server = await testServer();
    const opened = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url() });
    await server.clock.advance(DAY_MS);
    await opened.poll();
    await opened.poll();
    await receiver.received(1);
    await server.server.sender.idle();
    await server.clock.advance(HOUR_MS);
    await server.server.sender.idle();
    expect(receiver.requests.map(({ body }) => JSON.parse(body).event)).toEqual(["review.expired"]);
    expect(await told(server, opened)).toMatchObject([{ event: "review.expired" }]);
  });
});

describe("withdrawing", () => {
  test("HP-144 a person can cancel a case at the protocol's address and with the button on the page", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    const reply = await opened.cancel({ reason: "wrong version" });
    expect(reply).toMatchObject({ status: 200, body: { status: "cancelled", reason: "wrong version" } });
    expect((await opened.poll()).body).toMatchObject({
      status: "cancelled",
      cancelled_at: expect.any(String),
    });
    const other = await openCase(server);
    const dismiss = /action="([^"]*dismiss[^"]*)"/.exec((await other.open()).body)?.[1] ?? "";
    await server.call("POST", dismiss.replaceAll("&amp;", "&"), {
      body: "",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect((await other.poll()).body).toMatchObject({ status: "cancelled", reason: expect.any(String) });
  });

  test("HP-145 the agent that opened a case can cancel it, and another agent cannot", async () => {
    await using server = await testServer();
    const opened = await openCase(server, { ...APPROVAL, inline: true });
    const path = opened.at("cancel").replace(/\?.*/, "");
    const cancel = (key: string) => server.call("POST", path, { key, body: { reason: "found it myself" } });
    expect(await cancel(server.keys.otherAgent)).toMatchObject({ status: 404 });
    expect(await cancel("wrong")).toMatchObject({ status: 401, body: { error: "unauthorized" } });
    expect(await cancel(opened.hitl.submit_token)).toMatchObject({ status: 401 });
    expect(await server.call("POST", path, { body: {} })).toMatchObject({
      status: 401,
      body: { error: "invalid_token" },
    });
    expect(await server.call("POST", "/reviews/review_x/cancel", { key: "wrong", body: {} })).toMatchObject({
      status: 404,
    });
    expect(await cancel(server.keys.agent)).toMatchObject({
      status: 200,
      body: { reason: "found it myself" },
    });
  });

  test("HP-146 cancelling a case that is over is refused", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    await opened.respond({ action: "approve" });
    expect(await opened.cancel()).toMatchObject({ status: 409, body: { error: "duplicate_submission" } });
    const path = opened.at("cancel").replace(/\?.*/, "");
    expect((await server.call("POST", path, { key: server.keys.agent, body: {} })).status).toBe(409);
    const twice = await openCase(server);
    await twice.cancel();
    expect(await twice.cancel()).toMatchObject({ status: 409, body: { error: "case_cancelled" } });
  });
});

describe("reminders", () => {
  const two = (server: TestServer) =>
    [HOUR_MS, 2 * HOUR_MS].map((ms) => new Date(server.clock.now() + ms).toISOString());

  test("HP-147 reminders are sent at each of their times while nobody has begun to answer", async () => {
    await using server = await testServer();
    const reminder_at = two(server);
    const opened = await openCase(server, { ...APPROVAL, reminder_at });
    await server.clock.advance(HOUR_MS);
    expect((await opened.poll()).body.reminder_sent_at).toBe(reminder_at[0]);
    await opened.open();
    await server.clock.advance(HOUR_MS);
    expect((await opened.poll()).body.reminder_sent_at).toBe(reminder_at[1]);
    expect(
      (await told(server, opened)).filter(({ event }) => event === "review.reminder").map(({ at }) => at),
    ).toEqual(reminder_at);
  });

  test("HP-147 reminders are not sent to a person who is answering, nor after the case has ended", async () => {
    await using server = await testServer();
    const begun = await openCase(server, { ...INPUT, reminder_at: two(server) });
    const over = await openCase(server, { ...APPROVAL, reminder_at: two(server) });
    await begun.progress();
    await over.respond({ action: "approve" });
    await server.clock.advance(3 * HOUR_MS);
    for (const opened of [begun, over]) {
      expect((await opened.poll()).body).not.toHaveProperty("reminder_sent_at");
      expect((await told(server, opened)).filter(({ event }) => event === "review.reminder")).toEqual([]);
    }
  });

  test("HP-148 reminders that came due while no server was running are sent once", async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ indexes: TABLE });
    Object.defineProperty(store, "close", { value: async () => undefined });
    const before = await testServer({ store, clock });
    const opened = await openCase(before, { ...APPROVAL, reminder_at: two(before) });
    await before[Symbol.asyncDispose]();
    await clock.advance(3 * HOUR_MS);
    await using after = await testServer({ store, clock });
    await clock.advance(1);
    const { body } = await after.call("GET", `/reviews/${opened.id}/status`, { key: after.keys.agent });
    expect(body.reminder_sent_at).toBe(new Date(clock.now() - 1).toISOString());
    const events = await after.call("GET", `/v1/holds/${opened.holdId}/events`, { key: after.keys.agent });
    const states = events.body.events.flatMap((event: { type: string; data: { state: string } }) =>
      event.type === "hold.reminded" ? [event.data.state] : [],
    );
    expect(states).toEqual(["missed", "fired"]);
    const stream = await after.server.app.request(`/reviews/${opened.id}/events`, {
      headers: { authorization: `Bearer ${after.keys.agent}` },
    });
    expect((await firstOf(stream)).match(/event: review\.reminder/g)).toHaveLength(1);
  });
});

import { createHmac } from "node:crypto";
import { join } from "node:path";
import { Callback } from "@holdpoint/protocol/hitl";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import type { ServerOptions } from "../../server.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { temporaryFolder } from "../../store/suite/temporary.ts";
import { APPROVAL, CONFIRMATION, create, openCase } from "../../testing/hitl-cases.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Receiver } from "../../testing/receiver.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

/** The clock waits for what is being sent before it moves on. */
async function sendingServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  let server: TestServer | undefined;
  const clock =
    (options.clock as ManualClock) ?? new ManualClock({ settle: async () => server?.server.sender.idle() });
  server = await testServer({ ...options, clock });
  return server;
}

async function ownKey(
  server: TestServer,
): Promise<{ readonly key: string; readonly secret: string; readonly id: string }> {
  const { body } = await server.call("POST", "/v1/keys", {
    key: server.keys.admin,
    body: { name: "shopper", role: "agent" },
  });
  return { key: body.secret, secret: body.callback_secret, id: body.id };
}

function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

describe("callbacks", () => {
  test("HP-160 callbacks are sent only to https addresses or to this machine", async () => {
    await using server = await testServer();
    const status = async (hitl_callback_url: unknown) =>
      (await create(server, { ...APPROVAL, hitl_callback_url })).status;
    expect(await status("https://agent.example/done")).toBe(202);
    expect(await status("http://localhost:9/done")).toBe(202);
    for (const url of [
      "http://agent.example/done",
      "ftp://agent.example/",
      "not an address",
      5,
      "http://localhost.evil.example/",
    ])
      expect(await status(url)).toBe(400);
  });

  test.each(["completed", "expired", "cancelled"])(
    "HP-161 a callback is sent at the end of a case and not before (%s)",
    async (how) => {
      await using receiver = await Receiver.start();
      await using server = await sendingServer();
      const reminder_at = new Date(server.clock.now() + 60_000).toISOString();
      const opened = await openCase(server, { ...APPROVAL, reminder_at, hitl_callback_url: receiver.url() });
      await opened.open();
      await server.clock.advance(60_000);
      await opened.progress();
      expect(receiver.requests).toEqual([]);
      if (how === "completed") await opened.respond({ action: "approve" });
      if (how === "cancelled") await opened.cancel({ reason: "enough" });
      if (how === "expired") await server.clock.advance(86_400_000);
      await server.clock.advance(60_000);
      expect(receiver.requests.map(({ body }) => JSON.parse(body).event)).toEqual([`review.${how}`]);
    },
  );

  test("HP-162 callbacks are signed over their exact bytes with the secret of the agent's key", async () => {
    await using receiver = await Receiver.start();
    await using server = await sendingServer();
    const { key, secret, id } = await ownKey(server);
    const opened = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url() }, { key });
    await opened.respond({ action: "approve", data: { feedback: "schön" } });
    await server.clock.advance(0);
    const [received] = receiver.requests;
    expect(received?.headers["x-hitl-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(received?.headers["x-hitl-signature"]).toBe(signatureOf(received?.body ?? "", secret));
    const { body: rotated } = await server.call("POST", `/v1/keys/${id}/rotate`, { key: server.keys.admin });
    expect(rotated.callback_secret).not.toBe(secret);
    const next = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url() }, { key });
    await next.respond({ action: "approve" });
    await server.clock.advance(0);
    const second = receiver.requests[1];
    expect(second?.headers["x-hitl-signature"]).toBe(
      signatureOf(second?.body ?? "", rotated.callback_secret),
    );
  });

  test.each(["completed", "expired", "cancelled"])(
    "HP-163 a callback has the same content as the poll (%s)",
    async (how) => {
      await using receiver = await Receiver.start();
      await using server = await sendingServer();
      const opened = await openCase(server, {
        ...CONFIRMATION,
        inline: true,
        hitl_callback_url: receiver.url(),
      });
      if (how === "completed") await opened.submit({ action: "confirm" });
      if (how === "cancelled") await opened.cancel({ reason: "enough" });
      if (how === "expired") await server.clock.advance(86_400_000);
      await server.clock.advance(0);
      const told = JSON.parse(receiver.requests[0]?.body ?? "{}");
      expect(Callback.safeParse(told)).toMatchObject({ success: true });
      const { event, timestamp, ...rest } = told;
      const { body } = await opened.poll();
      expect(body).toMatchObject(rest);
      expect(timestamp).toBe(body.completed_at ?? body.expired_at ?? body.cancelled_at);
      expect(event).toBe(`review.${how}`);
    },
  );

  test("HP-164 callbacks are retried after 1, 5 and 30 seconds with the same bytes", async () => {
    await using receiver = await Receiver.start();
    await using server = await sendingServer();
    const at: number[] = [];
    receiver.answer = () => {
      at.push(server.clock.now());
      return 503;
    };
    const opened = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url() });
    await opened.respond({ action: "approve" });
    const started = server.clock.now();
    await server.clock.advance(3_600_000);
    expect(at.map((time) => time - started)).toEqual([0, 1_000, 6_000, 36_000]);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers["x-hitl-signature"])).size).toBe(1);
  });

  test("HP-164 a callback is not retried after a success or a refusal", async () => {
    await using receiver = await Receiver.start();
    await using server = await sendingServer();
    receiver.answer = ({ path }, n) => (path === "/refuses" ? 400 : n === 0 ? 500 : 200);
    const first = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url("/recovers") });
    await first.respond({ action: "approve" });
    await server.clock.advance(3_600_000);
    expect(receiver.requests).toHaveLength(2);
    const second = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url("/refuses") });
    await second.respond({ action: "approve" });
    await server.clock.advance(3_600_000);
    expect(receiver.requests).toHaveLength(3);
  });

  test("HP-165 a callback that never arrives does not change the result and is listed as failed", async () => {
    await using receiver = await Receiver.start();
    await using server = await sendingServer();
    receiver.answer = () => 503;
    const opened = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url() });
    await opened.respond({ action: "approve" });
    await server.clock.advance(3_600_000);
    expect((await opened.poll()).body.result).toEqual({ action: "approve", data: {} });
    const { body } = await server.call("GET", `/v1/deliveries?hold_id=${opened.holdId}`, {
      key: server.keys.admin,
    });
    expect(body.deliveries).toMatchObject([{ state: "failed", kind: "callback" }]);
    expect(body.deliveries[0].attempts).toHaveLength(4);
  });

  test("HP-166 retries of a callback continue after a restart with the same message id", async () => {
    await using receiver = await Receiver.start();
    receiver.answer = (_received, n) => (n === 0 ? 503 : 204);
    await using folder = await temporaryFolder();
    const start = () => openSqliteStore({ path: join(folder.path, "holdpoint.db"), indexes: TABLE });
    const before = await sendingServer({ store: start() });
    const opened = await openCase(before, { ...APPROVAL, hitl_callback_url: receiver.url() });
    await opened.respond({ action: "approve" });
    await before.clock.advance(0);
    const { clock } = before;
    await before[Symbol.asyncDispose]();
    const later = new ManualClock({ startAt: clock.now(), settle: async () => after?.server.sender.idle() });
    const after: TestServer = await sendingServer({ store: start(), clock: later });
    await later.advance(60_000);
    await after[Symbol.asyncDispose]();
    expect(receiver.requests).toHaveLength(2);
    const names = receiver.requests.map(({ headers }) => headers["x-hitl-delivery"]);
    expect(names[0]).toMatch(/^msg_/);
    expect(names[1]).toBe(names[0]);
  });

  test("HP-167 callbacks are not sent to private addresses and follow no redirect", async () => {
    await using server = await testServer();
    for (const host of ["169.254.169.254", "10.0.0.1", "192.168.0.1", "[fd00::1]"])
      expect(await create(server, { ...APPROVAL, hitl_callback_url: `https://${host}/` })).toMatchObject({
        status: 400,
        body: { error: "invalid_request", fields: [{ key: "/hitl_callback_url" }] },
      });
    await using receiver = await Receiver.start();
    await using sending = await sendingServer();
    receiver.answer = ({ path }) =>
      path === "/moved" ? { status: 302, headers: { location: receiver.url("/there") } } : 204;
    const opened = await openCase(sending, { ...APPROVAL, hitl_callback_url: receiver.url("/moved") });
    await opened.respond({ action: "approve" });
    await sending.clock.advance(60_000);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/moved"]);
  });

  test("HP-162 a callback is not sent when there is no secret to sign it with", async () => {
    await using receiver = await Receiver.start();
    const store = new MemoryStore({ indexes: TABLE });
    Object.defineProperty(store, "close", { value: async () => undefined });
    const before = await testServer({ store });
    const opened = await openCase(before, { ...APPROVAL, hitl_callback_url: receiver.url() });
    await before[Symbol.asyncDispose]();
    await using after = await testServer({ store, keys: [] });
    expect((await after.call("POST", opened.at("respond"), { body: { action: "approve" } })).status).toBe(
      200,
    );
    await after.server.sender.idle();
    const rows = await store.outbox({ workspace: "default", limit: 10 });
    expect(rows).toMatchObject([{ state: "failed", attempts: [{ error: "withdrawn" }] }]);
    expect(receiver.requests).toEqual([]);
  });

  test("callbacks contain the result, and no row of the outbox stores it", async () => {
    await using receiver = await Receiver.start();
    await using server = await sendingServer();
    receiver.answer = () => 503;
    const canary = "canary-of-the-answer";
    const opened = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url() });
    await opened.respond({ action: "approve", data: { feedback: canary } });
    await server.clock.advance(0);
    expect(receiver.requests[0]?.body).toContain(canary);
    const rows = await server.store.outbox({ workspace: "default", limit: 100 });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(canary);
  });
});

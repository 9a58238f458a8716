import { createHmac } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Receiver } from "../../testing/receiver.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

const post = (test: TestServer, path: string, key: string, body: object = {}) =>
  test.call("POST", path, { key, body });

/** The time is the server's own, so what was sent a moment ago is settled when the deliveries say so. */
async function deliveries(test: TestServer, query: string, state: string) {
  for (;;) {
    const { body } = await test.call("GET", `/v1/deliveries${query}`, { key: test.keys.admin });
    if (body.deliveries.length > 0 && body.deliveries.every((one: { state: string }) => one.state === state))
      return body.deliveries;
    await nextTurn();
  }
}

/** As a receiver checks it, from the specification: id, timestamp and body, keyed with the decoded secret. */
function signature(headers: Readonly<Record<string, string>>, body: string, secret: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

describe("API keys", () => {
  it("an API key is shown once and stored as a hash", async () => {
    await using test = await testServer();
    const made = await post(test, "/v1/keys", test.keys.admin, { name: "shipper", role: "agent" });
    const { secret, callback_secret: callbackSecret, id } = made.body;
    expect(made).toMatchObject({
      status: 201,
      body: { name: "shipper", role: "agent", workspace: "default", created_by: "key:root" },
    });
    expect(secret).toMatch(/^hp_/);
    expect(callbackSecret).toMatch(/^whsec_/);
    const listed = await test.call("GET", "/v1/keys", { key: test.keys.auditor });
    expect(listed.body.keys).toEqual([expect.objectContaining({ id, hint: `…${secret.slice(-4)}` })]);
    expect(JSON.stringify(listed.body)).not.toContain(secret);
    expect(
      JSON.stringify(await test.store.load([{ workspace: "default", kind: "api_key", id, read: true }])),
    ).not.toContain(secret);
    expect((await test.call("GET", "/v1/me", { key: secret })).body).toMatchObject({ name: "shipper", id });
  });

  it("an API key's name has one line, so that it cannot look like another agent's name and key", async () => {
    await using test = await testServer();
    for (const name of ["a\nb", "a\u0085b", "\u001b[31m"]) {
      for (const path of ["/v1/keys", "/v1/sign-ins"]) {
        const body = { name, ...(path === "/v1/keys" ? { role: "agent" } : {}) };
        const reply = await test.call("POST", path, { key: test.keys.admin, body });
        expect(reply).toMatchObject({ status: 422, body: { code: "invalid_body" } });
      }
    }
  });

  it("an API key records when it was last used, without a write for every call", async () => {
    await using test = await testServer();
    const { body } = await post(test, "/v1/keys", test.keys.admin, { name: "shipper", role: "agent" });
    const lastUsed = async () =>
      (await test.call("GET", "/v1/keys", { key: test.keys.admin })).body.keys[0].last_used_at;
    expect(await lastUsed()).toBeUndefined();
    await test.call("GET", "/v1/me", { key: body.secret });
    await test.clock.advance(0);
    expect(await lastUsed()).toBe("2026-01-01T00:00:00.000Z");
    await test.clock.advance(59_000);
    await test.call("GET", "/v1/me", { key: body.secret });
    await test.clock.advance(0);
    expect(await lastUsed()).toBe("2026-01-01T00:00:00.000Z");
    await test.clock.advance(1_000);
    await test.call("GET", "/v1/me", { key: body.secret });
    await test.clock.advance(0);
    expect(await lastUsed()).toBe("2026-01-01T00:01:00.000Z");
  });

  it("a revoked API key is refused at once, and its secret cannot be rotated", async () => {
    await using test = await testServer();
    const { body } = await post(test, "/v1/keys", test.keys.admin, { name: "shipper", role: "agent" });
    expect((await test.call("GET", "/v1/me", { key: body.secret })).status).toBe(200);
    const revoked = await test.call("DELETE", `/v1/keys/${body.id}`, { key: test.keys.admin });
    expect(revoked.body.revoked_at).toBe("2026-01-01T00:00:00.000Z");
    expect((await test.call("GET", "/v1/me", { key: body.secret })).status).toBe(401);
    expect(await test.call("POST", `/v1/keys/${body.id}/rotate`, { key: test.keys.admin })).toMatchObject({
      status: 404,
    });
  });
});

describe("webhooks", () => {
  it("a webhook gets the events it asked for, signed, and its secret is shown once", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    const made = await post(test, "/v1/webhooks", test.keys.admin, {
      url: receiver.url("/hook"),
      events: ["hold.decided"],
      description: "ledger",
    });
    const { secret, id } = made.body;
    const listed = await test.call("GET", "/v1/webhooks", { key: test.keys.auditor });
    expect(listed.body.webhooks).toEqual([
      expect.objectContaining({ id, description: "ledger", events: ["hold.decided"] }),
    ]);
    expect(JSON.stringify(listed.body)).not.toContain(secret);

    const { body: hold } = await post(test, "/v1/holds", test.keys.agent, ASK);
    await post(test, `/v1/holds/${hold.id}/answer`, test.keys.operator, { action: "approve" });
    await receiver.received(1);
    const [request] = receiver.requests;
    expect(request?.headers["webhook-signature"]).toBe(
      signature(request?.headers ?? {}, request?.body ?? "", secret),
    );
    const sent = JSON.parse(request?.body ?? "");
    expect(sent).toMatchObject({
      type: "hold.decided",
      data: { hold: { id: hold.id, outcome: { action: "approve" } } },
    });
    const [delivery] = await deliveries(test, `?endpoint=${id}`, "sent");
    expect(delivery).toMatchObject({
      kind: "webhook",
      hold_id: hold.id,
      event_type: "hold.decided",
      attempts: [{ ok: true, status: 204 }],
    });
  });

  it("a delivered message can be sent to a webhook again, with the same id", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    const url = receiver.url("/SECRET-PATH");
    await post(test, "/v1/webhooks", test.keys.admin, { url, events: ["hold.cancelled"] });
    const { body: hold } = await post(test, "/v1/holds", test.keys.agent, ASK);
    await post(test, `/v1/holds/${hold.id}/cancel`, test.keys.agent);
    await receiver.received(1);
    const [delivery] = await deliveries(test, `?hold_id=${hold.id}`, "sent");
    expect(delivery.host).toBe(new URL(url).hostname);
    expect(JSON.stringify(delivery)).not.toContain("SECRET-PATH");
    const replayed = await test.call("POST", `/v1/deliveries/${delivery.id}/replay`, {
      key: test.keys.admin,
    });
    expect(replayed).toMatchObject({ status: 202, body: { id: delivery.id, state: "queued" } });
    await receiver.received(2);
    expect(receiver.requests[1]?.headers["webhook-id"]).toBe(receiver.requests[0]?.headers["webhook-id"]);
    const [again] = await deliveries(test, `?hold_id=${hold.id}`, "sent");
    expect(again.attempts).toHaveLength(2);
  });

  it("a message that is still being delivered cannot be sent again", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    receiver.answer = () => 503;
    await post(test, "/v1/webhooks", test.keys.admin, { url: receiver.url(), events: ["hold.cancelled"] });
    const { body: hold } = await post(test, "/v1/holds", test.keys.agent, ASK);
    await post(test, `/v1/holds/${hold.id}/cancel`, test.keys.agent);
    await test.server.sender.idle();
    const [row] = await test.store.outbox({ workspace: "default", holdId: hold.id, limit: 1 });
    const replay = () => test.call("POST", `/v1/deliveries/${row?.id}/replay`, { key: test.keys.admin });
    expect(await replay(), "it is going to be tried again").toMatchObject({
      status: 409,
      body: { code: "delivery_queued" },
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it("a message is sent again once, however many callers ask for it at the same time", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    await post(test, "/v1/webhooks", test.keys.admin, { url: receiver.url(), events: ["hold.cancelled"] });
    const { body: hold } = await post(test, "/v1/holds", test.keys.agent, ASK);
    await post(test, `/v1/holds/${hold.id}/cancel`, test.keys.agent);
    await test.server.sender.idle();
    const [delivery] = await deliveries(test, `?hold_id=${hold.id}`, "sent");
    const replay = () => test.call("POST", `/v1/deliveries/${delivery.id}/replay`, { key: test.keys.admin });
    const replies = [await replay(), await replay(), await replay()].map(({ status }) => status);
    await test.server.sender.idle();
    expect(replies.toSorted()).toEqual([202, 409, 409]);
    expect(receiver.requests).toHaveLength(2);
  });

  it("a deleted webhook gets no more messages", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    const { body } = await post(test, "/v1/webhooks", test.keys.admin, { url: receiver.url() });
    expect(await test.call("DELETE", `/v1/webhooks/${body.id}`, { key: test.keys.admin })).toMatchObject({
      status: 200,
    });
    await post(test, "/v1/holds", test.keys.agent, ASK);
    await test.clock.advance(60_000);
    expect(receiver.requests).toEqual([]);
    expect(await test.call("DELETE", `/v1/webhooks/${body.id}`, { key: test.keys.admin })).toMatchObject({
      status: 404,
    });
  });

  it("webhooks are listed by page, newest first", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    await post(test, "/v1/webhooks", test.keys.admin, { url: receiver.url(), events: ["hold.placed"] });
    for (let i = 0; i < 5; i += 1) await post(test, "/v1/holds", test.keys.agent, ASK);
    await receiver.received(5);
    const all = await deliveries(test, "", "sent");
    const first = await test.call("GET", "/v1/deliveries?limit=3", { key: test.keys.admin });
    const rest = await test.call("GET", `/v1/deliveries?cursor=${first.body.next_cursor}`, {
      key: test.keys.admin,
    });
    const ids = [...first.body.deliveries, ...rest.body.deliveries].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(all.map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBe(5);
  });
});

describe("callbacks", () => {
  it("a callback gives the creator the whole outcome, signed with the secret of its key", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    const { body: key } = await post(test, "/v1/keys", test.keys.admin, { name: "shipper", role: "agent" });
    const form = { fields: [{ key: "pin", label: "PIN", type: "text", sensitive: true }] };
    const body = { type: "input", prompt: "Which PIN?", form, callback_url: receiver.url("/back") };
    const { body: hold } = await post(test, "/v1/holds", key.secret, body);
    await post(test, `/v1/holds/${hold.id}/answer`, test.keys.operator, {
      action: "submit",
      data: { pin: "4711-secret" },
    });
    await receiver.received(1);
    const [request] = receiver.requests;
    expect(request?.headers["webhook-signature"]).toBe(
      signature(request?.headers ?? {}, request?.body ?? "", key.callback_secret),
    );
    expect(JSON.parse(request?.body ?? "").data.hold.outcome.data).toEqual({ pin: "4711-secret" });
  });

  it("callbacks are signed with the new secret after it was rotated", async () => {
    await using test = await testServer();
    await using receiver = await Receiver.start();
    const { body: key } = await post(test, "/v1/keys", test.keys.admin, { name: "shipper", role: "agent" });
    const { body: rotated } = await test.call("POST", `/v1/keys/${key.id}/rotate`, { key: test.keys.admin });
    expect(rotated.callback_secret).not.toBe(key.callback_secret);
    const { body: hold } = await post(test, "/v1/holds", key.secret, {
      ...ASK,
      callback_url: receiver.url(),
    });
    await post(test, `/v1/holds/${hold.id}/cancel`, key.secret);
    await receiver.received(1);
    const [request] = receiver.requests;
    expect(request?.headers["webhook-signature"]).toBe(
      signature(request?.headers ?? {}, request?.body ?? "", rotated.callback_secret),
    );
  });
});

describe("sign-in links", () => {
  it("a sign-in link is made for one person and one role", async () => {
    await using test = await testServer();
    const { status, body } = await post(test, "/v1/sign-ins", test.keys.admin, {
      name: "Ada",
      role: "auditor",
    });
    expect({ status, ...body }).toMatchObject({
      status: 201,
      name: "Ada",
      role: "auditor",
      expires_at: "2026-01-01T12:00:00.000Z",
    });
    expect(body.url).toMatch(/^http:\/\/localhost:4100\/signin\?token=[\w-]{43}$/);
  });
});

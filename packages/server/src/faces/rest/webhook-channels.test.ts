import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALLOW_NOTHING } from "../../channels/allow-list.ts";
import { createOutgoing, type Outgoing } from "../../channels/outgoing.ts";
import { CHANNELS_MAX } from "../../kernel/server/server.ts";
import { sealerOf } from "../../system/sealing.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Receiver } from "../../testing/receiver.ts";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, type TestServerOptions, testServer } from "../../testing/test-server.ts";
import { storeUnderTest } from "../../testing/test-store.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const PATH = "/hooks/SECRET-PATH";
let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const server = (options: TestServerOptions = {}) => testServer({ sealer: sealerOf("key"), ...options });
const asAdmin = (at: TestServer) => ({ key: at.keys.admin });
const origin = () => new URL(receiver.url()).origin;

const put = (at: TestServer, body: object, name = "hook") =>
  at.call("PUT", `/v1/channels/${name}`, { ...asAdmin(at), body: { platform: "webhook", ...body } });
const connect = (at: TestServer, more: object = {}) =>
  put(at, { url: receiver.url(PATH), secret: SECRET, ...more });
const listed = async (at: TestServer) => (await at.call("GET", "/v1/channels", asAdmin(at))).body.channels;
const bodies = () => receiver.requests.map(({ body }) => JSON.parse(body));

async function ask(at: TestServer): Promise<string> {
  const ladder = [{ after: "0s", channel: "hook" }];
  const hold = { type: "approval", prompt: "Refund 40 EUR?", links: "server", ladder };
  const placed = await at.call("POST", "/v1/holds", { key: at.keys.agent, body: hold });
  expect(placed.status).toBe(201);
  await at.server.sender.idle();
  return placed.body.id;
}

describe("connecting a webhook", () => {
  it("a signed trial message is posted first; then questions are sent by it at once, without a restart", async () => {
    await using at = await server();
    const connected = await connect(at, { to: ["ops"] });
    expect(connected).toMatchObject({ status: 200 });
    expect(connected.body).toEqual({
      ...{ name: "hook", platform: "webhook", state: "ready", source: "console", to: ["ops"] },
      webhook: { origin: origin(), signed: true },
    });
    expect(bodies()).toMatchObject([{ type: "channel.test", data: { channel: "hook" } }]);
    expect(receiver.requests[0]?.headers).toHaveProperty("webhook-signature");
    await ask(at);
    expect(bodies()[1]).toMatchObject({ type: "hold.notice", data: { prompt: "Refund 40 EUR?" } });
    expect(receiver.requests[1]?.path).toBe(PATH);
    expect(receiver.requests[1]?.headers).toHaveProperty("webhook-signature");
  });

  it("address and secret are in no reply, no event, no log and no row in clear", async () => {
    const { store } = await storeUnderTest(new ManualClock());
    await using at = await server({ store });
    const replies = [await connect(at), await listed(at)];
    receiver.answer = () => ({ status: 403, body: SECRET });
    replies.push(await connect(at));
    const events = await store.events({ after: 0, limit: 1_000 });
    const rows = await store.query({ workspace: "default", kind: "webhook_channel", limit: 10 });
    expect(rows).toHaveLength(1);
    const connected = events.find(({ type }) => type === "channel.connected");
    expect(JSON.parse(connected?.data ?? "")).toEqual({ name: "hook", platform: "webhook" });
    const all = JSON.stringify([replies, events, rows, at.log]);
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain("SECRET-PATH");
  });

  it("what the receiver refuses, and a receiver that is not there, is told with a fixed word, and nothing is kept", async () => {
    await using at = await server();
    receiver.answer = () => 403;
    const refused = await connect(at);
    expect(refused).toMatchObject({ status: 422, body: { code: "webhook_failed" } });
    expect(refused.body.detail).toBe(`${origin()} did not take the trial message: http_403`);
    const gone = await Receiver.start();
    const url = gone.url("/");
    await gone[Symbol.asyncDispose]();
    const refusals = [
      [{ url }, "webhook_failed", "connection_refused"],
      [{ secret: "not-a-secret" }, "webhook_failed", "bad_secret"],
      [{ url: "hooks" }, "callback_refused", "is not an absolute URL"],
      [{ url: "ftp://127.0.0.1/" }, "callback_refused", "must start with https://"],
      [{ preset: "teams" }, "invalid_body", "leave the secret out"],
      [{ preset: "ntfy", url: receiver.url("/") }, "invalid_body", "must end with the topic"],
    ] as const;
    for (const [more, code, detail] of refusals)
      expect(await connect(at, more)).toMatchObject({
        status: 422,
        body: { code, detail: expect.stringContaining(detail) },
      });
    const noKey = await put(at, { preset: "pagerduty", url: receiver.url("/v2/enqueue") });
    expect(noKey.body).toMatchObject({
      code: "invalid_body",
      detail: expect.stringContaining("routing key"),
    });
    expect(await listed(at)).toEqual([]);
  });

  it("private addresses are refused as for webhooks of the configuration, also behind a name that is looked up", async () => {
    const clock = new ManualClock();
    const resolve = async () => [{ address: "127.0.0.1", family: 4 as const }];
    const outgoing = createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: false }, clock, resolve });
    await using at = await server({ clock, outgoing });
    for (const url of [
      receiver.url(),
      "http://169.254.169.254/",
      `https://rebound.example:${receiver.port}/`,
    ])
      expect((await put(at, { url })).body).toMatchObject({
        code: "callback_refused",
        detail: "the address points to a private or reserved address",
      });
    expect(receiver.requests).toEqual([]);
  });

  it("a change without an address keeps address and secret, and is not tried again; a secret alone is tried with the address", async () => {
    await using at = await server();
    await connect(at);
    expect((await put(at, { to: ["ops"] })).body).toMatchObject({ to: ["ops"], webhook: { signed: true } });
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = () => 401;
    const rotated = await put(at, { secret: SECRET });
    expect(rotated.body).toMatchObject({ code: "webhook_failed", detail: expect.stringContaining(origin()) });
    expect(receiver.requests[1]?.path).toBe(PATH);
  });

  it("the secret is not sent to another address without being given again", async () => {
    await using at = await server();
    await connect(at);
    await using thief = await Receiver.start();
    const refused = await put(at, { url: thief.url("/") });
    expect(refused).toMatchObject({ status: 422, body: { code: "webhook_incomplete" } });
    expect(thief.requests).toEqual([]);
    expect(await listed(at)).toMatchObject([{ webhook: { origin: origin() } }]);
    expect((await put(at, {}, "other")).body).toMatchObject({ code: "webhook_incomplete" });
  });

  it("PagerDuty is tried without paging anybody, gets an alert, and the alert is resolved when the hold ends", async () => {
    await using at = await server();
    const connected = await put(at, {
      preset: "pagerduty",
      url: receiver.url("/v2/enqueue"),
      secret: "R0UTING",
    });
    expect(connected.body.webhook).toEqual({ origin: origin(), signed: true, preset: "pagerduty" });
    expect(bodies()).toEqual([
      { routing_key: "R0UTING", event_action: "resolve", dedup_key: "holdpoint-trial-hook" },
    ]);
    const id = await ask(at);
    expect(bodies()[1]).toMatchObject({ event_action: "trigger", dedup_key: id });
    await at.call("POST", `/v1/holds/${id}/answer`, { key: at.keys.operator, body: { action: "approve" } });
    await at.server.sender.idle();
    expect(bodies()[2]).toEqual({ routing_key: "R0UTING", event_action: "resolve", dedup_key: id });
  });

  it("Teams gets a card and ntfy a silent message as their trials, both without an action", async () => {
    await using at = await server();
    await put(at, { preset: "teams", url: receiver.url("/workflow") }, "teams");
    await put(at, { preset: "ntfy", url: receiver.url("/my-topic"), secret: "tk_1" }, "phone");
    const [card, message] = bodies();
    expect(card.attachments[0].content).not.toHaveProperty("actions");
    expect(JSON.stringify(card)).toContain("This is a test: nothing waits for you.");
    expect(message).toEqual({
      ...{ topic: "my-topic", title: "Holdpoint", priority: 2 },
      message: expect.stringContaining("channel phone"),
    });
    expect(receiver.requests[1]?.headers).toMatchObject({ authorization: "Bearer tk_1" });
  });

  it("disconnecting ends it: later questions are not sent by it", async () => {
    await using at = await server();
    await connect(at);
    const removed = await at.call("DELETE", "/v1/channels/hook", asAdmin(at));
    expect(removed).toMatchObject({ status: 200, body: { platform: "webhook" } });
    expect(await listed(at)).toEqual([]);
    await ask(at);
    expect(receiver.requests).toHaveLength(1);
    expect((await at.call("DELETE", "/v1/channels/hook", asAdmin(at))).status).toBe(404);
  });

  it("after a restart it is there again, and a server with another key says that it cannot read the address", async () => {
    const clock = new ManualClock();
    const data = await storeUnderTest(clock);
    const first = await server({ clock, store: data.store });
    await connect(first);
    await first[Symbol.asyncDispose]();
    const second = await server({ clock, store: (await data.again()).store });
    await ask(second);
    expect(receiver.requests).toHaveLength(2);
    await second[Symbol.asyncDispose]();
    const sealer = sealerOf("another");
    await using third = await server({ clock, sealer, store: (await data.again()).store });
    expect(await listed(third)).toMatchObject([{ state: "failed", reason: "secret_key_differs" }]);
    const rotated = await put(third, { secret: SECRET });
    expect(rotated.body).toMatchObject({ detail: expect.stringContaining("secret_key_differs") });
    expect((await connect(third)).body).toMatchObject({ state: "ready" });
  });

  it("a channel of the configuration is listed and not changed here, and one that has its name can be removed", async () => {
    const clock = new ManualClock();
    const data = await storeUnderTest(clock);
    const first = await server({ clock, store: data.store });
    await connect(first);
    await first[Symbol.asyncDispose]();
    const notify = { allow: [], channels: { hook: ["ops"] }, kinds: { hook: "webhook" } };
    await using at = await server({ clock, store: (await data.again()).store, platform: { notify } });
    expect(await listed(at)).toEqual([
      { name: "hook", platform: "webhook", to: ["ops"], state: "ready", source: "config" },
    ]);
    expect((await connect(at)).body).toMatchObject({ code: "already_exists" });
    const removed = await at.call("DELETE", "/v1/channels/hook", asAdmin(at));
    expect(removed).toMatchObject({ status: 200, body: { platform: "webhook", state: "standby" } });
  });

  it("of many that are connected at once only as many are taken as there may be; each of the others is refused with a code", async () => {
    const names = Array.from({ length: CHANNELS_MAX - 2 }, (_, n) => [`file-${n}`, []] as const);
    const notify = { allow: [], channels: Object.fromEntries(names) };
    const trials: (() => void)[] = [];
    const all = ["a", "b", "c", "d", "e"];
    // All trials end at the same moment, so that one batch decides.
    const post: Outgoing["post"] = () =>
      new Promise((resolve) => {
        trials.push(() => resolve({ kind: "answered", status: 200, retryAfter: null, text: "" }));
        if (trials.length === all.length) for (const end of trials) end();
      });
    const checkTarget: Outgoing["checkTarget"] = (url) => ({ kind: "ok", url: new URL(url) });
    await using at = await server({ platform: { notify }, outgoing: { post, checkTarget } });
    const replies = await Promise.all(all.map((name) => put(at, { url: receiver.url(PATH) }, name)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: "too_many_channels" });
    expect(await listed(at)).toHaveLength(2);
  });

  it("an operator, an admin of another workspace and a session that is not fresh are refused before anything is sent", async () => {
    await using at = await server();
    const body = { platform: "webhook", url: receiver.url(PATH) };
    for (const key of [at.keys.elsewhere, at.keys.operator]) {
      const refused = await at.call("PUT", "/v1/channels/hook", { key, body });
      expect(refused).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    }
    const session = await signedInPerson(at, "lin", "admin");
    await at.clock.advance(10 * 60_000 + 1);
    const stale = await session.call("PUT", "/v1/channels/hook", body);
    expect(stale).toMatchObject({ status: 403, body: { code: "fresh_sign_in_required" } });
    expect(receiver.requests).toEqual([]);
  });

  it("a test question is posted without a recipient, and its delivery says whether it arrived", async () => {
    await using at = await server();
    await connect(at);
    const sent = await at.call("POST", "/v1/channels/hook/test", asAdmin(at));
    expect(sent).toMatchObject({ status: 201, body: { to: origin() } });
    await at.server.sender.idle();
    const { hold_id: id } = sent.body;
    expect(bodies()[1]).toMatchObject({ type: "hold.notice", data: { hold_id: id, to: null } });
    const deliveries = await at.call("GET", `/v1/deliveries?hold_id=${id}`, asAdmin(at));
    expect(deliveries.body.deliveries).toMatchObject([{ state: "sent", endpoint: "hook" }]);
    const asked = await at.call("GET", `/v1/holds/${id}`, asAdmin(at));
    expect(asked.body.prompt).toBe("Did this message arrive? This is a test of Holdpoint.");
  });
});

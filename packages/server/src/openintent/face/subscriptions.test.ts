import { describe, expect, it } from "vitest";
import type { ConfiguredKey } from "../../system/config.ts";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";
import { Receiver } from "../../testing/receiver.ts";

/** A busy receiver is left alone for a second at a time. */
const DRAIN_MS = 3_000;

function bodies(receiver: Receiver): readonly Wire[] {
  return receiver.requests.map(({ body }) => JSON.parse(body));
}

async function subscribe(oi: OpenIntentServer, body: object): Promise<Wire> {
  const made = await oi.call("POST", "subscriptions", { body });
  expect(made.status).toBe(200);
  return made.body;
}

describe("subscriptions", () => {
  it("attack 12: an auditor can neither create nor end subscriptions, even with the owner's name", async () => {
    await using oi = await openIntentServer({
      keys: [...["agent", "auditor"].map((role) => ({ role, secret: `${role}-secret`, name: "same" }))].map(
        (key) => ({ ...key, workspace: "default" }) as ConfiguredKey,
      ),
    });
    const call = (method: string, path: string, role: string, body?: object) =>
      oi.call(method, path, {
        as: "nobody",
        headers: { "x-api-key": `${role}-secret` },
        ...(body && { body }),
      });
    const wanted = { subscriber_id: "watcher", event_types: [], webhook_url: "http://127.0.0.1:9/hook" };
    expect((await call("POST", "subscriptions", "auditor", wanted)).status).toBe(403);
    expect((await call("POST", "portfolios", "auditor", { name: "p" })).status).toBe(403);
    const made = await call("POST", "subscriptions", "agent", wanted);
    expect(made.status).toBe(200);
    expect((await call("DELETE", `subscriptions/${made.body.id}`, "auditor")).status).toBe(403);
    expect((await call("GET", "subscriptions", "auditor")).body.subscriptions).toHaveLength(1);
    expect((await call("DELETE", `subscriptions/${made.body.id}`, "agent")).status).toBe(204);
  });

  it("OI-015 a delivery is retried with growing pauses until the receiver accepts it", async () => {
    await using oi = await openIntentServer({ random: () => 1 });
    await using receiver = await Receiver.start();
    const arrivedAt: number[] = [];
    const start = oi.test.clock.now();
    receiver.answer = (_received, n) => {
      arrivedAt.push(oi.test.clock.now() - start);
      return n < 2 ? 500 : 200;
    };
    const { id } = await oi.create();
    const subscription = await subscribe(oi, {
      intent_id: id,
      portfolio_id: null,
      subscriber_id: "watcher",
      event_types: ["comment"],
      webhook_url: receiver.url("/hook"),
      expires_at: null,
    });
    expect(subscription).toMatchObject({
      intent_id: id,
      portfolio_id: null,
      subscriber_id: "watcher",
      event_types: ["comment"],
      active: true,
      expires_at: null,
      expiresAt: null,
    });
    expect(subscription.createdAt).toBe(subscription.created_at);
    const written = await oi.call("POST", `intents/${id}/events`, {
      body: { event_type: "comment", actor: "refunder", payload: { note: "n" } },
    });
    await oi.test.clock.advance(3_600_000);
    const sent = bodies(receiver);
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
    expect(sent[0]).toMatchObject({ subscription_id: subscription.id, event: written.body });
    expect(arrivedAt).toEqual([0, 5_000, 35_000]);
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  it("OI-015 subscriptions can be listed and ended", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const own = await subscribe(oi, { intent_id: id, webhook_url: "http://127.0.0.1:9/" });
    const all = await subscribe(oi, {});
    expect(own).toMatchObject({ subscriber_id: "refunder", event_types: [] });
    expect(all).toMatchObject({ intent_id: null, webhook_url: null });
    const ids = async (query: string, as: "agent" | "otherAgent" | "operator" = "agent") =>
      (await oi.call("GET", `subscriptions${query}`, { as })).body.subscriptions
        .map((each: Wire) => each.id)
        .toSorted();
    expect(await ids("")).toEqual([own.id, all.id].toSorted());
    expect(await ids(`?intent_id=${id}`)).toEqual([own.id]);
    expect(await ids("?portfolio_id=p")).toEqual([]);
    expect(await ids("", "otherAgent")).toEqual([]);
    expect(await ids("", "operator")).toEqual([own.id, all.id].toSorted());
    expect((await oi.call("DELETE", `subscriptions/${own.id}`, { as: "otherAgent" })).status).toBe(404);
    expect((await oi.call("DELETE", `subscriptions/${own.id}`)).status).toBe(204);
    expect((await oi.call("DELETE", `subscriptions/${own.id}`)).status).toBe(404);
    expect((await oi.call("DELETE", `subscriptions/${all.id}`, { as: "admin" })).status).toBe(204);
    expect(await ids("")).toEqual([]);
    for (const [body, status] of [
      [{ intent_id: "none" }, 404],
      [{ portfolio_id: "none" }, 404],
      [{ webhook_url: "http://169.254.169.254/latest" }, 422],
      [{ webhook_url: "javascript:alert(1)" }, 422],
      [{ event_types: "all" }, 422],
      [{ expires_at: "soon" }, 422],
    ] as const) {
      expect((await oi.call("POST", "subscriptions", { body })).status).toBe(status);
    }
  });

  it("OI-016 a subscription gets exactly its event types, however the suspension ends", async () => {
    await using oi = await openIntentServer();
    await using receiver = await Receiver.start();
    const { id } = await oi.create();
    const wanted = {
      event_types: ["intent.suspended", "intent_resumed"],
      webhook_url: receiver.url("/hook"),
    };
    await subscribe(oi, { ...wanted, intent_id: id });
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve");
    await oi.test.clock.advance(DRAIN_MS);
    expect(
      bodies(receiver)
        .map(({ event }) => event.event_type)
        .toSorted(),
    ).toEqual(["intent.resumed", "intent.suspended"]);
  });

  it("OI-016 subscriptions to one intent and to all intents get events, and empty types mean all types", async () => {
    await using oi = await openIntentServer();
    await using receiver = await Receiver.start();
    const { id } = await oi.create();
    await subscribe(oi, { intent_id: id, webhook_url: receiver.url("/one") });
    await subscribe(oi, { webhook_url: receiver.url("/all") });
    const { id: other } = await oi.create();
    await oi.suspend(id, REC);
    await oi.test.clock.advance(DRAIN_MS);
    expect(receiver.requests).toHaveLength(2 + 2 * 3);
    const of = (path: string) =>
      receiver.requests.filter((each) => each.path === path).map(({ body }) => JSON.parse(body).event);
    expect(
      of("/one")
        .map(({ event_type }) => event_type)
        .toSorted(),
    ).toEqual(["intent.suspended", "state_patched", "status_changed"]);
    expect(of("/all").filter(({ intent_id }) => intent_id === other)).toHaveLength(2);
    expect(of("/all").filter(({ intent_id }) => intent_id === id)).toHaveLength(3);
  });

  it("OI-016 a subscription gets nothing after its expiry or after its owner lost access", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    await using receiver = await Receiver.start();
    const { id } = await oi.create({}, { as: "otherAgent" });
    const hook = { webhook_url: receiver.url("/hook"), event_types: ["comment"] };
    const brief = await subscribe(oi, { ...hook, intent_id: id, expires_at: "2026-01-01T00:00:10" });
    const lasting = await subscribe(oi, hook);
    const say = () =>
      oi.call("POST", `intents/${id}/events`, {
        as: "otherAgent",
        body: { event_type: "comment", actor: "x" },
      });
    await say();
    await oi.test.clock.advance(DRAIN_MS);
    expect(receiver.requests).toHaveLength(2);
    await oi.test.clock.advance(10_000 - DRAIN_MS);
    await say();
    await oi.test.clock.advance(DRAIN_MS);
    expect(receiver.requests).toHaveLength(3);
    const { subscriptions } = (await oi.call("GET", "subscriptions")).body;
    expect(subscriptions.find((each: Wire) => each.id === brief.id)).toMatchObject({ active: false });
    await oi.call("PUT", `intents/${id}/acl`, { as: "otherAgent", body: { default_policy: "closed" } });
    await say();
    await oi.call("PUT", `intents/${id}/acl`, { as: "otherAgent", body: { default_policy: "open" } });
    await say();
    await oi.test.clock.advance(DRAIN_MS);
    expect(receiver.requests).toHaveLength(4);
    expect(
      bodies(receiver)
        .slice(2)
        .map((each) => each.subscription_id),
    ).toEqual([lasting.id, lasting.id]);
    expect((await oi.call("POST", "subscriptions", { body: { intent_id: id } })).status).toBe(200);
    await oi.call("PUT", `intents/${id}/acl`, { as: "otherAgent", body: { default_policy: "closed" } });
    expect((await oi.call("POST", "subscriptions", { body: { intent_id: id } })).status).toBe(403);
  });

  it("OI-126 the operator's redaction removes text from notifications and not from the record", async () => {
    await using oi = await openIntentServer({ redact: ["\\b\\d{4}-\\d{4}\\b", "secret\\w*"] });
    await using receiver = await Receiver.start();
    const { id } = await oi.create();
    await subscribe(oi, {
      intent_id: id,
      webhook_url: receiver.url("/hook"),
      event_types: ["intent.suspended"],
    });
    const question = "Refund card 1234-5678? It is SECRETLY wanted";
    await oi.suspend(id, { ...REC, question });
    await oi.test.clock.advance(DRAIN_MS);
    expect(receiver.requests).toHaveLength(1);
    expect(bodies(receiver)[0].event.payload.question).toBe(
      "Refund card [redacted]? It is [redacted] wanted",
    );
    expect((await oi.get(id)).state._suspension.question).toBe(question);
    expect((await oi.events(id, "intent.suspended"))[0].payload.question).toBe(question);
  });
});

import { describe, expect, it } from "vitest";
import type { OutboxRow } from "../../kernel/record.ts";
import { openIntentServer } from "../../testing/openintent.ts";
import { isSubscriptionRow, subscriptionMessage } from "./outgoing.ts";

describe("a subscription's message", () => {
  it("a subscription is sent the event as the API serves it to its owner", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const body = { intent_id: id, webhook_url: "http://127.0.0.1:9/" };
    const { body: subscription } = await oi.call("POST", "subscriptions", { body });
    await oi.call("POST", `intents/${id}/events`, {
      body: { event_type: "comment", actor: "x", payload: { deep: [{ n: null, t: "t" }] } },
    });
    const [row] = (await oi.test.store.outbox({ workspace: "default", limit: 1 })) as [OutboxRow];
    expect(isSubscriptionRow(row)).toBe(true);
    const [event] = await oi.events(id, "comment");
    const message = await subscriptionMessage(row, oi.test.store);
    expect(message).toMatchObject({ url: body.webhook_url, ownerKey: expect.stringContaining("refunder") });
    expect(message?.said).toEqual({ subscription_id: subscription.id, event });
  });

  it("a message is dropped when its subscription has ended", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const { body } = await oi.call("POST", "subscriptions", {
      body: { intent_id: id, webhook_url: "http://127.0.0.1:9/" },
    });
    await oi.call("POST", `intents/${id}/events`, { body: { event_type: "comment", actor: "x" } });
    const [row] = (await oi.test.store.outbox({ workspace: "default", limit: 1 })) as [OutboxRow];
    await oi.call("DELETE", `subscriptions/${body.id}`);
    expect(await subscriptionMessage(row, oi.test.store)).toBeNull();
    expect(isSubscriptionRow({ ...row, event: { ...row.event, stream: "hold:h" } })).toBe(false);
  });

  it("a message without its event in the log is dropped", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    await oi.call("POST", "subscriptions", { body: { intent_id: id, webhook_url: "http://127.0.0.1:9/" } });
    await oi.call("POST", `intents/${id}/events`, { body: { event_type: "comment", actor: "x" } });
    const [row] = (await oi.test.store.outbox({ workspace: "default", limit: 1 })) as [OutboxRow];
    const gone = { ...row, event: { ...row.event, seq: 99 } };
    await expect(subscriptionMessage(gone, oi.test.store)).rejects.toThrow("has no event 99");
  });
});

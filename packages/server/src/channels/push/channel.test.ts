import { describe, expect, it } from "vitest";
import webPush from "web-push";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type FakePushService, fakePushService } from "../../testing/push-service.ts";
import { ALLOW_NOTHING } from "../allow-list.ts";
import { channelSuite, type ReceiverState } from "../channel.suite.ts";
import { type Notice, noticeOf } from "../channel.ts";
import { createOutgoing } from "../outgoing.ts";
import { type OwnedDevice, pushChannel } from "./channel.ts";
import { newPushKey } from "./vapid.ts";

const STATUS: Readonly<Record<ReceiverState, number>> = {
  accepts: 201,
  "fails temporarily": 503,
  "refuses permanently": 400,
  "is gone": 0,
};

async function setUp(count = 1) {
  const service = await fakePushService();
  const key = newPushKey();
  const browsers = Array.from({ length: count }, () => service.subscribe(key.publicKey));
  let devices: readonly OwnedDevice[] = browsers.map(({ endpoint, p256dh, auth }, n) => ({
    ...{ id: `d${n}`, endpoint, p256dh, auth, name: `Device ${n}`, madeAt: 0, personId: "lin" },
  }));
  const clock = new ManualClock();
  const channel = pushChannel({
    outgoing: createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: true }, clock }),
    clock,
    contact: "https://holdpoint.example",
    key: async () => key,
    devicesOf: async () => devices,
    async forget(_workspace, { id }) {
      devices = devices.filter((device) => device.id !== id);
    },
  });
  return { service, key, browsers, channel, clock, devices: () => devices };
}

channelSuite("a push", async () => {
  const { service, browsers, channel, key } = await setUp();
  return {
    channel,
    secrets: [key.privateKey, ...browsers.map(({ auth }) => auth)],
    sent: async () => browsers.flatMap(({ received }) => received.map(({ message }) => message)),
    async behave(how) {
      if (how === "is gone") await service.stop();
      else service.reply(STATUS[how]);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
});

const notice = (changes: Partial<Notice> = {}): Notice => ({
  ...noticeOf(
    { holdId: "hold_7", type: "approval", prompt: "Refund 40 EUR?", askedBy: "refunder", expiresAt: null },
    {
      id: "msg_1",
      workspace: "default",
      attempt: 1,
      recipient: "lin",
      reviewUrl: "https://h.example/console/holds/hold_7",
    },
  ),
  ...changes,
});

describe("web push", () => {
  it("the push service in these tests accepts messages of the web-push package, and no other key's", async () => {
    await using service: FakePushService = await fakePushService();
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const browser = service.subscribe(publicKey);
    const subscription = { endpoint: browser.endpoint, keys: { p256dh: browser.p256dh, auth: browser.auth } };
    const send = async (vapid: { publicKey: string; privateKey: string }) => {
      const details = { subject: "mailto:ops@example.com", ...vapid };
      const { headers, body } = webPush.generateRequestDetails(subscription, "hello", {
        vapidDetails: details,
      });
      const init = {
        method: "POST",
        headers: headers as Record<string, string>,
        body: new Uint8Array(body ?? []),
      };
      return (await fetch(browser.endpoint, init)).status;
    };
    expect(await send({ publicKey, privateKey })).toBe(201);
    expect(browser.received.map(({ message }) => message)).toEqual(["hello"]);
    expect(await send(webPush.generateVAPIDKeys())).toBe(403);
  });

  it("a person's devices all get the message, which names who asks, the prompt and the hold's page", async () => {
    const { service, browsers, channel } = await setUp(2);
    await using _ = service;
    expect(await channel.deliver(notice())).toMatchObject({ kind: "sent" });
    for (const { received } of browsers)
      expect(received.map(({ message }) => JSON.parse(message))).toEqual([
        {
          ...{ title: "refunder asks", body: "Refund 40 EUR?", tag: "hold_7" },
          url: "https://h.example/console/holds/hold_7",
        },
      ]);
  });

  it("a message is kept for an offline phone no longer than the hold lasts, and replaces the one before", async () => {
    const { service, browsers, channel, clock } = await setUp();
    await using _ = service;
    await channel.deliver(notice({ expiresAt: clock.now() + 90_000 }));
    await channel.deliver(notice({ attempt: 2 }));
    const [first, second] = browsers[0]?.received ?? [];
    expect([first?.headers["ttl"], second?.headers["ttl"]]).toEqual(["90", "86400"]);
    expect(first?.headers["topic"]).toBe(second?.headers["topic"]);
    expect(JSON.parse(second?.message ?? "").title).toBe("Reminder 2: refunder asks");
  });

  it("the end of a hold replaces its notification without a sound, once on each device", async () => {
    const { service, browsers, channel } = await setUp();
    await using _ = service;
    await channel.deliver(notice());
    const url = "https://h.example/console/holds/hold_7";
    const closing = { id: "msg_2", workspace: "default", holdId: "hold_7", prompt: "Refund 40 EUR?", url };
    const ended = { ...closing, text: "Approved by Ada Lovelace.", recipients: ["lin", null] };
    expect(await channel.close?.(ended)).toMatchObject({ kind: "sent" });
    const [asked, closed, ...more] = browsers[0]?.received ?? [];
    expect(more).toEqual([]);
    expect(JSON.parse(closed?.message ?? "")).toEqual({
      ...{ title: "Approved by Ada Lovelace.", body: "Refund 40 EUR?", tag: "hold_7", url, silent: true },
    });
    expect(closed?.headers["topic"]).toBe(asked?.headers["topic"]);
  });

  it.each([404, 410])("a device is removed when its push service replies %i", async (status) => {
    const { service, channel, devices } = await setUp(2);
    await using _ = service;
    service.reply(status);
    expect(await channel.deliver(notice())).toMatchObject({
      kind: "failed",
      reason: `http_${status}`,
      retry: false,
    });
    expect(devices()).toEqual([]);
    expect(await channel.deliver(notice())).toEqual({ kind: "failed", reason: "no_device", retry: false });
  });

  it("a device that its push service no longer knows does not keep the message from the person's other devices", async () => {
    const { service, browsers, channel, devices } = await setUp(2);
    await using _ = service;
    service.unsubscribe(browsers[0]?.endpoint ?? "");
    expect(await channel.deliver(notice())).toMatchObject({ kind: "sent" });
    expect(browsers[1]?.received).toHaveLength(1);
    expect(devices().map(({ id }) => id)).toEqual(["d1"]);
  });

  it("a delivery waits as long as the push service asks", async () => {
    const { service, channel } = await setUp();
    await using _ = service;
    service.reply(429, { "retry-after": "30" });
    expect(await channel.deliver(notice())).toMatchObject({ retry: true, retryAfterMs: 30_000 });
  });

  it("a long prompt in any language fits into one message", async () => {
    const { service, browsers, channel } = await setUp();
    await using _ = service;
    const prompt = "\u{1F469}\u200D\u{1F680}".repeat(600);
    expect(await channel.deliver(notice({ prompt, askedBy: "\u{1F680}".repeat(500) }))).toMatchObject({
      kind: "sent",
    });
    expect(JSON.parse(browsers[0]?.received[0]?.message ?? "").body.endsWith("…")).toBe(true);
  });
});

import { describe, expect, test } from "vitest";
import { ADMIN, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import type { Draft } from "../draft.ts";
import { NO_PLATFORM } from "../platform.ts";
import { CHANNELS_MAX, platformWith } from "./server.ts";
import { type PutWebhookChannel, putWebhookChannel, removeWebhookChannel } from "./webhook-channel.ts";

const by = { by: ADMIN };
const ADDRESS = { url: "sealed-url", origin: "https://events.example.com" };
const CHANNEL: PutWebhookChannel["channel"] = {
  ...{ name: "pager", platform: "webhook", preset: "pagerduty", to: ["ops"] },
  ...{ address: ADDRESS, secret: "sealed-key" },
};
const { address: _address, secret: _secret, ...KEEPING } = CHANNEL;
const put = { kind: "put_webhook_channel", channel: CHANNEL } as const;
const remove = { kind: "remove_webhook_channel", name: "pager" } as const;
const connected = given().when(put, by).then("channel.connected");
const kept = (at: typeof connected) => at.get("webhook_channel", "pager");

describe("a webhook channel that is connected in the console", () => {
  test("an admin connects, changes and disconnects it; a change without an address keeps address and secret", () => {
    const row = { ...KEEPING, ...ADDRESS, secret: "sealed-key", madeAt: NOW };
    expect(kept(connected)).toEqual(row);
    const changed = connected
      .when({ ...put, channel: { ...KEEPING, to: [] } }, { ...by, now: NOW + 1 })
      .then("channel.changed");
    expect(kept(changed)).toEqual({ ...row, to: [] });
    const rotated = changed
      .when({ ...put, channel: { ...KEEPING, secret: "sealed-other" } }, by)
      .then("channel.changed");
    expect(kept(rotated)).toEqual({ ...row, secret: "sealed-other" });
    expect(kept(rotated.when(remove, by).then("channel.removed"))).toBeUndefined();
  });

  test("the log says who connected it and for which service, without address and secret (G9)", () => {
    const logged = { name: "pager", platform: "webhook", preset: "pagerduty" };
    expect(asLogged(connected.facts[0] as never, "default")?.data).toEqual(logged);
    const { preset: _preset, ...plain } = CHANNEL;
    const own = given()
      .when({ ...put, channel: plain }, by)
      .then("channel.connected");
    expect(asLogged(own.facts[0] as never, "default")?.data).toEqual({ name: "pager", platform: "webhook" });
  });

  test("its secret is not kept for another address, so that nobody gets it by writing another one", () => {
    const elsewhere = { ...KEEPING, address: { url: "sealed-thief", origin: "https://thief.example" } };
    connected.when({ ...put, channel: elsewhere }, by).refused("webhook_incomplete");
    const both = { ...elsewhere, secret: "sealed-new" };
    expect(kept(connected.when({ ...put, channel: both }, by).then("channel.changed"))).toMatchObject({
      ...{ url: "sealed-thief", secret: "sealed-new" },
    });
  });

  test("neither address nor secret is kept for another preset, and a new channel needs an address", () => {
    connected.when({ ...put, channel: { ...KEEPING, preset: "ntfy" } }, by).refused("webhook_incomplete");
    given()
      .when({ ...put, channel: KEEPING }, by)
      .refused("webhook_incomplete");
    const { secret: _none, ...bare } = { ...CHANNEL, preset: "ntfy" } as const;
    const changed = connected.when({ ...put, channel: bare }, by).then("channel.changed");
    expect(kept(changed)).not.toHaveProperty("secret");
  });

  test("a channel without a secret takes another address without one", () => {
    const { secret: _none, ...bare } = CHANNEL;
    const open = given()
      .when({ ...put, channel: bare }, by)
      .then("channel.connected");
    open
      .when({ ...put, channel: { ...bare, address: { ...ADDRESS, url: "sealed-2" } } }, by)
      .then("channel.changed");
  });

  test("it has no name that another channel has, a chat or mail server that was connected a moment ago included", () => {
    const notify = { allow: [], channels: { pager: [] } };
    given()
      .when(put, { ...by, platform: { ...NO_PLATFORM, notify } })
      .refused("already_exists");
    const chat = { name: "pager", platform: "telegram", to: [], isFull: true, token: "sealed" };
    const putChat = { kind: "put_chat_channel", channel: chat } as const;
    given().when(putChat, by).then("channel.connected").when(put, by).refused("already_exists");
    connected.when(putChat, by).refused("already_exists");
  });

  test("one channel more than a server has is refused, and one that is not there is not removed", () => {
    const names = Array.from({ length: CHANNELS_MAX }, (_, n) => [`chat-${n}`, []] as const);
    const notify = { allow: [], channels: Object.fromEntries(names) };
    given()
      .when(put, { ...by, platform: { ...NO_PLATFORM, notify } })
      .refused("too_many_channels");
    given().when(remove, by).refused("not_found");
  });

  test("an operator, a session that is not fresh and an admin of another workspace are refused", () => {
    const stale = { ...ADMIN, via: "session", signedInAt: NOW - 600_000 } as const;
    for (const command of [put, remove]) {
      connected.when(command, { by: OPERATOR }).refused("not_allowed");
      connected.when(command, { by: stale }).refused("fresh_sign_in_required");
    }
    const context = { now: NOW, platform: NO_PLATFORM } as Parameters<typeof putWebhookChannel>[2];
    const elsewhere = { workspace: "elsewhere", by: ADMIN };
    const refused = { ok: false, failure: { code: "not_allowed" } };
    expect(putWebhookChannel({ ...put, ...elsewhere }, {} as Draft, context)).toMatchObject(refused);
    expect(removeWebhookChannel({ ...remove, ...elsewhere }, {} as Draft, context)).toMatchObject(refused);
  });

  test("ladders find it by its name; one that closes alerts is told of endings, besides those of the configuration", () => {
    const notify = { allow: [], channels: { old: [] }, closing: ["old"] };
    const shown = [CHANNEL, { ...CHANNEL, name: "phone" }].map((one) => ({
      ...one,
      isClosing: one.name === "pager",
    }));
    expect(platformWith({ ...NO_PLATFORM, notify }, shown, {}).notify).toMatchObject({
      channels: { pager: ["ops"], phone: ["ops"] },
      kinds: { pager: "webhook", phone: "webhook" },
      closing: ["old", "pager"],
    });
  });
});

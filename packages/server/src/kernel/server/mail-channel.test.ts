import { describe, expect, test } from "vitest";
import { ADMIN, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import type { Draft } from "../draft.ts";
import { NO_PLATFORM } from "../platform.ts";
import { type MailChannel, putMailChannel, removeMailChannel } from "./mail-channel.ts";
import { CHANNELS_MAX, platformWith } from "./server.ts";

const by = { by: ADMIN };
const SERVER = { host: "smtp.example.com", port: 587, tls: "starttls", user: "holdpoint" } as const;
const CHANNEL: Omit<MailChannel, "madeAt"> = {
  ...{ name: "mail", platform: "email", ...SERVER, password: "sealed" },
  ...{ from: "holdpoint@example.com", to: ["team@example.com"] },
};
const { password: _password, ...KEEPING } = CHANNEL;
const { user: _user, ...OPEN } = KEEPING;
const put = { kind: "put_email_channel", channel: CHANNEL } as const;
const remove = { kind: "remove_email_channel", name: "mail" } as const;
const connected = given().when(put, by).then("channel.connected");

describe("an e-mail channel that is connected in the console", () => {
  test("an admin connects, changes and disconnects it; a change without a password keeps the password", () => {
    expect(connected.get("email_channel", "mail")).toEqual({ ...CHANNEL, madeAt: NOW });
    const changed = connected
      .when({ ...put, channel: { ...KEEPING, to: [] } }, { ...by, now: NOW + 1 })
      .then("channel.changed");
    expect(changed.get("email_channel", "mail")).toEqual({ ...CHANNEL, to: [], madeAt: NOW });
    const removed = changed.when(remove, by).then("channel.removed");
    expect(removed.get("email_channel", "mail")).toBeUndefined();
  });

  test("the log says who connected it, without host, address or password (G9)", () => {
    expect(asLogged(connected.facts[0] as never, "default")?.data).toEqual({
      name: "mail",
      platform: "email",
    });
  });

  test.each([
    ["host", { host: "smtp.thief.example" }],
    ["port", { port: 2525 }],
    ["encryption", { tls: "optional" }],
    ["user", { user: "other" }],
  ] as const)("its password is not kept for another %s", (_what, other) => {
    connected.when({ ...put, channel: { ...KEEPING, ...other } }, by).refused("mail_password_refused");
    connected.when({ ...put, channel: { ...CHANNEL, ...other } }, by).then("channel.changed");
  });

  test("a user without a password is refused, and without a user no password is kept", () => {
    given()
      .when({ ...put, channel: KEEPING }, by)
      .refused("mail_password_refused");
    const open = given()
      .when({ ...put, channel: { ...OPEN, password: "sealed" } }, by)
      .then("channel.connected");
    expect(open.get("email_channel", "mail")).toEqual({ ...OPEN, madeAt: NOW });
    const changed = connected.when({ ...put, channel: OPEN }, by).then("channel.changed");
    expect(changed.get("email_channel", "mail")).not.toHaveProperty("password");
  });

  test("it has no name that another channel has, a chat that another server connected a moment ago included", () => {
    const notify = { allow: [], channels: { mail: [] } };
    given()
      .when(put, { ...by, platform: { ...NO_PLATFORM, notify } })
      .refused("already_exists");
    const chat = { name: "mail", platform: "telegram", to: [], isFull: true, token: "sealed" };
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
    const context = { now: NOW, platform: NO_PLATFORM } as Parameters<typeof putMailChannel>[2];
    const elsewhere = { workspace: "elsewhere", by: ADMIN };
    const refused = { ok: false, failure: { code: "not_allowed" } };
    expect(putMailChannel({ ...put, ...elsewhere }, {} as Draft, context)).toMatchObject(refused);
    expect(removeMailChannel({ ...remove, ...elsewhere }, {} as Draft, context)).toMatchObject(refused);
  });

  test("ladders find it by its name, as a channel for e-mail with its usual recipient", () => {
    expect(platformWith(NO_PLATFORM, [CHANNEL], {}).notify).toMatchObject({
      ...{ channels: { mail: ["team@example.com"] }, kinds: { mail: "email" } },
    });
  });
});

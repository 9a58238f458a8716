import { describe, expect, test } from "vitest";
import { ADMIN, DEV, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import type { Draft } from "../draft.ts";
import { type BusinessHours, USUAL_HOURS } from "../hold/business-hours.ts";
import { NO_PLATFORM, type Platform } from "../platform.ts";
import { changeServer, putChannel, removeChannel } from "./decide.ts";
import { CHANNELS_MAX, type ChatChannel, isChannel, platformWith, SERVER_SETTINGS } from "./server.ts";

const CONFIGURED: Platform = {
  ...NO_PLATFORM,
  notify: { allow: ["ops@example.com"], channels: { mail: ["ops@example.com"] }, kinds: { mail: "email" } },
};
const CHANNEL = { name: "team", platform: "telegram", to: ["-1"], isFull: true, token: "sealed" };
const put = { kind: "put_chat_channel", channel: CHANNEL } as const;
const { token: _token, ...KEEPING } = CHANNEL;
const by = { by: ADMIN, platform: CONFIGURED };
const connected = given().when(put, by).then("channel.connected");

describe("a chat that is connected in the console", () => {
  test("an admin connects, changes and disconnects it; a change without a token keeps the tokens", () => {
    expect(connected.get("chat_channel", "team")).toEqual({ ...CHANNEL, madeAt: NOW });
    const slack = { ...CHANNEL, platform: "slack", appToken: "app" };
    const changed = given()
      .when({ ...put, channel: slack }, by)
      .then("channel.connected")
      .when({ ...put, channel: { ...KEEPING, platform: "slack", to: [] } }, { ...by, now: NOW + 1 })
      .then("channel.changed");
    expect(changed.get("chat_channel", "team")).toEqual({ ...slack, to: [], madeAt: NOW });
    const removed = connected.when({ kind: "remove_chat_channel", name: "team" }, by).then("channel.removed");
    expect(removed.get("chat_channel", "team")).toBeUndefined();
  });

  test("the log says who connected which chat, without its token (G9)", () => {
    const [fact] = connected.facts;
    expect(fact && asLogged(fact, "default")?.data).toEqual({ name: "team", platform: "telegram" });
  });

  test("a name of the configuration, a missing token and another platform under the same name are refused", () => {
    given()
      .when({ ...put, channel: { ...CHANNEL, name: "mail" } }, by)
      .refused("already_exists");
    given()
      .when({ ...put, channel: { ...CHANNEL, name: "console" } }, by)
      .refused("already_exists");
    given()
      .when({ ...put, channel: KEEPING }, by)
      .refused("token_refused");
    connected.when({ ...put, channel: { ...CHANNEL, platform: "discord" } }, by).refused("token_refused");
    given().when({ kind: "remove_chat_channel", name: "team" }, by).refused("not_found");
  });

  test("the hundredth channel is connected and changed, and one more is refused with what to do", () => {
    const names = Array.from({ length: CHANNELS_MAX }, (_, index) => [`chat-${index}`, []] as const);
    const having = (count: number) => ({
      ...{
        by: ADMIN,
        platform: {
          ...NO_PLATFORM,
          notify: { allow: [], channels: Object.fromEntries(names.slice(0, count)) },
        },
      },
    });
    given().when(put, having(CHANNELS_MAX)).refused("too_many_channels");
    const last = given()
      .when(put, having(CHANNELS_MAX - 1))
      .then("channel.connected");
    last.when({ ...put, channel: KEEPING }, having(CHANNELS_MAX)).then("channel.changed");
  });

  test("an operator and a session that is not fresh are refused", () => {
    given().when(put, { by: OPERATOR }).refused("not_allowed");
    const stale = { ...ADMIN, via: "session", signedInAt: NOW - 600_000 } as const;
    given().when(put, { by: stale }).refused("fresh_sign_in_required");
    given()
      .when(put, { by: { ...stale, signedInAt: NOW } })
      .then("channel.connected");
  });
});

describe("settings of the server", () => {
  const change = {
    kind: "change_server",
    patch: { maxOpenChecks: 5, notifyAllow: ["*@example.com"] },
  } as const;

  test("they are changed one by one, and null goes back to the configuration", () => {
    const changed = given().when(change, by).then("server.changed");
    const back = changed
      .when({ kind: "change_server", patch: { maxOpenChecks: null } }, by)
      .then("server.changed");
    expect(back.get("server_settings", SERVER_SETTINGS)).toEqual({ notifyAllow: ["*@example.com"] });
    expect(asLogged(changed.facts[0] as never, "default")?.data).toEqual({
      changed: { max_open_checks: 5, notify_allow: 1 },
      before: { max_open_checks: 100, notify_allow: null },
    });
    expect(asLogged(back.facts[0] as never, "default")?.data).toEqual({
      ...{ changed: { max_open_checks: null }, before: { max_open_checks: 5 } },
    });
  });

  test("the log says from what to what retention, inline answers, business hours and redaction changed", () => {
    const hours: BusinessHours = {
      ...USUAL_HOURS,
      timeZone: "Europe/Berlin",
      days: ["mon"],
      holidays: ["2026-12-25"],
    };
    const platform: Platform = { ...CONFIGURED, retainMs: "forever", inlineAnswers: true, redact: ["\\d+"] };
    const defaultChannel = "mail";
    const patch = { retainMs: 5, inlineAnswers: false, hours, redact: [], defaultChannel };
    const changed = given()
      .when({ kind: "change_server", patch }, { by: ADMIN, platform })
      .then("server.changed");
    const logged = { time_zone: "Europe/Berlin", days: ["mon"], opens_at: 540, closes_at: 1020 };
    expect(asLogged(changed.facts[0] as never, "default")?.data).toEqual({
      changed: {
        ...{ retention_ms: 5, inline_answers: false, redact: [], default_channel: "mail" },
        hours: { ...logged, holidays: ["2026-12-25"] },
      },
      before: {
        ...{ retention_ms: "forever", inline_answers: true, redact: ["\\d+"], default_channel: null },
        hours: null,
      },
    });
    const usual = { ...platform, notify: { ...platform.notify, defaultChannel: "push" } };
    const other = given().when(
      { kind: "change_server", patch: { defaultChannel } },
      { by: ADMIN, platform: usual },
    );
    expect(asLogged(other.then("server.changed").facts[0] as never, "default")?.data).toMatchObject({
      before: { default_channel: "push" },
    });
  });

  test("an operator and a session that is not fresh change none of them", () => {
    const loosened = {
      kind: "change_server",
      patch: { redact: [], retainMs: 1, inlineAnswers: true },
    } as const;
    given().when(loosened, { by: OPERATOR }).refused("not_allowed");
    const stale = { ...ADMIN, via: "session", signedInAt: NOW - 600_000 } as const;
    given().when(loosened, { by: stale }).refused("fresh_sign_in_required");
  });

  test("a change for another version than the present one is refused", () => {
    given()
      .when({ ...change, ifVersion: 1 }, by)
      .refused("precondition_failed");
    const changed = given()
      .when({ ...change, ifVersion: 0 }, by)
      .then("server.changed");
    changed.when({ ...change, ifVersion: 0 }, by).refused("precondition_failed");
    const patch = { maxOpenChecks: 6 };
    changed.when({ kind: "change_server", patch, ifVersion: 1 }, by).then("server.changed");
  });

  test("the same value again is not on record", () => {
    given().when(change, by).then("server.changed").when(change, by).then();
  });

  test("the usual channel must exist", () => {
    const to = (defaultChannel: string) =>
      given().when({ kind: "change_server", patch: { defaultChannel } }, by);
    to("pigeon").refused("unknown_channel");
    for (const name of ["mail", "push", "console"]) to(name).then("server.changed");
    const set = to("mail").then("server.changed");
    const patch = { defaultChannel: "mail", maxOpenChecks: 3 };
    const without = { ...by, platform: NO_PLATFORM };
    set.when({ kind: "change_server", patch }, without).then("server.changed");
  });
});

test("admins of another workspace change nothing of the server", () => {
  const elsewhere = { workspace: "elsewhere", by: DEV };
  const context = { now: NOW, platform: CONFIGURED } as Parameters<typeof putChannel>[2];
  const draft = {} as Draft;
  const replies = [
    putChannel({ ...put, ...elsewhere }, draft, context),
    removeChannel({ kind: "remove_chat_channel", name: "team", ...elsewhere }, draft, context),
    changeServer({ kind: "change_server", patch: {}, ...elsewhere }, draft, context),
  ];
  for (const reply of replies) expect(reply).toMatchObject({ ok: false, failure: { code: "not_allowed" } });
});

describe("what counts", () => {
  const channel: ChatChannel = { ...CHANNEL, madeAt: 0 };

  test("connected chats and changed settings are laid over the configuration", () => {
    const platform = platformWith(CONFIGURED, [channel], {
      ...{ maxOpenChecks: 5, notifyAllow: ["lin"], defaultChannel: "team" },
    });
    expect(platform).toMatchObject({
      ...{ maxOpenChecks: 5, agentLinks: CONFIGURED.agentLinks },
      notify: {
        allow: ["ops@example.com", "lin"],
        channels: { mail: ["ops@example.com"], team: ["-1"] },
        kinds: { mail: "email", team: "telegram" },
        defaultChannel: "team",
      },
    });
    expect(platformWith(CONFIGURED, [], {})).toMatchObject(CONFIGURED);
  });

  test("a channel of the configuration keeps its name, and a usual channel that is gone does not count", () => {
    const platform = platformWith(CONFIGURED, [{ ...channel, name: "mail" }], { defaultChannel: "team" });
    expect(platform.notify.kinds).toEqual({ mail: "email" });
    expect(platform.notify.defaultChannel).toBeUndefined();
    expect(isChannel("team", platform)).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { telegramPlatform } from "../../channels/telegram/platform.ts";
import { NO_PLATFORM } from "../../kernel/platform.ts";
import type { Store } from "../../store/port.ts";
import { sealerOf } from "../../system/sealing.ts";
import { TelegramFake } from "../../testing/chat/telegram-fake.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Receiver } from "../../testing/receiver.ts";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, type TestServerOptions, testServer } from "../../testing/test-server.ts";
import { storeUnderTest } from "../../testing/test-store.ts";

const GROUP = -1001;
let fake: TelegramFake;
let clock: ManualClock;

beforeEach(async () => {
  clock = new ManualClock({ startAt: Date.parse("2026-01-05T10:00:00Z") });
  fake = await TelegramFake.start({ now: () => clock.now() });
});
afterEach(() => fake[Symbol.asyncDispose]());

function server(options: TestServerOptions = {}): Promise<TestServer> {
  const chatPlatforms: TestServerOptions["chatPlatforms"] = {
    telegram: (parts) => telegramPlatform({ ...parts, apiUrl: fake.origin }),
  };
  return testServer({ clock, chatPlatforms, sealer: sealerOf("key"), ...options });
}

const chat = () => fake.supergroup(GROUP, "Finance", [fake.user(1, "Ada")]);
const body = (more: object = {}) => ({
  ...{ platform: "telegram", token: fake.token, to: [String(GROUP)], show: "full" },
  ...more,
});
const asAdmin = (at: TestServer) => ({ key: at.keys.admin });

async function connect(at: TestServer, more: object = {}) {
  return at.call("PUT", "/v1/channels/team", { ...asAdmin(at), body: body(more) });
}

/** As a database is that several servers use, which says when another one has committed something. */
function shared(store: Store, hints: (() => void)[]): Store {
  const watch: Store["shared"]["watch"] = (onMore) => {
    hints.push(onMore);
    return store.shared.watch(onMore);
  };
  const more = laidOver(store.shared, { hasOthers: true, lookMs: 60_000, watch });
  return laidOver(store, { shared: more });
}

/** Methods of a class are not copied with its members, and keep their object. */
function laidOver<Target extends object>(below: Target, more: Partial<Target>): Target {
  return new Proxy(below, {
    get(target, name) {
      if (Object.hasOwn(more, name)) return Reflect.get(more, name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

describe("connecting a bot by its token", () => {
  it("the bot listens at once, and its messages reach the chat", async () => {
    await using at = await server();
    const group = chat();
    const connected = await connect(at);
    expect(connected).toMatchObject({
      status: 200,
      body: { name: "team", bot: fake.bot.username, source: "console", to: [String(GROUP)], show: "full" },
    });
    await at.call("PATCH", "/v1/settings", { ...asAdmin(at), body: { default_channel: "team" } });
    const hold = { type: "approval", prompt: "Refund 40 EUR?", links: "server" };
    await at.call("POST", "/v1/holds", { key: at.keys.agent, body: hold });
    await fake.until(() => fake.fromBot(group).length === 1);
    expect(fake.fromBot(group)[0]?.text).toContain("Refund 40 EUR?");
  });

  it("the token is in no reply, no event and no row in clear", async () => {
    const { store } = await storeUnderTest(clock);
    await using at = await server({ store });
    chat();
    const replies = [await connect(at), await at.call("GET", "/v1/channels", asAdmin(at))];
    const events = await store.events({ after: 0, limit: 1_000 });
    const rows = await store.query({ workspace: "default", kind: "chat_channel", limit: 10 });
    expect(rows).toHaveLength(1);
    expect(events.some(({ type }) => type === "channel.connected")).toBe(true);
    expect(JSON.stringify([replies, events, rows, at.log])).not.toContain(fake.token);
  });

  it("a token that the platform refuses is not kept", async () => {
    await using at = await server();
    const refused = await connect(at, { token: "123456:not-this-one" });
    expect(refused).toMatchObject({ status: 422, body: { code: "token_refused" } });
    expect(JSON.stringify(refused.body)).not.toContain("not-this-one");
    expect((await at.call("GET", "/v1/channels", asAdmin(at))).body.channels).toEqual([]);
  });

  it("Slack needs its app-level token too, and takes neither token untried", async () => {
    await using at = await server();
    expect((await connect(at, { platform: "slack" })).body).toMatchObject({ code: "token_refused" });
    const alone = { platform: "slack", app_token: "xapp-1-not-tried" };
    const refused = await at.call("PUT", "/v1/channels/team", { ...asAdmin(at), body: alone });
    expect(refused.body).toMatchObject({ code: "token_refused", detail: expect.stringContaining("both") });
  });

  it("an admin of another workspace is refused before the platform is asked about the token", async () => {
    await using at = await server();
    const asked = fake.calls.length;
    const refused = await at.call("PUT", "/v1/channels/team", { key: at.keys.elsewhere, body: body() });
    expect(refused).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    expect(fake.calls).toHaveLength(asked);
  });

  it("a channel is not changed in the console once the configuration has its name, and can still be removed there", async () => {
    const data = await storeUnderTest(clock);
    const first = await server({ store: data.store });
    chat();
    await connect(first);
    await first[Symbol.asyncDispose]();
    const { notify } = NO_PLATFORM;
    const platform = {
      ...NO_PLATFORM,
      notify: { ...notify, channels: { team: [] }, kinds: { team: "webhook" } },
    };
    await using second = await server({ store: (await data.again()).store, platform });
    expect((await connect(second)).body).toMatchObject({ code: "already_exists" });
    const remove = () => second.call("DELETE", "/v1/channels/team", asAdmin(second));
    expect(await remove()).toMatchObject({ status: 200, body: { platform: "telegram", source: "console" } });
    expect((await remove()).status).toBe(404);
  });

  it("the 101st channel is refused with what to do, and the ones before it work", async () => {
    await using at = await server();
    chat();
    const put = (index: number) =>
      at.call("PUT", `/v1/channels/bot-${index}`, { ...asAdmin(at), body: body() });
    for (let index = 0; index < 100; index += 1) expect((await put(index)).status).toBe(200);
    expect(await put(100)).toMatchObject({
      ...{
        status: 409,
        body: { code: "too_many_channels", detail: expect.stringContaining("disconnect one") },
      },
    });
    await at.call("DELETE", "/v1/channels/bot-7", asAdmin(at));
    expect((await put(100)).status).toBe(200);
  });

  it("a name that every object has is a name like any other", async () => {
    await using at = await server();
    chat();
    const connected = await at.call("PUT", "/v1/channels/constructor", { ...asAdmin(at), body: body() });
    expect(connected).toMatchObject({ status: 200, body: { name: "constructor", bot: fake.bot.username } });
  });

  it("after a restart the bot is there again, and a server with another key says that it cannot read the token", async () => {
    const data = await storeUnderTest(clock);
    const first = await server({ store: data.store });
    chat();
    await connect(first);
    await first[Symbol.asyncDispose]();
    const again = await data.again();
    const second = await server({ store: again.store });
    const listed = await second.call("GET", "/v1/channels", asAdmin(second));
    expect(listed.body.channels).toMatchObject([{ name: "team", bot: fake.bot.username, source: "console" }]);
    await second[Symbol.asyncDispose]();
    const last = await data.again();
    await using third = await server({ store: last.store, sealer: sealerOf("another") });
    await clock.advance(0);
    const broken = await third.call("GET", "/v1/channels", asAdmin(third));
    expect(broken.body.channels).toMatchObject([{ state: "failed", reason: "secret_key_differs" }]);
  });

  it("a new token replaces the old one without a new connection of the others, and removing ends the bot", async () => {
    await using at = await server();
    chat();
    await connect(at);
    const changed = await at.call("PUT", "/v1/channels/team", {
      ...asAdmin(at),
      body: { platform: "telegram", to: [] },
    });
    expect(changed.body).toMatchObject({ to: [], show: "prompt", bot: fake.bot.username });
    const removed = await at.call("DELETE", "/v1/channels/team", asAdmin(at));
    expect(removed).toMatchObject({ status: 200, body: { name: "team" } });
    expect((await at.call("GET", "/v1/channels", asAdmin(at))).body.channels).toEqual([]);
  });
});

describe("the first test message", () => {
  it("goes to the linked account of the admin, who presses its button", async () => {
    await using at = await server();
    const ada = fake.user(1, "Ada");
    const direct = fake.privateChat(ada);
    await connect(at);
    const session = await signedInPerson(at, "lin", "admin");
    await at.call("POST", "/v1/people", { ...asAdmin(at), body: { id: "lin", name: "Lin", role: "admin" } });
    const account = { platform: "telegram", user_id: "1" };
    await at.call("POST", "/v1/people/lin/accounts", { ...asAdmin(at), body: account });
    await at.server.sender.idle();
    const told = fake.fromBot(direct).length;
    const sent = await session.call("POST", "/v1/channels/team/test");
    expect(sent).toMatchObject({ status: 201, body: { to: "person:lin" } });
    await fake.until(() => fake.fromBot(direct).length > told);
    const message = fake.fromBot(direct).at(-1);
    expect(message?.text).toContain("Does this button work?");
    const press = fake.press(ada, message as never, "Confirm");
    await fake.answered(press);
    const hold = await at.call("GET", `/v1/holds/${sent.body.hold_id}`, asAdmin(at));
    expect(hold.body).toMatchObject({ status: "decided", outcome: { by: { name: "lin" } } });
  });

  it("goes to the chat of the channel otherwise, and is refused where there is none", async () => {
    await using at = await server();
    const group = chat();
    await connect(at);
    const sent = await at.call("POST", "/v1/channels/team/test", asAdmin(at));
    expect(sent.body).toMatchObject({ to: String(GROUP) });
    await fake.until(() => fake.fromBot(group).length === 1);
    await connect(at, { to: [] });
    const refused = await at.call("POST", "/v1/channels/team/test", asAdmin(at));
    expect(refused).toMatchObject({ status: 409, body: { code: "nobody_to_ask" } });
  });
});

describe("settings of the server", () => {
  it("a change counts at once, survives a restart, and null goes back to the configuration", async () => {
    const data = await storeUnderTest(clock);
    const first = await server({ store: data.store });
    const changes = {
      max_open_checks: 7,
      grant_max: "2h",
      notify_allow: ["*@example.com"],
      file_quota_mb: 5,
    };
    const changed = await first.call("PATCH", "/v1/settings", { ...asAdmin(first), body: changes });
    expect(changed.body.changed).toEqual(changes);
    expect(first.server.engine.platform).toMatchObject({
      ...{ maxOpenChecks: 7, grantMaxMs: 7_200_000, fileBytesMax: 5 * 1024 * 1024 },
      notify: { allow: ["*@example.com"] },
    });
    await first[Symbol.asyncDispose]();
    const again = await data.again();
    await using second = await server({ store: again.store });
    expect(second.server.engine.platform.maxOpenChecks).toBe(7);
    expect(second.log).toMatchObject([
      { level: "warn", message: expect.stringContaining("max_open_checks") },
    ]);
    const back = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
    const reset = await second.call("PATCH", "/v1/settings", { ...asAdmin(second), body: back });
    expect(reset.body).toMatchObject({ changed: {}, configured: { max_open_checks: 100, grant_max: "7d" } });
    expect(second.server.engine.platform.maxOpenChecks).toBe(100);
  });

  it("a server that cannot read what was changed does not start with the configuration alone", async () => {
    const { store } = await storeUnderTest(clock);
    const broken = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return async (...given: readonly unknown[]) => {
          if (JSON.stringify(given).includes("server_settings")) throw new Error("the disk is gone");
          return member.apply(target, given);
        };
      },
    });
    await expect(server({ store: broken })).rejects.toThrow("the disk is gone");
  });

  it("another server that shares the database follows within five seconds", async () => {
    const data = await storeUnderTest(clock);
    await using one = await server({ store: data.store });
    const hints: (() => void)[] = [];
    await using other = await server({ store: shared((await data.again()).store, hints) });
    await one.call("PATCH", "/v1/settings", { ...asAdmin(one), body: { max_open_checks: 7 } });
    for (const hint of hints) hint();
    expect(other.server.engine.platform.maxOpenChecks).toBe(100);
    await clock.advance(5_000);
    await vi.waitFor(() => expect(other.server.engine.platform.maxOpenChecks).toBe(7));
  });

  it("another server that shares the database sends by a webhook within five seconds after it was connected", async () => {
    await using receiver = await Receiver.start();
    const data = await storeUnderTest(clock);
    await using one = await server({ store: data.store });
    const hints: (() => void)[] = [];
    await using other = await server({ store: shared((await data.again()).store, hints) });
    const hook = { platform: "webhook", url: receiver.url("/") };
    await one.call("PUT", "/v1/channels/hook", { ...asAdmin(one), body: hook });
    for (const hint of hints) hint();
    await clock.advance(5_000);
    const names = async () =>
      (await other.call("GET", "/v1/channels", asAdmin(other))).body.channels.map(
        ({ name }: { name: string }) => name,
      );
    await vi.waitFor(async () => expect(await names()).toEqual(["hook"]));
    await other.call("POST", "/v1/channels/hook/test", asAdmin(other));
    await other.server.sender.idle();
    await receiver.received(2);
  });

  it("admins of another workspace neither see nor change them", async () => {
    await using at = await server();
    const key = at.keys.elsewhere;
    expect((await at.call("GET", "/v1/settings", { key })).status).toBe(403);
    expect((await at.call("PATCH", "/v1/settings", { key, body: { max_open_checks: 1 } })).status).toBe(403);
  });
});

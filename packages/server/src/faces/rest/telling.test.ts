import { describe, expect, it } from "vitest";
import type { Channel, Notice, PersonalLetter } from "../../channels/channel.ts";
import { messageAbout } from "../../kernel/message.ts";
import type { SealedEvent } from "../../kernel/record.ts";
import { seedPeople } from "../../people-seed.ts";
import type { ServerOptions } from "../../server.ts";
import { ADMIN } from "../../testing/core-samples.ts";
import { testServer } from "../../testing/test-server.ts";

async function telling(options: Partial<ServerOptions> = {}) {
  const notices: Notice[] = [];
  const email: Channel = {
    kind: "fake",
    deliver: async (notice) => {
      notices.push(notice);
      return { kind: "sent" };
    },
  };
  const test = await testServer({ channels: { email }, ...options });
  const place = async (body: object) => {
    const ask = { type: "approval", prompt: "Pay card 4111 1111 1111 1111?", links: "server" };
    const reply = await test.call("POST", "/v1/holds", { key: test.keys.agent, body: { ...ask, ...body } });
    await test.server.sender.idle();
    return reply.body;
  };
  return { test, notices, place };
}

const usual = { notify: { allow: [], channels: { email: ["ada", "ben"] } } };
const AT_ONCE = [{ after: "0s", channel: "email" }];

describe("notifying people of the workspace", () => {
  it("each member of a team gets a link of their own, and a vote by it counts for that member", async () => {
    const { test, notices, place } = await telling({
      platform: { notify: { allow: [], channels: {}, defaultChannel: "email" } },
    });
    await using _server = test;
    const people = { ada: { email: "ada@example.com" }, ben: {} };
    await seedPeople(test.server.engine, { people, teams: { finance: { members: ["ada", "ben"] } } });
    const decision = { approve: [{ need: 2, from: ["team:finance"] }], strength: "link" };
    const hold = await place({ decision });
    expect(notices.map(({ recipient }) => recipient)).toEqual(["ada@example.com", "ben"]);
    for (const { reviewUrl } of notices) {
      const form = new URLSearchParams({ _action: "approve" });
      const url = (reviewUrl ?? "").replace("?", "/answer?");
      expect((await test.server.app.request(url, { method: "POST", body: form })).status).toBe(303);
    }
    const { body } = await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.operator });
    expect(body).toMatchObject({ status: "decided", votes: [{ person: "ada" }, { person: "ben" }] });
    const lost = await place({ ladder: [{ after: "0s", channel: "email", to: "team:none" }] });
    const path = `/v1/deliveries?hold_id=${lost.id}`;
    const { body: failed } = await test.call("GET", path, { key: test.keys.operator });
    expect(failed.deliveries).toMatchObject([{ state: "failed", to: "team:none" }]);
  });
});

describe("the link in a notification", () => {
  it("a link that was mailed to a person is refused once the person is erased", async () => {
    const { test, notices, place } = await telling();
    await using _server = test;
    await seedPeople(test.server.engine, { people: { ada: { email: "ada@example.com" } } });
    await place({ ladder: [{ after: "0s", channel: "email", to: "person:ada" }] });
    const [notice] = notices;
    expect(notice).toMatchObject({ recipient: "ada@example.com" });
    const opens = async () => (await test.server.app.request(notice?.reviewUrl ?? "")).status;
    expect(await opens()).toBe(200);
    await test.call("POST", "/v1/people/ada/erase", { key: test.keys.admin });
    expect(await opens()).toBe(401);
  });
});

describe("notifying people on call", () => {
  const rotas = {
    ops: { kind: "rotation", people: ["ada"], everyMs: 1_000, from: 0 },
    broken: { kind: "ical", file: "/nowhere/rota.ics" },
  } as const;

  it("the person on call is looked up when the rung fires, an absent person's delegate is notified instead, and a failure is visible", async () => {
    const { test, notices, place } = await telling({ rotas });
    await using _server = test;
    await seedPeople(test.server.engine, { people: { ada: { email: "ada@example.com" }, ben: {} } });
    const to = (rota: string) => ({ ladder: [{ after: "0s", channel: "email", to: `oncall:${rota}` }] });
    await place(to("ops"));
    const away = { from: "2000-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z", delegate: "ben" };
    await test.call("PATCH", "/v1/people/ada", { key: test.keys.admin, body: { out_of_office: away } });
    await place(to("ops"));
    expect(notices.map(({ recipient }) => recipient)).toEqual(["ada@example.com", "ben"]);
    for (const rota of ["broken", "unknown"]) {
      const { id } = await place(to(rota));
      const { body } = await test.call("GET", `/v1/deliveries?hold_id=${id}`, { key: test.keys.operator });
      expect(body.deliveries).toMatchObject([{ state: "failed", to: `oncall:${rota}` }]);
    }
  });

  it("a ladder can count business hours, and an invalid time is refused", async () => {
    const { test, place } = await telling();
    await using _server = test;
    const hold = await place({ ladder: [{ after: "2h business", channel: "email" }] });
    const placedAt = Date.parse(hold.created_at);
    expect(Date.parse(hold.ladder[0].at)).toBeGreaterThanOrEqual(placedAt + 7_200_000);
    const wrong = await place({ ladder: [{ after: "soon business", channel: "email" }] });
    expect(wrong).toMatchObject({ code: "invalid_body" });
  });
});

describe("notifications", () => {
  it("each recipient gets a link of their own, and the answer names the recipient of its link", async () => {
    const { test, notices, place } = await telling({ platform: usual });
    await using _server = test;
    const hold = await place({ ladder: AT_ONCE });
    expect(notices.map(({ recipient }) => recipient)).toEqual(["ada", "ben"]);
    const [ada, ben] = notices.map(({ reviewUrl }) => reviewUrl);
    expect(ada).not.toBe(ben);
    for (const url of [ada, ben]) expect((await test.server.app.request(url ?? "")).status).toBe(200);
    const { body } = await test.call("GET", `/v1/deliveries?hold_id=${hold.id}`, { key: test.keys.operator });
    expect(body.deliveries.map((each: { to: string; state: string }) => [each.to, each.state])).toEqual([
      ["ben", "sent"],
      ["ada", "sent"],
    ]);
  });

  it("OI-126 a notification leaves out what the operator's patterns match, and the record keeps it", async () => {
    const { test, notices, place } = await telling({ platform: usual, redact: ["\\d{4}( \\d{4}){3}"] });
    await using _server = test;
    const hold = await place({ ladder: AT_ONCE });
    expect(notices[0]?.prompt).toBe("Pay card [redacted]?");
    expect(hold.prompt).toBe("Pay card 4111 1111 1111 1111?");
  });

  it("a notification that names no channel goes through the default channel", async () => {
    const notify = { ...usual.notify, defaultChannel: "email" };
    const { test, notices, place } = await telling({ platform: { ...usual, notify } });
    await using _server = test;
    await place({});
    expect(notices.map(({ attempt }) => attempt)).toEqual([1, 1]);
    await place({ links: "agent" });
    expect(notices, "the agent hands its link on by itself").toHaveLength(2);
    await place({ links: "agent", remind_at: ["10m"] });
    await test.clock.advance(600_000);
    await test.server.sender.idle();
    expect(notices, "a reminder reaches people too").toHaveLength(4);
  });

  it("a notification in the console is recorded on the hold, without a link", async () => {
    const { test, place } = await telling();
    await using _server = test;
    const { id } = await place({ ladder: [{ after: "0s", channel: "console" }] });
    const { body: hold } = await test.call("GET", `/v1/holds/${id}`, { key: test.keys.operator });
    expect(hold.notified_at).toBeDefined();
    const { body } = await test.call("GET", `/v1/holds/${id}/events`, { key: test.keys.operator });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual(["hold.placed", "hold.notified"]);
    expect(await test.store.query({ workspace: "default", kind: "link", limit: 10 })).toEqual([]);
  });

  it("a notification in the console is withdrawn once somebody has answered", async () => {
    const { test, place } = await telling();
    await using _server = test;
    const { id } = await place({ ladder: [{ after: "1m", channel: "console" }] });
    await test.call("POST", `/v1/holds/${id}/cancel`, { key: test.keys.operator });
    await test.clock.advance(120_000);
    const { body } = await test.call("GET", `/v1/deliveries?hold_id=${id}`, { key: test.keys.operator });
    expect(body.deliveries).toEqual([]);
  });
});

describe("telling a person which account an admin linked to them", () => {
  const account = (userId: string) => ({ platform: "telegram", userId });
  const linking = async () => {
    const letters: PersonalLetter[] = [];
    const email: Channel = {
      kind: "email",
      deliver: async () => ({ kind: "sent" }),
      tell: async (letter) => {
        letters.push(letter);
        return { kind: "sent" };
      },
    };
    const notify = { allow: [], channels: { email: [] }, kinds: { email: "email" } };
    const test = await testServer({ channels: { email }, platform: { notify } });
    const body = { id: "ada", name: "Ada", email: "ada@example.com" };
    await test.call("POST", "/v1/people", { key: test.keys.admin, body });
    const { engine, sender } = test.server;
    const run = (kind: "link_account" | "unlink_account", userId: string) =>
      engine.run({ kind, workspace: "default", by: ADMIN, personId: "ada", account: account(userId) });
    const texts = async () => {
      sender.wake();
      await sender.idle();
      return letters.map(({ text }) => text);
    };
    return { test, run, texts };
  };

  it("two accounts that are linked in one batch are named in one letter each", async () => {
    const { test, run, texts } = await linking();
    await using _server = test;
    await Promise.all([run("link_account", "1"), run("link_account", "2")]);
    const linked = (userId: string) =>
      `(key:root) linked the telegram account ${userId} to you: answers from it count`;
    expect((await texts()).toSorted()).toEqual([
      expect.stringContaining(linked("1")),
      expect.stringContaining(linked("2")),
    ]);
  });

  it("an account that was unlinked before the letter is sent is named too", async () => {
    const { test, run, texts } = await linking();
    await using _server = test;
    await Promise.all([run("link_account", "1"), run("unlink_account", "1")]);
    const text = "(key:root) linked the telegram account 1 to you: answers from it counted as yours until";
    expect(await texts()).toEqual([expect.stringContaining(text)]);
  });

  it("a message of an earlier version, which names no account, is about the last one", async () => {
    const { test, run, texts } = await linking();
    await using _server = test;
    await run("link_account", "1");
    expect(await texts()).toHaveLength(1);
    const event = { ...EVENT, at: test.clock.now() };
    const detail = { person: "ada", about: "account_linked" };
    const row = { ...messageAbout(event, "ada", "tell", "email", "email", detail), holdId: null };
    const batch = await test.store.begin();
    await batch.commit({ puts: [], events: [], timers: [], outbox: [row] });
    const [, text] = await texts();
    expect(text).toContain("linked the telegram account 1 to you");
  });
});

const EVENT: SealedEvent = {
  ...{ workspace: "default", stream: "person:ada", seq: 99, type: "person.account_linked", at: 0 },
  ...{ actor: "key:root", audience: null, data: "{}", previous: "", hash: "" },
};

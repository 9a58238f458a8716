import { describe, expect, it } from "vitest";
import type { Notice } from "../../channels/channel.ts";
import { ROTAS_MAX } from "../../kernel/server/rota.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestServer, type TestServerOptions, testServer } from "../../testing/test-server.ts";
import { storeUnderTest } from "../../testing/test-store.ts";

const START = "2026-03-02T08:00:00.000Z";
const WEEK_MS = 7 * 86_400_000;
const ROTATION = { people: ["lin", "kay@example.com"], every: "7d", from: START };
const CALENDAR = "BEGIN:VEVENT\nDTSTART:20260302T080000Z\nDTEND:20260309T080000Z\nSUMMARY:lin\nEND:VEVENT";

const ICAL = { kind: "calendar", text: CALENDAR } as const;

async function setUp(options: TestServerOptions = {}) {
  const notices: Notice[] = [];
  const deliver = async (notice: Notice) => {
    notices.push(notice);
    return { kind: "sent" } as const;
  };
  const clock = new ManualClock({ startAt: Date.parse(START) });
  const at = await testServer({
    ...{ clock, channels: { mail: { kind: "email", deliver } } },
    platform: { notify: { allow: [], channels: { mail: [] } } },
    ...options,
  });
  for (const [id, name] of [
    ["lin", "Lin Wu"],
    ["kay", "Kay Poe"],
  ] as const)
    await at.call("POST", "/v1/people", { ...admin(at), body: { id, name, email: `${id}@example.com` } });
  return { at, notices, clock };
}

const admin = (at: TestServer) => ({ key: at.keys.admin });
const put = (at: TestServer, body: unknown, name = "ops") =>
  at.call("PUT", `/v1/oncall/${name}`, { ...admin(at), body });
const rotas = async (at: TestServer, key = at.keys.operator) =>
  (await at.call("GET", "/v1/oncall", { key })).body.rotas;

async function ask(at: TestServer): Promise<void> {
  const body = {
    type: "approval",
    prompt: "Deploy?",
    ladder: [{ after: "0s", channel: "mail", to: "oncall:ops" }],
  };
  expect((await at.call("POST", "/v1/holds", { key: at.keys.agent, body })).status).toBe(201);
  await at.server.sender.idle();
}

describe("rotas in the console", () => {
  it("of many that are added at once only as many are taken as there may be, and the others are refused with a code", async () => {
    const some = Array.from({ length: ROTAS_MAX - 2 }, (_, n) => [`r${n}`, ICAL] as const);
    const { at } = await setUp({ rotas: Object.fromEntries(some) });
    const all = await Promise.all(["a", "b", "c", "d"].map((name) => put(at, ROTATION, name)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 409, 409]);
    expect(all[3]?.body).toMatchObject({ code: "too_many_rotas" });
    await at[Symbol.asyncDispose]();
  });

  it("a new rota says who is on call now and next, and counts for the next notification without a restart", async () => {
    const { at, notices, clock } = await setUp();
    await using _at = at;
    const added = await put(at, ROTATION);
    const change = new Date(Date.parse(START) + WEEK_MS).toISOString();
    expect(added).toMatchObject({ status: 200 });
    expect(added.body).toEqual({
      ...{ name: "ops", source: "console", is_configured: false, ...ROTATION },
      now: { who: "lin", name: "Lin Wu", until: change },
      next: { who: "kay@example.com", name: "Kay Poe", from: change },
    });
    await ask(at);
    await clock.advance(WEEK_MS);
    await ask(at);
    expect(notices.map(({ recipient }) => recipient)).toEqual(["lin@example.com", "kay@example.com"]);
    expect(await rotas(at)).toMatchObject([{ now: { who: "kay@example.com" }, next: { who: "lin" } }]);
  });

  it("somebody who is not a person here is shown without a name, because nobody would be told", async () => {
    const { at } = await setUp();
    await using _at = at;
    const { body } = await put(at, { ...ROTATION, people: ["nobody"] });
    expect(body.now).toEqual({ who: "nobody", until: expect.any(String) });
  });

  it("a rota of the configuration is changed here, and removing the change goes back to it", async () => {
    const people = ["kay"];
    const configured = { kind: "rotation", people, everyMs: WEEK_MS, from: Date.parse(START) } as const;
    const { at } = await setUp({ rotas: { ops: configured } });
    await using _at = at;
    expect(await rotas(at)).toMatchObject([{ source: "config", is_configured: true, people: ["kay"] }]);
    expect((await put(at, { calendar: CALENDAR })).body).toMatchObject({
      ...{ source: "console", is_configured: true, calendar: CALENDAR },
      now: { name: "Lin Wu" },
    });
    const removed = await at.call("DELETE", "/v1/oncall/ops", admin(at));
    expect(removed).toMatchObject({ status: 200, body: { source: "console" } });
    expect(await rotas(at)).toMatchObject([{ source: "config", people: ["kay"] }]);
    expect((await at.call("DELETE", "/v1/oncall/ops", admin(at))).status).toBe(404);
  });

  it("a calendar file of the configuration that cannot be read says so", async () => {
    const { at } = await setUp({ rotas: { ops: { kind: "ical", file: "/nonexistent/ops.ics" } } });
    await using _at = at;
    expect(await rotas(at)).toEqual([
      { name: "ops", source: "config", is_configured: true, reason: "unreadable" },
    ]);
  });

  it("a rota survives a restart", async () => {
    const clock = new ManualClock({ startAt: Date.parse(START) });
    const data = await storeUnderTest(clock);
    const first = await testServer({ clock, store: data.store });
    await put(first, ROTATION);
    await first[Symbol.asyncDispose]();
    await using second = await testServer({ clock, store: (await data.again()).store });
    expect(await rotas(second)).toMatchObject([{ name: "ops", source: "console", ...ROTATION }]);
  });

  it.each([
    ["nobody at all", { ...ROTATION, people: [] }],
    ["turns without length", { ...ROTATION, every: "0s" }],
    ["a span that is none", { ...ROTATION, every: "weekly" }],
    ["a calendar without an event that can be read", { calendar: "BEGIN:VCALENDAR" }],
    ["a file of the machine", { ical: "/etc/passwd" }],
  ])("a rota with %s is refused", async (_what, body) => {
    const { at } = await setUp();
    await using _at = at;
    expect((await put(at, body)).body).toMatchObject({ code: "invalid_body" });
    expect(await rotas(at)).toEqual([]);
  });

  it("admins of another workspace neither see nor change them, and operators do not change them", async () => {
    const { at } = await setUp();
    await using _at = at;
    const other = at.keys.elsewhere;
    expect((await at.call("GET", "/v1/oncall", { key: other })).status).toBe(403);
    for (const key of [other, at.keys.operator]) {
      expect((await at.call("PUT", "/v1/oncall/ops", { key, body: ROTATION })).status).toBe(403);
      expect((await at.call("DELETE", "/v1/oncall/ops", { key })).status).toBe(403);
    }
  });
});

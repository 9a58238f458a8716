import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { temporaryFolder } from "../../store/suite/temporary.ts";
import { APPROVAL, CONFIRMATION, INPUT, openCase, type TestCase } from "../../testing/hitl-cases.ts";
import { Receiver } from "../../testing/receiver.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const INLINE = { ...CONFIRMATION, inline: true };

async function typesOf(server: TestServer, opened: TestCase): Promise<readonly string[]> {
  const { body } = await server.call("GET", `/v1/holds/${opened.holdId}/events`, { key: server.keys.admin });
  return body.events.map((event: { type: string }) => event.type);
}

async function ended(server: TestServer, how: "completed" | "expired" | "cancelled"): Promise<TestCase> {
  const opened = await openCase(server, { ...INLINE, timeout: "1h" });
  if (how === "completed") await opened.respond({ action: "confirm" });
  if (how === "cancelled") await opened.cancel();
  if (how === "expired") await server.clock.advance(3_600_000);
  return opened;
}

describe("the states of a case", () => {
  test.each(["completed", "expired", "cancelled"] as const)(
    "HP-108 a case never leaves the state %s",
    async (how) => {
      await using server = await testServer();
      const opened = await ended(server, how);
      const before = (await opened.poll()).body;
      const statuses = [
        await opened.open(),
        await opened.progress(),
        await opened.respond({ action: "cancel" }),
        await opened.submit({ action: "cancel" }),
        await opened.cancel(),
        await server.call("POST", opened.at("cancel").replace(/\?.*/, ""), {
          key: server.keys.agent,
          body: {},
        }),
      ].map(({ status }) => status);
      const no = how === "expired" ? 410 : 409;
      expect(statuses).toEqual([200, no, no, no, no, no]);
      await server.clock.advance(10 * 86_400_000);
      expect((await opened.poll()).body).toEqual(before);
      expect(before.status).toBe(how);
    },
  );

  test.each([
    ["pending", "opened"],
    ["pending", "expired"],
    ["pending", "cancelled"],
    ["opened", "in_progress"],
    ["opened", "completed"],
    ["opened", "expired"],
    ["opened", "cancelled"],
    ["in_progress", "completed"],
    ["in_progress", "cancelled"],
  ])("HP-109 a case can go from %s to %s", async (from, to) => {
    await using server = await testServer();
    const opened = await openCase(server, INPUT);
    if (from !== "pending") await opened.open();
    if (from === "in_progress") await opened.progress();
    expect((await opened.poll()).body.status).toBe(from);
    if (to === "opened") await opened.open();
    if (to === "in_progress") await opened.progress();
    if (to === "completed") await opened.respond({ action: "submit", data: { name: "Ada" } });
    if (to === "cancelled") await opened.cancel();
    if (to === "expired") await server.clock.advance(86_400_000);
    expect((await opened.poll()).body.status).toBe(to);
  });

  test("HP-110 a case that nobody has opened can be answered inline and by its link", async () => {
    await using server = await testServer();
    expect((await (await openCase(server, INLINE)).submit({ action: "confirm" })).status).toBe(200);
    expect((await (await openCase(server, INLINE)).respond({ action: "confirm" })).status).toBe(200);
  });

  test("HP-111 a case in progress expires too", async () => {
    await using server = await testServer();
    const opened = await openCase(server, INPUT);
    await opened.progress();
    await server.clock.advance(86_400_000);
    expect((await opened.poll()).body.status).toBe("expired");
  });

  test("HP-112 progress also records that the case was opened, and the status never goes back", async () => {
    await using server = await testServer();
    const opened = await openCase(server, INPUT);
    await opened.progress();
    const types = await typesOf(server, opened);
    expect(types.slice(-2)).toEqual(["hold.opened", "hold.progressed"]);
    await opened.open();
    expect((await opened.poll()).body.status).toBe("in_progress");
    expect(await typesOf(server, opened)).toEqual(types);
  });

  test("HP-113 of fifty simultaneous answers, half on pages and half inline, one counts", async () => {
    await using receiver = await Receiver.start();
    await using server = await testServer();
    const opened = await openCase(server, { ...INLINE, hitl_callback_url: receiver.url("/done") });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? opened.respond({ action: "confirm" }) : opened.submit({ action: "cancel" }),
      ),
    );
    const statuses = Map.groupBy(replies, ({ status }) => status);
    expect([...statuses.keys()].sort()).toEqual([200, 409]);
    expect(statuses.get(200)).toHaveLength(1);
    for (const { body } of statuses.get(409) ?? []) expect(body.error).toBe("duplicate_submission");
    expect((await typesOf(server, opened)).filter((type) => type === "hold.decided")).toHaveLength(1);
    await receiver.received(1);
    await server.server.sender.idle();
    await server.clock.advance(60_000);
    await server.server.sender.idle();
    expect(receiver.requests).toHaveLength(1);
    const { result } = (await opened.poll()).body;
    expect(JSON.parse(receiver.requests[0]?.body ?? "{}").result).toEqual(result);
  });

  test.each([-2, -1, 0, 1, 2])(
    "HP-114 an answer %i ms from the expiry either counts or is too late, never both",
    async (offset) => {
      await using server = await testServer();
      const opened = await openCase(server, { ...INLINE, timeout: "1h" });
      const racing = server.clock.advance(3_600_000 + offset);
      const replies = await Promise.all([
        opened.respond({ action: "confirm" }),
        racing.then(() => opened.respond({ action: "confirm" })),
      ]);
      const { status } = (await opened.poll()).body;
      const answered = replies.filter((reply) => reply.status === 200).length;
      expect(answered).toBe(status === "completed" ? 1 : 0);
      const endings = (await typesOf(server, opened)).filter(
        (type) => type === "hold.decided" || type === "hold.expired",
      );
      expect(endings).toHaveLength(1);
    },
  );

  test("HP-114 a case is over at the exact time of its expiry", async () => {
    await using server = await testServer();
    const opened = await openCase(server, { ...INLINE, timeout: "1h" });
    await server.clock.advance(3_600_000 - 1);
    expect((await opened.poll()).body.status).toBe("pending");
    await server.clock.advance(1);
    expect(await opened.submit({ action: "confirm" })).toMatchObject({
      status: 410,
      body: { error: "case_expired" },
    });
  });

  test("HP-115 every state survives a restart", async () => {
    await using folder = await temporaryFolder();
    const start = () =>
      testServer({ store: openSqliteStore({ path: join(folder.path, "holdpoint.db"), indexes: TABLE }) });
    let server = await start();
    const opened = await openCase(server, INPUT);
    const restart = async () => {
      const { body } = await server.call("GET", `/reviews/${opened.id}/status`, { key: server.keys.agent });
      await server[Symbol.asyncDispose]();
      server = await start();
      const after = await server.call("GET", `/reviews/${opened.id}/status`, { key: server.keys.agent });
      expect(after.body).toEqual(body);
      return body.status;
    };
    const post = (what: string, body: object) => server.call("POST", opened.at(what), { body });
    expect(await restart()).toBe("pending");
    await server.call("GET", `/review/${opened.id}?token=${opened.token}`, {
      headers: { "user-agent": "Mozilla/5.0" },
    });
    expect(await restart()).toBe("opened");
    await post("progress", { values: {}, step: 1 });
    expect(await restart()).toBe("in_progress");
    await post("respond", { action: "submit", data: { name: "Ada" } });
    expect(await restart()).toBe("completed");
    await server[Symbol.asyncDispose]();
  });

  test.each([
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605", "opened"],
    ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "pending"],
    ["TelegramBot (like TwitterBot)", "pending"],
    ["WhatsApp/2.23.20.0", "pending"],
    ["Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", "pending"],
    ["facebookexternalhit/1.1", "pending"],
    ["SkypeUriPreview Preview/0.5", "pending"],
    ["", "pending"],
  ])("HP-116 a GET of the page by %j leaves the case %s", async (agent, status) => {
    await using server = await testServer();
    const opened = await openCase(server, APPROVAL);
    expect((await opened.open({ "user-agent": agent })).status).toBe(200);
    expect((await opened.poll()).body.status).toBe(status);
  });

  test("HP-116 a HEAD request does not count as opening the case", async () => {
    await using server = await testServer();
    const opened = await openCase(server, APPROVAL);
    const { pathname, search } = new URL(opened.hitl.review_url);
    await server.call("HEAD", pathname + search, { headers: { "user-agent": "Mozilla/5.0" } });
    expect((await opened.poll()).body.status).toBe("pending");
  });
});

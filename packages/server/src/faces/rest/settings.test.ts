import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Channel } from "../../channels/channel.ts";
import { NO_PLATFORM } from "../../kernel/platform.ts";
import { CONFIRMATION, openCase } from "../../testing/hitl-cases.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, type TestServerOptions, testServer } from "../../testing/test-server.ts";

const DAY_MS = 86_400_000;
const MONDAY = Date.parse("2026-01-05T10:00:00Z");
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock({ startAt: MONDAY });
});
const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});

async function server(options: TestServerOptions = {}): Promise<TestServer> {
  const started = await testServer({ clock, ...options });
  servers.push(started);
  return started;
}

const change = (at: TestServer, body: object) =>
  at.call("PATCH", "/v1/settings", { key: at.keys.admin, body });
const read = (at: TestServer, path: string) => at.call("GET", path, { key: at.keys.admin });

async function place(at: TestServer, more: object = {}): Promise<string> {
  const body = { type: "approval", prompt: "Refund order 1042?", ...more };
  const placed = await at.call("POST", "/v1/holds", { key: at.keys.agent, body });
  return placed.body.id;
}

describe("retention", () => {
  it("content of what is placed after the change is erased by the new time, and goes back to the file's", async () => {
    const at = await server({ platform: { ...NO_PLATFORM, retainMs: 30 * DAY_MS } });
    const before = await place(at);
    const changed = await change(at, { retention_days: 1 });
    expect(changed.body).toMatchObject({
      configured: { retention_days: 30 },
      changed: { retention_days: 1 },
    });
    const after = await place(at);
    await change(at, { retention_days: "forever" });
    const kept = await place(at);
    for (const id of [before, after, kept])
      await at.call("POST", `/v1/holds/${id}/cancel`, { key: at.keys.agent, body: {} });
    const erased = async () =>
      Promise.all(
        [before, after, kept].map(async (id) => "erased_at" in (await read(at, `/v1/holds/${id}`)).body),
      );
    await clock.advance(DAY_MS);
    await vi.waitFor(async () => expect(await erased()).toEqual([false, true, false]));
    await clock.advance(29 * DAY_MS);
    await vi.waitFor(async () => expect(await erased()).toEqual([true, true, false]));
    const back = await change(at, { retention_days: null });
    expect(back.body).toMatchObject({ changed: {}, configured: { retention_days: 30 } });
    expect(at.server.engine.platform.retainMs).toBe(30 * DAY_MS);
  });

  it("deliveries and checks are kept as long as the settings say now", async () => {
    const at = await server();
    await change(at, { delivery_retention_days: 2, check_retention_days: 0.5 });
    expect(at.server.engine.platform).toMatchObject({
      deliveryRetainMs: 2 * DAY_MS,
      checkRetainMs: DAY_MS / 2,
    });
  });
});

describe("inline answers", () => {
  it("a token is given, and one that was given before counts, only while the settings allow it", async () => {
    const at = await server({ platform: { ...NO_PLATFORM, inlineAnswers: true } });
    const inline = { ...CONFIRMATION, inline: true };
    const given = await openCase(at, inline);
    expect(given.hitl).toHaveProperty("submit_token");
    await change(at, { inline_answers: false });
    expect((await openCase(at, inline)).hitl).not.toHaveProperty("submit_token");
    expect((await given.submit({ action: "confirm" })).status).toBe(403);
    await change(at, { inline_answers: null });
    expect((await openCase(at, inline)).hitl).toHaveProperty("submit_token");
  });
});

describe("business hours", () => {
  it("a ladder of a hold that is placed after the change counts the new hours", async () => {
    const at = await server();
    const remindedAt = async () => {
      const ladder = [{ after: "1h business", channel: "console" }];
      const id = await place(at, { ladder });
      return (await read(at, `/v1/holds/${id}`)).body.ladder[0].at;
    };
    const hours = {
      time_zone: "UTC",
      days: ["tue"],
      open: "08:30",
      close: "24:00",
      holidays: ["2026-01-06"],
    };
    const first = await remindedAt();
    const changed = await change(at, { hours });
    expect(changed.body).toMatchObject({
      changed: { hours },
      configured: {
        hours: { time_zone: "UTC", days: ["mon", "tue", "wed", "thu", "fri"], open: "09:00", close: "17:00" },
      },
    });
    expect([first, await remindedAt()]).toEqual(["2026-01-05T11:00:00.000Z", "2026-01-13T09:30:00.000Z"]);
  });
});

describe("redaction", () => {
  it("the next message goes out without what the new patterns match, and with it once they are gone", async () => {
    const prompts: string[] = [];
    const hook: Channel = {
      kind: "fake",
      async deliver({ prompt }) {
        prompts.push(prompt);
        return { kind: "sent" };
      },
    };
    const notify = { allow: [], channels: { hook: [] }, defaultChannel: "hook" };
    const at = await server({ channels: { hook }, platform: { ...NO_PLATFORM, notify }, redact: ["refund"] });
    const told = async () => {
      await place(at, { links: "server" });
      await at.server.sender.idle();
      return prompts.at(-1);
    };
    expect(await told()).toBe("[redacted] order 1042?");
    await change(at, { redact: ["\\d{4}"] });
    expect(await told()).toBe("Refund order [redacted]?");
    await change(at, { redact: [] });
    expect(await told()).toBe("Refund order 1042?");
    await change(at, { redact: null });
    expect(await told()).toBe("[redacted] order 1042?");
  });
});

describe("two admins at once", () => {
  it("a change with the ETag of an earlier version is refused, and one without it counts as before", async () => {
    const at = await server();
    const seen = await read(at, "/v1/settings");
    expect([seen.body.version, seen.headers.get("etag")]).toEqual([0, '"0"']);
    const over = (etag: string, body: object) =>
      at.call("PATCH", "/v1/settings", { key: at.keys.admin, body, headers: { "if-match": etag } });
    const first = await over('"0"', { max_open_checks: 7 });
    expect(first).toMatchObject({ status: 200, body: { version: 1, changed: { max_open_checks: 7 } } });
    const second = await over('"0"', { max_open_checks: 8 });
    expect(second).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect((await read(at, "/v1/settings")).body.changed).toEqual({ max_open_checks: 7 });
    expect(await over(first.headers.get("etag") ?? "", { max_open_checks: 8 })).toMatchObject({
      ...{ status: 200, body: { version: 2 } },
    });
    expect(await change(at, { max_open_checks: 9 })).toMatchObject({ status: 200, body: { version: 3 } });
    expect(await over('"soon"', { max_open_checks: 1 })).toMatchObject({ status: 412 });
  });

  it("of two changes for the same version one counts, however they arrive", async () => {
    const at = await server();
    const headers = { "if-match": '"0"' };
    const sent = [7, 8].map((checks) =>
      at.call("PATCH", "/v1/settings", { key: at.keys.admin, body: { max_open_checks: checks }, headers }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});

describe("what is refused", () => {
  it.each([
    [{ retention_days: 0 }, "retention_days"],
    [{ retention_days: "soon" }, "retention_days"],
    [{ check_retention_days: 1e9 }, "check_retention_days"],
    [{ inline_answers: "yes" }, "inline_answers"],
    [{ hours: { time_zone: "Mars/Olympus" } }, "Mars/Olympus is not an IANA time zone such as Europe/Berlin"],
    [{ hours: { time_zone: "UTC", open: "18:00" } }, "close (17:00) must be later than open (18:00)"],
    [{ hours: { time_zone: "UTC", close: "24:30" } }, "expected a time such as 09:00"],
    [{ hours: { time_zone: "UTC", days: [] } }, "days"],
    [
      { redact: ["\\d+", "(?=a)b"] },
      'the pattern "(?=a)b" is not an RE2 pattern (no lookaround, no back-references)',
    ],
  ])("%j is refused as a whole with what is wrong (G11)", async (body, words) => {
    const at = await server();
    const refused = await change(at, { max_open_checks: 7, ...body });
    expect(refused).toMatchObject({ status: 422, body: { code: "invalid_body" } });
    expect(refused.body.detail).toContain(words);
    expect(at.server.engine.platform).toMatchObject({ maxOpenChecks: NO_PLATFORM.maxOpenChecks });
  });

  it("an operator is refused, and an admin whose sign-in is ten minutes old must sign in again", async () => {
    const at = await server();
    const body = { retention_days: 1 };
    const operator = await signedInPerson(at, "kim", "operator");
    expect(await operator.call("PATCH", "/v1/settings", body)).toMatchObject({
      ...{ status: 403, body: { code: "not_allowed" } },
    });
    const admin = await signedInPerson(at, "lin", "admin");
    await clock.advance(600_000);
    expect(await admin.call("PATCH", "/v1/settings", body)).toMatchObject({
      ...{ status: 403, body: { code: "fresh_sign_in_required" } },
    });
  });
});

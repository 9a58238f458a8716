import { HITL_SCHEMAS } from "@holdpoint/protocol/hitl";
import { isSafeUrl } from "@holdpoint/protocol/hitl/words";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../system/config.ts";
import {
  APPROVAL,
  CONFIRMATION,
  create,
  ESCALATION,
  INPUT,
  openCase,
  SELECTION,
} from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const ALL = [
  APPROVAL,
  CONFIRMATION,
  ESCALATION,
  SELECTION,
  INPUT,
  { type: "x-demo-compare", prompt: "Which?" },
];

async function refused(body: object) {
  const { status, body: error } = await create(server, { ...APPROVAL, ...body });
  return { status, error: error.error };
}
const BAD = { status: 400, error: "invalid_request" };

describe("the 202", () => {
  test("HP-001 opening a case replies 202 with JSON, never 200", async () => {
    const { status, headers } = await create(server, APPROVAL);
    expect(status).toBe(202);
    expect(headers.get("content-type")).toBe("application/json");
  });

  test("HP-002 the 202 has the status human_input_required and the hitl object", async () => {
    const { body } = await create(server, APPROVAL);
    expect(body).toMatchObject({ status: "human_input_required", hitl: { type: "approval" } });
  });

  test("HP-003 the 202 has the given message, or the prompt without one", async () => {
    expect((await create(server, APPROVAL)).body.message).toBe(APPROVAL.prompt);
    expect((await create(server, { ...APPROVAL, message: "Look" })).body.message).toBe("Look");
  });

  test("HP-004 the 202 returns the given data unchanged", async () => {
    const data = { order: 7, lines: [{ sku: "x" }] };
    expect((await create(server, { ...APPROVAL, data })).body.data).toEqual(data);
  });

  test("HP-005 bad input is a 4xx without a hitl object, and opens nothing", async () => {
    const before = await server.store.lastPosition();
    for (const body of [{}, { ...APPROVAL, prompt: "" }, "not JSON", { ...APPROVAL, unknown: 1 }]) {
      const reply = await create(server, body);
      expect(reply.status).toBe(400);
      expect(reply.body).not.toHaveProperty("hitl");
    }
    expect(await server.store.lastPosition()).toBe(before);
  });

  test("HP-006 the 202 has Retry-After", async () => {
    const { headers } = await create(server, APPROVAL);
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });
});

describe("the hitl object", () => {
  test.each(ALL)("HP-007 the hitl object has the eight required members ($type)", async (ask) => {
    const { hitl } = await openCase(server, ask);
    for (const name of [
      "spec_version",
      "case_id",
      "review_url",
      "poll_url",
      "type",
      "prompt",
      "created_at",
      "expires_at",
    ])
      expect(hitl).toHaveProperty(name);
  });

  test.each(ALL)("HP-008 the hitl object fits the closed schema of either version ($type)", async (ask) => {
    const full = { ...ask, inline: true, surface: { format: "json-render", version: "1.0" }, data: { a: 1 } };
    for (const version of ["0.7", "0.8"] as const) {
      const { hitl } = await openCase(server, full, { headers: { "hitl-version": version } });
      expect(HITL_SCHEMAS[version]["hitl-object"].safeParse(hitl)).toMatchObject({ success: true });
    }
  });

  test("HP-009 a case is described in version 0.7 by default, and in 0.8 if the header or the body asks for it", async () => {
    const version = async (body: object, headers = {}) => {
      const reply = await create(server, { ...APPROVAL, ...body }, { headers });
      return [reply.body.hitl.spec_version, reply.headers.get("hitl-version")];
    };
    expect(await version({})).toEqual(["0.7", "0.7"]);
    expect(await version({}, { "hitl-version": "0.8" })).toEqual(["0.8", "0.8"]);
    expect(await version({ hitl_spec_version: "0.8" })).toEqual(["0.8", "0.8"]);
    expect(await version({}, { "hitl-version": "0.6" })).toEqual(["0.7", "0.7"]);
    expect(await version({}, { "hitl-version": "9.9" })).toEqual(["0.8", "0.8"]);
  });

  test("HP-010 a thousand cases have a thousand ids of the form review_…", async () => {
    const replies = await Promise.all(Array.from({ length: 1_000 }, () => create(server, APPROVAL)));
    const ids = replies.map(({ body }) => body.hitl.case_id as string);
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => /^review_[a-zA-Z0-9_-]+$/.test(id))).toBe(true);
  });

  test("HP-011 every address is https, or on this machine", async () => {
    const callback = "http://127.0.0.1:9/done";
    const { hitl } = await openCase(server, { ...CONFIRMATION, inline: true, hitl_callback_url: callback });
    const { review_url, poll_url, events_url, submit_url, callback_url } = hitl;
    expect(callback_url).toBe(callback);
    for (const url of [review_url, poll_url, events_url, submit_url, callback_url])
      expect(isSafeUrl(url)).toBe(true);
    expect(isSafeUrl("http://localhost.evil.example/")).toBe(false);
    expect(isSafeUrl("http://192.168.1.2/")).toBe(false);
  });

  test("HP-012 a server with a public address over plain http does not start", () => {
    const start = (url: string) => () => readConfig({ HOLDPOINT_PUBLIC_URL: url }, "/nowhere");
    expect(start("http://holds.example")).toThrow("must start with https");
    expect(start("https://holds.example")).not.toThrow();
  });

  test("HP-013 a case has one of five types or a custom x- type", async () => {
    for (const ask of ALL) expect((await openCase(server, ask)).hitl.type).toBe(ask.type);
    expect(await refused({ type: "foo" })).toEqual(BAD);
  });

  test("HP-014 a prompt may have 500 characters and not 501", async () => {
    expect((await openCase(server, { ...APPROVAL, prompt: "é".repeat(500) })).hitl.prompt).toHaveLength(500);
    expect(await refused({ prompt: "x".repeat(501) })).toEqual(BAD);
  });

  test("HP-015 the times of a case are in RFC 3339, creation before expiry", async () => {
    const { hitl } = await openCase(server);
    expect(hitl.created_at).toBe(new Date(server.clock.now()).toISOString());
    expect(Date.parse(hitl.expires_at)).toBeGreaterThan(Date.parse(hitl.created_at));
  });

  test.each([
    [undefined, 24 * HOUR_MS],
    ["30m", HOUR_MS / 2],
    ["24h", 24 * HOUR_MS],
    ["7d", 168 * HOUR_MS],
    ["PT24H", 24 * HOUR_MS],
    ["P7D", 168 * HOUR_MS],
  ])("HP-016 the timeout %s lasts as long as it says", async (timeout, lastsMs) => {
    const { hitl } = await openCase(server, { ...APPROVAL, ...(timeout === undefined ? {} : { timeout }) });
    expect(Date.parse(hitl.expires_at) - Date.parse(hitl.created_at)).toBe(lastsMs);
    expect(hitl.timeout).toBe(timeout ?? "24h");
  });

  test("HP-016 a timeout that is no duration is refused", async () => {
    expect(await refused({ timeout: "banana" })).toEqual(BAD);
  });

  test("HP-017 no case lives longer than seven days", async () => {
    expect(await refused({ timeout: "8d" })).toEqual(BAD);
    expect(await refused({ timeout: "P8D" })).toEqual(BAD);
  });

  test("HP-018 the default action is one of four, skip unless said otherwise", async () => {
    expect((await openCase(server)).hitl.default_action).toBe("skip");
    for (const default_action of ["skip", "approve", "reject", "abort"])
      expect((await openCase(server, { ...APPROVAL, default_action })).hitl.default_action).toBe(
        default_action,
      );
    expect(await refused({ default_action: "shrug" })).toEqual(BAD);
  });

  test("HP-019 the hitl object has the callback address, or null", async () => {
    const hitl_callback_url = "http://localhost:9/done";
    expect((await openCase(server, { ...APPROVAL, hitl_callback_url })).hitl.callback_url).toBe(
      hitl_callback_url,
    );
    expect((await openCase(server)).hitl.callback_url).toBeNull();
  });

  test("HP-020 the hitl object has an events address that works", async () => {
    const { hitl } = await openCase(server);
    const { pathname } = new URL(hitl.events_url);
    const reply = await server.server.app.request(pathname, {
      headers: { authorization: `Bearer ${server.keys.agent}` },
    });
    expect(reply.status).toBe(200);
    await reply.body?.cancel();
  });

  test("HP-021 the hitl object returns the context unchanged", async () => {
    const context = {
      form: { fields: [{ key: "a", label: "A", type: "text" }] },
      nested: { list: [1, null, { deep: true }] },
      items: ["plain"],
    };
    expect((await openCase(server, { ...APPROVAL, context })).hitl.context).toEqual(context);
    expect(await refused({ context: { form: "a word of ours" } })).toEqual(BAD);
    expect((await openCase(server, INPUT)).hitl.context).toEqual(INPUT.context);
    expect((await openCase(server, SELECTION)).hitl.context).toEqual(SELECTION.context);
  });

  test("HP-022 a case may have one or several reminders, all between creation and expiry", async () => {
    const at = (ms: number) => new Date(server.clock.now() + ms).toISOString();
    expect((await openCase(server, { ...APPROVAL, reminder_at: at(HOUR_MS) })).hitl.reminder_at).toEqual([
      at(HOUR_MS),
    ]);
    const two = [at(HOUR_MS), at(2 * HOUR_MS)];
    expect((await openCase(server, { ...APPROVAL, reminder_at: two })).hitl.reminder_at).toEqual(two);
    for (const reminder_at of [at(-1), at(0), at(24 * HOUR_MS), [at(HOUR_MS), at(25 * HOUR_MS)], "soon"])
      expect(await refused({ reminder_at })).toEqual(BAD);
  });

  test("HP-023 the previous case id must have the form of a case id", async () => {
    expect(await refused({ previous_case_id: "not an id" })).toEqual(BAD);
    const { id } = await openCase(server);
    expect(await refused({ previous_case_id: id.replace("review_", "abcdefg") })).toEqual(BAD);
  });

  test("HP-024 a surface is only named in the hitl object, and the page works with and without it", async () => {
    const surface = { format: "json-render", version: "1.0" };
    const opened = await openCase(server, { ...APPROVAL, surface });
    expect(opened.hitl.surface).toEqual(surface);
    expect((await opened.open()).status).toBe(200);
    expect(await refused({ surface: { ...surface, payload: {} } })).toEqual(BAD);
  });

  test("HP-025 submit address and token come together or not at all", async () => {
    const { hitl: without } = await openCase(server, CONFIRMATION);
    expect(without).not.toHaveProperty("submit_url");
    expect(without).not.toHaveProperty("submit_token");
    const { hitl: both } = await openCase(server, { ...CONFIRMATION, inline: true });
    expect(both).toHaveProperty("submit_url");
    expect(both).toHaveProperty("submit_token");
  });

  test("HP-026 a submit token has 43 characters", async () => {
    const { hitl } = await openCase(server, { ...CONFIRMATION, inline: true });
    expect(hitl.submit_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test("HP-027 the hitl object lists the actions that may be submitted inline", async () => {
    expect((await openCase(server, { ...CONFIRMATION, inline: ["confirm"] })).hitl.inline_actions).toEqual([
      "confirm",
    ]);
  });

  test("HP-028 the same request is the same case after its reminders, and none of them comes twice", async () => {
    await using test = await testServer();
    const reminder_at = new Date(test.clock.now() + HOUR_MS).toISOString();
    const opening = { headers: { "idempotency-key": "remind-me" } };
    const first = await openCase(test, { ...APPROVAL, reminder_at }, opening);
    await test.clock.advance(2 * HOUR_MS);
    const again = await openCase(test, { ...APPROVAL, reminder_at }, opening);
    expect(again.id).toBe(first.id);
    expect((await again.poll()).body.reminder_sent_at).toBe(reminder_at);
    expect((await create(test, { ...APPROVAL, reminder_at })).status).toBe(400);
    await test.clock.advance(10 * HOUR_MS);
    const { body } = await test.call("GET", `/v1/holds/${first.holdId}/events`, { key: test.keys.admin });
    expect(body.events.filter(({ type }: { type: string }) => type === "hold.reminded")).toHaveLength(1);
  });

  test("HP-028 opening a case again replies with the times of the existing case, not with the requested ones", async () => {
    const at = (ms: number) => new Date(server.clock.now() + ms).toISOString();
    const headers = { "idempotency-key": "times" };
    const body = { ...APPROVAL, timeout: "2h", reminder_at: at(HOUR_MS) };
    const first = await openCase(server, body, { headers });
    expect((await openCase(server, body, { headers })).hitl).toMatchObject({
      timeout: "2h",
      reminder_at: [at(HOUR_MS)],
      expires_at: first.hitl.expires_at,
    });
    const other = { ...APPROVAL, timeout: "5h", reminder_at: at(3 * HOUR_MS) };
    const again = await openCase(server, other, { headers });
    expect(again.hitl).toMatchObject({ timeout: "PT7200S", reminder_at: [at(HOUR_MS)] });
    expect(again.hitl.expires_at).toBe(first.hitl.expires_at);
  });

  test("HP-028 the idempotency key of a hold without an expiry is refused as a bad request", async () => {
    const native = { ...APPROVAL, key: "native-1" };
    const placed = await server.call("POST", "/v1/holds", { key: server.keys.agent, body: native });
    expect(placed.status).toBe(201);
    const headers = { "idempotency-key": "native-1" };
    expect(await create(server, APPROVAL, { headers })).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
    const ending = { ...APPROVAL, key: "native-2", timeout: "1h" };
    const { body } = await server.call("POST", "/v1/holds", { key: server.keys.agent, body: ending });
    const found = await openCase(server, APPROVAL, { headers: { "idempotency-key": "native-2" } });
    expect(found.id).toBe(body.case_id);
    expect(found.hitl.timeout).toBe("PT3600S");
  });

  test("HP-028 HP-192 the idempotency key of an erased case is refused without a hitl object", async () => {
    await using test = await testServer();
    const opening = { headers: { "idempotency-key": "long-ago" } };
    const opened = await openCase(test, APPROVAL, opening);
    await opened.respond({ action: "approve" });
    await test.clock.advance(31 * 24 * HOUR_MS);
    const reply = await create(test, APPROVAL, opening);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(reply.body).not.toHaveProperty("hitl");
  });

  test("HP-028 the same request with the same key is the same case, with links of its own", async () => {
    const headers = { "idempotency-key": "publish-2" };
    const first = await openCase(server, { ...CONFIRMATION, inline: true }, { headers });
    const again = await openCase(server, { ...CONFIRMATION, inline: true }, { headers });
    expect(again.id).toBe(first.id);
    expect(again.token).not.toBe(first.token);
    expect((await first.open()).status).toBe(200);
    expect((await again.submit({ action: "confirm" })).status).toBe(200);
    const over = await openCase(server, { ...CONFIRMATION, inline: true }, { headers });
    expect(over.id).toBe(first.id);
    expect(over.token).toBe("");
    expect(over.hitl).not.toHaveProperty("submit_token");
    expect((await create(server, APPROVAL, { headers })).status).toBe(400);
    expect((await openCase(server, CONFIRMATION, { headers, key: server.keys.otherAgent })).id).not.toBe(
      first.id,
    );
  });
});

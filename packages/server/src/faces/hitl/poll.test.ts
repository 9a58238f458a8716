import { HITL_SCHEMAS, hitlJsonSchema } from "@holdpoint/protocol/hitl";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { APPROVAL, CONFIRMATION, INPUT, openCase, type TestCase } from "../../testing/hitl-cases.ts";
import { Receiver } from "../../testing/receiver.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const DAY_MS = 86_400_000;

/** A case in each of the six states. */
async function everyState(server: TestServer): Promise<Readonly<Record<string, TestCase>>> {
  const expired = await openCase(server, { ...APPROVAL, timeout: "1s", default_action: "reject" });
  await server.clock.advance(1_000);
  const at = (n: number) => openCase(server, n === 0 ? INPUT : { ...CONFIRMATION, inline: true });
  const [in_progress, pending, opened, completed, cancelled, inline] = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(at),
  );
  await opened?.open();
  await in_progress?.progress({ values: { name: "Ada" }, step: 1 });
  await completed?.respond({ action: "confirm" });
  await inline?.submit({ action: "cancel" });
  await cancelled?.cancel({ reason: "no longer needed" });
  return { pending, opened, in_progress, completed, inline, expired, cancelled } as Record<string, TestCase>;
}

describe("a poll", () => {
  test("HP-087 a poll has status and case id in each of the six states", async () => {
    await using server = await testServer();
    for (const [state, opened] of Object.entries(await everyState(server))) {
      const { status, body } = await opened.poll();
      expect({ status, ...body }).toMatchObject({
        status: state === "inline" ? "completed" : state,
        case_id: opened.id,
      });
    }
  });

  test("HP-088 a poll of a pending case has its times and no member of a later state", async () => {
    await using server = await testServer();
    const { pending } = await everyState(server);
    expect(Object.keys((await pending!.poll()).body).toSorted()).toEqual([
      "case_id",
      "created_at",
      "expires_at",
      "status",
    ]);
  });

  test("HP-088 a poll of a native hold without an expiry has its times too", async () => {
    await using server = await testServer();
    const body = { type: "approval", prompt: "Go?" };
    const { body: hold } = await server.call("POST", "/v1/holds", { key: server.keys.agent, body });
    expect(hold.expires_at).toBeUndefined();
    const reply = await server.call("GET", `/reviews/${hold.case_id}/status`, { key: server.keys.agent });
    expect(reply.body).toEqual({
      status: "pending",
      case_id: hold.case_id,
      created_at: hold.created_at,
      expires_at: "9999-12-31T00:00:00.000Z",
    });
  });

  test("HP-089 a poll has the time of the first opening, however often the case is opened", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    await opened.open();
    const first = (await opened.poll()).body.opened_at;
    await server.clock.advance(5_000);
    await opened.open();
    expect((await opened.poll()).body).toMatchObject({ status: "opened", opened_at: first });
  });

  test("HP-090 a poll of a case in progress has the time of opening, and the progress if there is any", async () => {
    await using server = await testServer();
    const opened = await openCase(server, APPROVAL);
    await opened.progress();
    const { body } = await opened.poll();
    expect(body).toMatchObject({ status: "in_progress", opened_at: expect.any(String) });
    expect(body).not.toHaveProperty("progress");
  });

  test("HP-091 a poll of a completed case has the time and the result", async () => {
    await using server = await testServer();
    const { completed } = await everyState(server);
    expect((await completed!.poll()).body).toMatchObject({
      completed_at: expect.any(String),
      result: { action: "confirm", data: {} },
    });
  });

  test("HP-092 a poll of an expired case has its expiry and default action, and no result", async () => {
    await using server = await testServer();
    const { expired } = await everyState(server);
    const { body } = await expired!.poll();
    expect(body).toMatchObject({ expired_at: body.expires_at, default_action: "reject" });
    expect(body).not.toHaveProperty("result");
  });

  test("HP-093 a poll of a cancelled case has the time, and the reason if one was given", async () => {
    await using server = await testServer();
    const { cancelled, pending } = await everyState(server);
    expect((await cancelled!.poll()).body).toMatchObject({
      cancelled_at: expect.any(String),
      reason: "no longer needed",
    });
    await pending!.cancel();
    expect((await pending!.poll()).body).not.toHaveProperty("reason");
  });

  test("HP-094 a poll has a result only when the case is completed", async () => {
    await using server = await testServer();
    const opened = await openCase(server, { ...CONFIRMATION, inline: ["cancel"] });
    await opened.submit({ action: "confirm" });
    await opened.respond({ action: "confirm", data: { confirmed_items: ["z"] } });
    expect((await opened.poll()).body).not.toHaveProperty("result");
    for (const [state, one] of Object.entries(await everyState(server)))
      expect("result" in (await one.poll()).body, state).toBe(state === "completed" || state === "inline");
  });

  test("HP-095 a poll always has the times of creation and expiry", async () => {
    await using server = await testServer();
    for (const one of Object.values(await everyState(server)))
      expect((await one.poll()).body).toMatchObject({
        created_at: one.hitl.created_at,
        expires_at: one.hitl.expires_at,
      });
  });

  test("HP-096 a poll names the person who answered by name and e-mail only", async () => {
    await using server = await testServer();
    const { inline, completed } = await everyState(server);
    expect((await inline!.poll()).body.responded_by).toEqual({ name: "Ada" });
    expect((await completed!.poll()).body).not.toHaveProperty("responded_by");
  });

  test("HP-097 a poll has the last reminder that was sent and the id of the follow-up case", async () => {
    await using server = await testServer();
    const reminder_at = new Date(server.clock.now() + 60_000).toISOString();
    const opened = await openCase(server, { ...APPROVAL, reminder_at });
    await server.clock.advance(60_000);
    expect((await opened.poll()).body.reminder_sent_at).toBe(reminder_at);
    await opened.respond({ action: "edit" });
    const next = await openCase(server, { ...APPROVAL, previous_case_id: opened.id });
    expect((await opened.poll()).body.next_case_id).toBe(next.id);
  });

  test("HP-098 a poll leaves absent members out and never has null", async () => {
    await using server = await testServer();
    for (const one of Object.values(await everyState(server)))
      expect(JSON.stringify((await one.poll()).body)).not.toContain("null");
  });

  test("HP-099 polls of cases of both versions fit the closed schema of 0.8, also as JSON Schema", async () => {
    await using server = await testServer();
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const check = ajv.compile(hitlJsonSchema("0.8", "poll-response"));
    for (const one of Object.values(await everyState(server))) {
      const { body } = await one.poll();
      expect(check(body), JSON.stringify(check.errors)).toBe(true);
      expect(HITL_SCHEMAS["0.7"]["poll-response"].safeParse(body).success).toBe(true);
    }
  });

  test("HP-100 a case can be polled by the agent that asked and by roles that see everything; others get not_found", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    for (const key of ["otherAgent", "elsewhere", "app"] as const)
      expect(await opened.poll({ key: server.keys[key] })).toMatchObject({
        status: 404,
        body: { error: "not_found" },
      });
    for (const key of ["agent", "operator", "auditor"] as const)
      expect((await opened.poll({ key: server.keys[key] })).status).toBe(200);
    expect(await opened.poll({ key: "wrong" })).toMatchObject({
      status: 401,
      body: { error: "unauthorized" },
    });
  });

  test("HP-100 every hold can be polled as a case, whichever face placed it", async () => {
    await using server = await testServer();
    const { body: hold } = await server.call("POST", "/v1/holds", {
      key: server.keys.agent,
      body: { type: "approval", prompt: "Native?" },
    });
    const poll = () => server.call("GET", `/reviews/${hold.case_id}/status`, { key: server.keys.agent });
    expect((await poll()).body).toMatchObject({ status: "pending" });
    const token = new URL(hold.review_url).searchParams.get("token");
    const answer = await server.call("POST", `/reviews/${hold.case_id}/respond?token=${token}`, {
      body: { action: "reject", data: { feedback: "not yet" } },
    });
    expect(answer.status).toBe(200);
    expect((await poll()).body).toMatchObject({ status: "completed", result: { action: "reject" } });
    const native = await server.call("GET", `/v1/holds/${hold.id}`, { key: server.keys.agent });
    expect(native.body.outcome).toMatchObject({ action: "reject", door: "page", by: { kind: "link" } });
  });

  test("HP-100 a case answered natively has the same single result", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    const native = await server.call("POST", `/v1/holds/${opened.holdId}/answer`, {
      key: server.keys.operator,
      body: { action: "approve" },
    });
    expect(native.status).toBe(200);
    expect((await opened.poll()).body).toMatchObject({ status: "completed", result: { action: "approve" } });
    expect((await opened.respond({ action: "reject" })).body.error).toBe("duplicate_submission");
  });

  test("HP-101 the ETag of a poll changes exactly when its body changes", async () => {
    await using server = await testServer();
    const reminder_at = new Date(server.clock.now() + 60_000).toISOString();
    const opened = await openCase(server, { ...INPUT, reminder_at });
    const tag = async () => (await opened.poll()).headers.get("etag");
    const tags = [await tag()];
    const change = async (how: () => Promise<unknown>) => {
      await how();
      tags.push(await tag());
      expect(await tag()).toBe(tags.at(-1));
    };
    await change(() => opened.open());
    await change(() => server.clock.advance(60_000));
    await change(() => opened.progress({ values: {}, step: 1 }));
    await change(() => opened.progress({ values: { name: "A" }, step: 2 }));
    await change(() => opened.respond({ action: "submit", data: { name: "A" } }));
    await change(() => openCase(server, { ...APPROVAL, previous_case_id: opened.id }));
    expect(new Set(tags).size).toBe(tags.length);
  });

  test("HP-102 a poll with the current ETag gets an empty 304, with the tag alone, in a list, weak, or as a star", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    const etag = (await opened.poll()).headers.get("etag") ?? "";
    for (const tag of [etag, `"other", ${etag}`, "*", `W/${etag}`]) {
      const reply = await opened.poll({ headers: { "if-none-match": tag } });
      expect({ status: reply.status, body: reply.body, etag: reply.headers.get("etag") }).toEqual({
        status: 304,
        body: "",
        etag,
      });
    }
    expect((await opened.poll({ headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("HP-103 a poll has Retry-After while the case is open", async () => {
    await using server = await testServer();
    for (const [state, one] of Object.entries(await everyState(server))) {
      const pace = (await one.poll()).headers.get("retry-after");
      expect(pace, state).toBe(["pending", "opened", "in_progress"].includes(state) ? "30" : null);
    }
  });

  test("HP-104 a case can be polled 60 times a minute, 304 replies included", async () => {
    await using server = await testServer();
    const [one, other] = [await openCase(server), await openCase(server)];
    const etag = (await one.poll()).headers.get("etag") ?? "";
    for (let n = 1; n < 60; n += 1)
      expect((await one.poll({ headers: { "if-none-match": etag } })).status).toBe(304);
    const refused = await one.poll();
    expect(refused).toMatchObject({ status: 429, body: { error: "rate_limited" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await other.poll()).status).toBe(200);
    await server.clock.advance(60_000);
    expect((await one.poll()).status).toBe(200);
  });

  test("HP-105 a poll has the number of polls that are left", async () => {
    await using server = await testServer();
    const opened = await openCase(server);
    for (const left of ["59", "58", "57"]) {
      const { headers } = await opened.poll();
      expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["60", left]);
    }
  });

  test("HP-106 poll, stream and callback have the same content", async () => {
    await using receiver = await Receiver.start();
    await using server = await testServer();
    const opened = await openCase(server, { ...APPROVAL, hitl_callback_url: receiver.url() });
    const stream = await server.server.app.request(new URL(opened.hitl.events_url).pathname, {
      headers: { authorization: `Bearer ${server.keys.agent}` },
    });
    await opened.respond({ action: "approve" });
    const told = /event: review\.completed\ndata: (.*)/.exec(await stream.text())?.[1] ?? "nothing";
    const { body } = await opened.poll();
    expect(body).toMatchObject(JSON.parse(told));
    await receiver.received(1);
    const { event, timestamp, ...called } = JSON.parse(receiver.requests[0]?.body ?? "nothing");
    expect([event, timestamp]).toEqual(["review.completed", body.completed_at]);
    expect(body).toMatchObject(called);
    expect(called.result).toEqual({ action: "approve", data: {} });
    await server.server.sender.idle();
  });

  test("HP-107 a poll is JSON with times in RFC 3339", async () => {
    await using server = await testServer();
    const { headers, body } = await (await openCase(server)).poll();
    expect(headers.get("content-type")).toBe("application/json");
    for (const at of [body.created_at, body.expires_at]) expect(new Date(at).toISOString()).toBe(at);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(DAY_MS);
  });

  test.each(["/v1", "/api"])("a poll under %s replies as it does at its own address", async (prefix) => {
    await using server = await testServer();
    const opened = await openCase(server, { ...CONFIRMATION, inline: true });
    const path = (what: string) => `${prefix}/reviews/${opened.id}/${what}`;
    const { body } = await server.call("GET", path("status"), { key: server.keys.agent });
    expect(body).toEqual((await opened.poll()).body);
    const answer = { action: "confirm" };
    expect((await server.call("POST", `${path("respond")}?token=wrong`, { body: answer })).status).toBe(401);
    expect(
      (await server.call("POST", `${path("respond")}?token=${opened.token}`, { body: answer })).status,
    ).toBe(200);
    expect(
      (await server.call("POST", path("submit"), { key: opened.hitl.submit_token, body: answer })).status,
    ).toBe(409);
    const onPage = await server.call("POST", `/review/${opened.id}/respond?token=${opened.token}`, {
      body: answer,
    });
    expect(onPage).toMatchObject({ status: 409, body: { error: "duplicate_submission" } });
  });
});

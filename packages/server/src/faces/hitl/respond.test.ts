import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APPROVAL, CONFIRMATION, INPUT, openCase } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("answering by link", () => {
  test("HP-117 the reply to an answer has status, case id and time", async () => {
    const opened = await openCase(server);
    const reply = await opened.respond({ action: "approve", data: { feedback: "fine" } });
    const { completed_at } = (await opened.poll()).body;
    expect(reply).toMatchObject({
      status: 200,
      body: { status: "completed", case_id: opened.id, completed_at },
    });
    expect(Object.keys(reply.body)).toHaveLength(3);
  });

  test("HP-118 a second answer is refused and the first one stays", async () => {
    const opened = await openCase(server);
    await opened.respond({ action: "approve" });
    expect(await opened.respond({ action: "reject" })).toMatchObject({
      status: 409,
      body: { error: "duplicate_submission", case_id: opened.id },
    });
    expect((await opened.poll()).body.result.action).toBe("approve");
  });

  test("HP-119 an answer after the expiry is refused, even before the timer has fired", async () => {
    await using test = await testServer();
    const opened = await openCase(test);
    await test.server.timers.stop();
    await test.clock.advance(86_400_000);
    expect(await opened.respond({ action: "approve" })).toMatchObject({
      status: 410,
      body: { error: "case_expired" },
    });
    expect((await opened.poll()).body.status).toBe("expired");
  });

  test("HP-120 an answer to a cancelled case is refused as cancelled", async () => {
    const opened = await openCase(server);
    await opened.cancel();
    expect(await opened.respond({ action: "approve" })).toMatchObject({
      status: 409,
      body: { error: "case_cancelled" },
    });
  });

  test("HP-121 an unknown case is not_found, whatever else is wrong with the request", async () => {
    for (const id of ["review_unknown", "review_", "hold_x", "x"])
      expect(await server.call("POST", `/reviews/${id}/respond`, { body: "{" })).toMatchObject({
        status: 404,
        body: { error: "not_found" },
      });
  });

  test("HP-122 an answer without an action, unreadable or wrapped is refused", async () => {
    const opened = await openCase(server);
    const refused = async (body: unknown) => {
      const reply = await opened.respond(body);
      return [reply.status, reply.body.error];
    };
    expect(await refused({ data: {} })).toEqual([400, "missing_action"]);
    expect(await refused({ action: "" })).toEqual([400, "missing_action"]);
    expect(await refused("{nope")).toEqual([400, "invalid_json"]);
    expect(await refused({ result: { action: "approve" } })).toEqual([400, "missing_action"]);
    expect(await refused({ action: "approve", result: {} })).toEqual([400, "invalid_request"]);
    expect(await refused({ action: 5 })).toEqual([400, "invalid_request"]);
    expect(await refused({ action: "approve", data: [] })).toEqual([400, "invalid_request"]);
    expect(await refused([])).toEqual([400, "invalid_request"]);
    expect((await opened.poll()).body.status).toBe("pending");
    const tapped = await openCase(server, { ...CONFIRMATION, inline: true });
    expect(await tapped.submit({ action: "" })).toMatchObject({
      status: 400,
      body: { error: "missing_action" },
    });
  });

  test("HP-123 an answer cannot be changed, not even at the same time with the same link", async () => {
    const opened = await openCase(server);
    await opened.respond({ action: "approve" });
    expect((await opened.respond({ action: "approve" })).status).toBe(409);
  });

  test("HP-124 a posted HTML form is accepted and redirects to the page with the answer", async () => {
    const opened = await openCase(server);
    const post = (body: string) => server.call("POST", opened.at("respond"), { body, headers: FORM });
    expect(await post("feedback=hm")).toMatchObject({ status: 400, body: { error: "missing_action" } });
    expect(await post("action=")).toMatchObject({ status: 400, body: { error: "missing_action" } });
    expect(await post("action=select")).toMatchObject({ status: 422, body: { error: "invalid_action" } });
    expect(await post("action=approve&feedback=%00")).toMatchObject({ status: 400 });
    const reply = await post("action=approve&feedback=fine");
    expect(reply.status).toBe(303);
    const page = await server.call("GET", reply.headers.get("location") ?? "");
    expect(page.status).toBe(200);
    expect(page.body).toContain("Your answer was recorded");
    expect((await opened.poll()).body.result).toEqual({ action: "approve", data: { feedback: "fine" } });
    expect((await post("action=approve")).status).toBe(409);
  });

  test.each(["/reviews", "/v1/reviews", "/api/reviews", "/review"])(
    "HP-124 a browser's form at %s is answered with pages, also when something is wrong with it",
    async (base) => {
      const opened = await openCase(server, { ...INPUT, timeout: "1h" });
      const post = async (body: string, token = opened.token) => {
        const path = `${base}/${opened.id}/respond?token=${token}`;
        const headers = { ...FORM, accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
        const reply = await server.call("POST", path, { body, headers });
        if (reply.status !== 303) expect(reply.headers.get("content-type")).toContain("text/html");
        return reply;
      };
      expect(await post("_action=submit&name=Ada", "wrong")).toMatchObject({ status: 401 });
      expect((await post("name=Ada")).body).toContain("answer with one of the buttons");
      expect(await post("_action=&name=Ada")).toMatchObject({ status: 400 });
      const wrong = await post("_action=submit&name=");
      expect(wrong.status).toBe(422);
      expect(wrong.body).toContain('aria-invalid="true"');
      expect((await opened.poll()).body.status).toBe("pending");
      const done = await post("_action=submit&name=Ada");
      expect(done.status).toBe(303);
      expect(done.headers.get("location")).toContain(`/review/${opened.id}?token=`);
      expect((await opened.poll()).body.result).toEqual({ action: "submit", data: { name: "Ada" } });
      expect((await post("_action=submit&name=Eve")).status).toBe(409);
    },
  );

  test("HP-124 an inline answer as an HTML form is refused", async () => {
    const opened = await openCase(server, { ...CONFIRMATION, inline: true });
    const path = opened.at("respond").replace(/\?.*/, "");
    const reply = await server.call("POST", path, {
      key: opened.hitl.submit_token,
      body: "action=confirm",
      headers: FORM,
    });
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  test("HP-125 a body that is too large or too deep is refused", async () => {
    const opened = await openCase(server);
    const large = { action: "approve", data: { feedback: "x".repeat(2_000_000) } };
    expect(await opened.respond(large)).toMatchObject({ status: 413, body: { error: "payload_too_large" } });
    const deep = `${'{"a":'.repeat(100)}1${"}".repeat(100)}`;
    expect((await opened.respond(`{"action":"approve","data":${deep}}`)).status).toBe(400);
    expect(
      (
        await server.call("POST", opened.at("respond"), {
          body: `action=approve&feedback=${"x".repeat(2_000_000)}`,
          headers: FORM,
        })
      ).status,
    ).toBe(413);
    expect((await opened.poll()).body.status).toBe("pending");
  });

  test("HP-126 a caller that guesses tokens is limited", async () => {
    await using test = await testServer();
    const opened = await openCase(test, APPROVAL);
    const statuses = [];
    for (let n = 0; n < 100; n += 1)
      statuses.push((await opened.respond({ action: "approve" }, `guess-${n}`)).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const refused = await opened.submit({ action: "approve" }, "guess");
    expect(refused).toMatchObject({ status: 429, body: { error: "rate_limited" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const other = await openCase(test, APPROVAL);
    expect((await other.respond({ action: "approve" }, "guess")).status).toBe(429);
    await test.clock.advance(60_000);
    expect((await opened.respond({ action: "approve" }, "guess")).status).toBe(401);
  });

  test("HP-126 a caller with the right token is not locked out by callers that guess", async () => {
    await using test = await testServer();
    const opened = await openCase(test, { ...CONFIRMATION, inline: true });
    for (let n = 0; n < 100; n += 1) await opened.respond({ action: "confirm" }, `guess-${n}`);
    expect((await opened.respond({ action: "confirm" }, "guess")).status).toBe(429);
    expect((await opened.open()).status).toBe(200);
    expect((await opened.submit({ action: "confirm" })).status).toBe(200);
  });

  test("an answer is checked in the protocol's order", async () => {
    const opened = await openCase(server, { ...CONFIRMATION, inline: ["confirm"] });
    const path = opened.at("submit").replace(/\?.*/, "");
    const token: string = opened.hitl.submit_token;
    const status = async (key: string, body: unknown, at = path) =>
      (await server.call("POST", at, { key, body })).status;
    expect(await status("wrong", "{", "/reviews/review_x/submit")).toBe(404);
    expect(await status("wrong", "{")).toBe(401);
    expect(await status(token, "{")).toBe(400);
    expect(await status(token, { action: "nonsense" })).toBe(400);
    expect((await opened.submit({ action: "nonsense" })).status).toBe(403);
    expect((await opened.submit({ action: "confirm", data: { confirmed_items: ["z"] } })).status).toBe(422);
    expect((await opened.submit({ action: "confirm" })).status).toBe(200);
    expect(await status(token, "{")).toBe(409);
  });
});

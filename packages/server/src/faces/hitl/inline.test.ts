import { PLATFORMS, SUBMIT_CHANNELS } from "@holdpoint/protocol/hitl/words";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM } from "../../kernel/principal.ts";
import {
  APPROVAL,
  CONFIRMATION,
  create,
  ESCALATION,
  INPUT,
  openCase,
  pathOf,
  SELECTION,
  TAPPED,
} from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const INLINE = { ...CONFIRMATION, inline: true };
const THREE = ["submit_url", "submit_token", "inline_actions"];

describe("offering inline answers", () => {
  test.each([APPROVAL, CONFIRMATION, ESCALATION])(
    "HP-127 the author chooses whether a case can be answered inline ($type)",
    async (ask) => {
      const { hitl: without } = await openCase(server, ask);
      for (const name of THREE) expect(without).not.toHaveProperty(name);
      const { hitl } = await openCase(server, { ...ask, inline: true });
      for (const name of THREE) expect(hitl).toHaveProperty(name);
    },
  );

  test.each([SELECTION, INPUT, { type: "x-own", prompt: "?" }])(
    "HP-127 a case of type $type is never offered inline",
    async (ask) => {
      const { hitl } = await openCase(server, { ...ask, inline: true });
      for (const name of THREE) expect(hitl).not.toHaveProperty(name);
    },
  );

  test("HP-127 a workspace can forbid inline answers, also for tokens that were issued before", async () => {
    await using test = await testServer();
    const before = await openCase(test, INLINE);
    await test.server.engine.run({ kind: "set_inline", workspace: "default", by: SYSTEM, allowed: false });
    const { hitl } = await openCase(test, INLINE);
    for (const name of THREE) expect(hitl).not.toHaveProperty(name);
    expect(await before.submit({ action: "confirm" })).toMatchObject({
      status: 403,
      body: { error: "action_not_inline" },
    });
    await test.server.engine.run({ kind: "set_inline", workspace: "default", by: SYSTEM, allowed: true });
    expect((await before.submit({ action: "confirm" })).status).toBe(200);
  });

  test("HP-128 an approval can be approved or rejected inline, and changes are requested on the page", async () => {
    expect((await openCase(server, { ...APPROVAL, inline: true })).hitl.inline_actions).toEqual([
      "approve",
      "reject",
    ]);
    expect((await create(server, { ...APPROVAL, inline: ["edit"] })).status).toBe(400);
    expect((await create(server, { ...APPROVAL, inline: ["confirm"] })).status).toBe(400);
  });

  test("HP-129 a case with high risk can be answered on the page only", async () => {
    const { hitl } = await openCase(server, { ...INLINE, risk: "high" });
    for (const name of THREE) expect(hitl).not.toHaveProperty(name);
  });

  test("HP-129 a submit token that is made later does not allow inline answers to a case with high risk", async () => {
    const opened = await openCase(server, { ...CONFIRMATION, risk: "high" });
    const { body: link } = await server.call("POST", `/v1/holds/${opened.holdId}/links`, {
      key: server.keys.agent,
      body: { purpose: "submit" },
    });
    expect(await opened.submit({ action: "confirm" }, link.token)).toMatchObject({
      status: 403,
      body: { error: "action_not_inline", case_id: opened.id },
    });
    expect((await opened.respond({ action: "confirm" })).status).toBe(200);
  });

  test.each([
    ["0.7", "respond"],
    ["0.8", "submit"],
  ])("HP-130 on %s the submit address ends with %s", async (version, end) => {
    const { hitl } = await openCase(server, INLINE, { headers: { "hitl-version": version } });
    expect(hitl.submit_url).toMatch(new RegExp(`/${end}$`));
  });
});

describe("answering inline", () => {
  test.each(["0.7", "0.8"])(
    "HP-130 an inline answer carries the token as bearer and says who pressed what where (%s)",
    async (version) => {
      const opened = await openCase(server, INLINE, { headers: { "hitl-version": version } });
      const reply = await opened.submit({ action: "confirm", data: { note: "ok" } });
      expect(reply).toMatchObject({ status: 200, body: { status: "completed", case_id: opened.id } });
      expect((await opened.poll()).body.result).toEqual({ action: "confirm", data: { note: "ok" } });
    },
  );

  test("HP-131 finding 9: an inline answer whose display name is null counts, without a name", async () => {
    const found = await openCase(server, INLINE);
    const submitted_by = { ...TAPPED.submitted_by, display_name: null };
    expect((await found.submit({ action: "confirm", submitted_by })).status).toBe(200);
  });

  test("HP-131 an inline answer must name platform and person as text and may have no unknown members", async () => {
    const opened = await openCase(server, INLINE);
    const path = pathOf(opened.hitl.submit_url);
    const send = async (body: object) => {
      const reply = await server.call("POST", path, {
        key: opened.hitl.submit_token,
        body: { action: "confirm", ...body },
      });
      return [reply.status, reply.body.error];
    };
    const { platform: _p, ...noPlatform } = TAPPED.submitted_by;
    const { platform_user_id: _u, ...noUser } = TAPPED.submitted_by;
    for (const body of [
      {},
      { submitted_via: TAPPED.submitted_via },
      { submitted_by: TAPPED.submitted_by },
      { ...TAPPED, submitted_by: noPlatform },
      { ...TAPPED, submitted_by: noUser },
      { ...TAPPED, submitted_by: { ...TAPPED.submitted_by, platform_user_id: 4711 } },
      { ...TAPPED, submitted_by: { ...TAPPED.submitted_by, avatar: "x" } },
      { ...TAPPED, extra: 1 },
    ])
      expect(await send(body)).toEqual([400, "invalid_request"]);
    expect((await opened.poll()).body.status).toBe("pending");
  });

  test.each([...SUBMIT_CHANNELS, "x-pager"])(
    "HP-132 an inline answer can come through %s",
    async (submitted_via) => {
      const opened = await openCase(server, INLINE);
      expect((await opened.submit({ action: "confirm", submitted_via })).status).toBe(200);
      expect((await opened.poll()).body.submission_context.submitted_via).toBe(submitted_via);
    },
  );

  test("HP-132 submitted_via accepts a platform or its button and keeps the long form; other values are refused", async () => {
    const opened = await openCase(server, INLINE);
    expect((await opened.submit({ action: "confirm", submitted_via: "fax" })).status).toBe(400);
    expect((await opened.submit({ action: "confirm", submitted_via: "telegram" })).status).toBe(200);
    expect((await opened.poll()).body.submission_context.submitted_via).toBe("telegram_inline_button");
  });

  test.each([...PLATFORMS, "x-pager"])(
    "HP-133 an inline answer can be given by somebody on %s",
    async (platform) => {
      const opened = await openCase(server, INLINE);
      const submitted_by = { platform, platform_user_id: "1" };
      expect((await opened.submit({ action: "confirm", submitted_by })).status).toBe(200);
    },
  );

  test("HP-133 an inline answer through an unknown platform is refused", async () => {
    const opened = await openCase(server, INLINE);
    const submitted_by = { platform: "fax", platform_user_id: "1" };
    expect((await opened.submit({ action: "confirm", submitted_by })).status).toBe(400);
  });

  test("HP-134 an action that is not offered inline is refused with a pointer to the page, and the case stays open", async () => {
    const opened = await openCase(server, { ...ESCALATION, inline: ["skip", "abort"] });
    for (const action of ["retry", "confirm", "nonsense"])
      expect(await opened.submit({ action })).toMatchObject({
        status: 403,
        body: { error: "action_not_inline", case_id: opened.id },
      });
    expect((await opened.respond({ action: "retry" })).status).toBe(200);
  });

  test("HP-135 the refusal of an inline action contains the page's address without a token", async () => {
    const opened = await openCase(server, { ...APPROVAL, inline: true });
    const { body } = await opened.submit({ action: "edit" });
    expect(body.review_url).toBe(`http://localhost:4100/review/${opened.id}`);
  });

  test("HP-136 a submit token without a list of actions accepts exactly the actions of the type", async () => {
    const opened = await openCase(server, APPROVAL);
    const { body: link } = await server.call("POST", `/v1/holds/${opened.holdId}/links`, {
      key: server.keys.operator,
      body: { purpose: "submit" },
    });
    const { token } = link;
    expect(await opened.submit({ action: "select" }, token)).toMatchObject({
      status: 422,
      body: { error: "invalid_action" },
    });
    expect((await opened.submit({ action: "edit", data: { feedback: "more" } }, token)).status).toBe(200);
  });

  test("HP-137 an inline answer with a wrong token, a second answer and a late answer are refused", async () => {
    await using test = await testServer();
    const opened = await openCase(test, INLINE);
    expect(await opened.submit({ action: "confirm" }, "wrong")).toMatchObject({
      status: 401,
      body: { error: "invalid_token" },
    });
    const path = opened.at("submit").replace(/\?.*/, "");
    expect((await test.call("POST", path, { body: { action: "confirm", ...TAPPED } })).status).toBe(401);
    expect(
      (await test.call("POST", `${path}?token=${opened.token}`, { body: { action: "confirm", ...TAPPED } }))
        .status,
    ).toBe(401);
    expect((await opened.submit({ action: "confirm" })).status).toBe(200);
    expect((await opened.submit({ action: "confirm" })).status).toBe(409);
    const late = await openCase(test, INLINE);
    await test.clock.advance(86_400_000);
    expect((await late.submit({ action: "confirm" })).status).toBe(410);
  });

  test("HP-138 the platform, person and button of an inline answer are in the result and in the log", async () => {
    const opened = await openCase(server, INLINE);
    await opened.submit({ action: "confirm" });
    expect((await opened.poll()).body.submission_context).toEqual({ mode: "inline_submit", ...TAPPED });
    const { body } = await server.call("GET", `/v1/holds/${opened.holdId}`, { key: server.keys.admin });
    expect(body.outcome).toMatchObject({
      door: "inline",
      by: {
        kind: "link",
        claimed: { submitted_via: "telegram_inline_button", platform: "telegram", id: "4711", name: "Ada" },
      },
    });
  });

  test("HP-139 only registered accounts may answer, where a case names them", async () => {
    const submitters = [{ platform: "slack", platform_user_id: "U1" }];
    const opened = await openCase(server, { ...INLINE, submitters });
    for (const submitted_by of [
      TAPPED.submitted_by,
      { platform: "slack", platform_user_id: "U2" },
      { platform: "teams", platform_user_id: "U1" },
    ])
      expect(await opened.submit({ action: "confirm", submitted_by })).toMatchObject({
        status: 403,
        body: { error: "identity_mismatch", case_id: opened.id },
      });
    expect((await opened.submit({ action: "confirm", submitted_by: submitters[0] })).status).toBe(200);
  });

  test("HP-140 the page shows an inline answer like any other", async () => {
    const opened = await openCase(server, INLINE);
    await opened.submit({ action: "confirm" });
    const page = (await opened.open()).body;
    expect(page).toContain("Already answered");
    expect(page).not.toMatch(/<button[^>]*value="confirm"/);
    const stream = await server.server.app.request(new URL(opened.hitl.events_url).pathname, {
      headers: { authorization: `Bearer ${server.keys.agent}` },
    });
    expect(await stream.text()).toMatch(/event: review\.completed\ndata: .*"action":"confirm"/);
  });
});

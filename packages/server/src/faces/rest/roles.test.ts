/** Whom a key stands for. Who may do what is a table of its own: docs/reference/roles.md. */

import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

describe("whom a key stands for", () => {
  const me = (test: TestServer, key: string, agent?: string) =>
    test.call("GET", "/v1/me", { key, headers: agent === undefined ? {} : { "x-agent-id": agent } });

  it("is its own agent, which may be named again and not otherwise", async () => {
    await using test = await testServer();
    expect((await me(test, test.keys.agent)).body).toMatchObject({
      name: "refunder",
      agent: "refunder",
      role: "agent",
    });
    expect(await me(test, test.keys.agent, "refunder")).toMatchObject({ status: 200 });
    expect(await me(test, test.keys.agent, "other")).toMatchObject({
      status: 403,
      body: { code: "agent_mismatch" },
    });
  });

  it("is any agent that it names, if it is a key for any agent, and none if it names none", async () => {
    await using test = await testServer();
    expect((await me(test, test.keys.anyAgent, "shipper")).body).toMatchObject({ agent: "shipper" });
    expect(await me(test, test.keys.anyAgent)).toMatchObject({
      status: 403,
      body: { code: "agent_mismatch" },
    });
    const body = { ...ASK, key: "k" };
    const headers = { "x-agent-id": "shipper" };
    const placed = await test.call("POST", "/v1/holds", { key: test.keys.anyAgent, body, headers });
    expect(placed.body.created_by).toBe("shipper");
    expect((await me(test, test.keys.dev, "shipper")).body).toMatchObject({ name: "shipper", role: "dev" });
  });

  it("is no app and no person for a key for any agent, however they are known", async () => {
    await using test = await testServer({ people: ["lin"] });
    const { admin, anyAgent, operator } = test.keys;
    const refused = { status: 403, body: { code: "agent_mismatch" } };
    expect(await me(test, anyAgent, "shop"), "an app with a configured key").toMatchObject(refused);
    expect(await me(test, anyAgent, "ada"), "an operator with a configured key").toMatchObject(refused);
    expect(await me(test, anyAgent, "lin"), "a configured person").toMatchObject(refused);
    expect(await me(test, anyAgent, "refunder"), "an agent with a key of its own").toMatchObject({
      status: 200,
    });

    expect(await me(test, anyAgent, "mall")).toMatchObject({ status: 200 });
    await test.call("POST", "/v1/keys", { key: admin, body: { name: "mall", role: "app" } });
    expect(await me(test, anyAgent, "mall"), "an app whose key was made since").toMatchObject(refused);

    const signIn = await test.call("POST", "/v1/sign-ins", {
      key: admin,
      body: { name: "zoe", role: "operator" },
    });
    expect(await me(test, anyAgent, "zoe")).toMatchObject({ status: 200 });
    const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
    await test.server.app.request(signIn.body.url, { headers: browser });
    expect(await me(test, anyAgent, "zoe"), "a person who has signed in").toMatchObject(refused);

    const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.app, body: ASK });
    const headers = { "x-agent-id": "shop" };
    expect(await test.call("GET", `/v1/holds/${hold.id}`, { key: anyAgent, headers })).toMatchObject(refused);
    expect(
      await test.call("POST", `/v1/holds/${hold.id}/cancel`, { key: anyAgent, headers, body: {} }),
    ).toMatchObject(refused);
    expect((await me(test, operator, "grace")).body, "an operator's key ignores the header").toMatchObject({
      name: "ada",
    });
  });

  it("is its own role's wildcard never: operator:* and app:* name nobody else", async () => {
    const keys = (["operator", "app"] as const).map((role) => ({
      ...{ secret: `any-${role}`, role, name: "*", workspace: "default" },
    }));
    await using test = await testServer({ keys });
    for (const { secret } of keys) expect((await me(test, secret, "ada")).body).toMatchObject({ name: "*" });
  });

  it("may be sent as X-API-Key", async () => {
    await using test = await testServer();
    const reply = await test.call("GET", "/v1/me", { headers: { "x-api-key": test.keys.auditor } });
    expect(reply.body).toMatchObject({ role: "auditor", workspace: "default" });
  });

  it("is nobody when dev keys are not allowed here", async () => {
    await using test = await testServer({ allowDev: false });
    expect(await me(test, test.keys.dev)).toMatchObject({ status: 401 });
    expect(await me(test, test.keys.agent)).toMatchObject({ status: 200 });
  });
});

describe("G7 who asks cannot answer", () => {
  const answer = (test: TestServer, id: string, key: string, more: object = {}) =>
    test.call("POST", `/v1/holds/${id}/answer`, { key, body: { action: "approve", ...more } });

  it("holds for an app, unless it relays a named end user's answer to what it asked itself", async () => {
    await using test = await testServer();
    const { app } = test.keys;
    const { body: hold } = await test.call("POST", "/v1/holds", { key: app, body: ASK });
    expect(await answer(test, hold.id, app)).toMatchObject({ status: 403 });
    const relayed = await answer(test, hold.id, app, { claimed: { id: "u-7", name: "Eve" } });
    expect(relayed.body.outcome.by).toMatchObject({
      kind: "app",
      name: "shop",
      claimed: { id: "u-7", name: "Eve" },
    });
  });

  it("leaves holds for named people to them", async () => {
    await using test = await testServer();
    const body = { ...ASK, answerers: ["grace"] };
    const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
    expect(hold).toMatchObject({ links: "server", answerers: ["grace"] });
    expect(hold.review_url).toBeUndefined();
    expect(await answer(test, hold.id, test.keys.operator)).toMatchObject({ status: 403 });
    expect(await answer(test, hold.id, test.keys.otherOperator)).toMatchObject({ status: 200 });
  });

  it("holds for operators who asked with a key of the same name", async () => {
    await using test = await testServer();
    const { body: key } = await test.call("POST", "/v1/keys", {
      key: test.keys.admin,
      body: { name: "ada", role: "agent" },
    });
    const { body: hold } = await test.call("POST", "/v1/holds", { key: key.secret, body: ASK });
    expect(await answer(test, hold.id, test.keys.operator)).toMatchObject({ status: 403 });
    expect(await answer(test, hold.id, test.keys.otherOperator)).toMatchObject({ status: 200 });
  });
});

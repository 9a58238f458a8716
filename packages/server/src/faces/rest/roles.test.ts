/** Whom a key stands for. Who may do what is a table of its own: docs/reference/roles.md. */

import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

describe("which principal a key stands for", () => {
  const me = (test: TestServer, key: string, agent?: string) =>
    test.call("GET", "/v1/me", { key, headers: agent === undefined ? {} : { "x-agent-id": agent } });

  it("an agent's key acts as that agent, may repeat its name and may use no other", async () => {
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

  it("a key for any agent acts as the agent that the request names, and the request must name one", async () => {
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

  it("attack 8: a key for any agent cannot act as an app or a person, whatever name it sends", async () => {
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

  it("attack 8: the wildcard of another role, such as operator:* or app:*, names nobody else", async () => {
    const keys = (["operator", "app"] as const).map((role) => ({
      ...{ secret: `any-${role}`, role, name: "*", workspace: "default" },
    }));
    await using test = await testServer({ keys });
    for (const { secret } of keys) expect((await me(test, secret, "ada")).body).toMatchObject({ name: "*" });
  });

  it("a key may be sent as X-API-Key", async () => {
    await using test = await testServer();
    const reply = await test.call("GET", "/v1/me", { headers: { "x-api-key": test.keys.auditor } });
    expect(reply.body).toMatchObject({ role: "auditor", workspace: "default" });
  });

  it("a dev key is refused where dev keys are not allowed", async () => {
    await using test = await testServer({ allowDev: false });
    expect(await me(test, test.keys.dev)).toMatchObject({ status: 401 });
    expect(await me(test, test.keys.agent)).toMatchObject({ status: 200 });
  });
});

describe("G7 who asks cannot answer", () => {
  const answer = (test: TestServer, id: string, key: string, more: object = {}) =>
    test.call("POST", `/v1/holds/${id}/answer`, { key, body: { action: "approve", ...more } });

  it("an app cannot answer its own hold, unless it relays the answer of a named end user", async () => {
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

  it("an app cannot answer a hold that only named people may answer", async () => {
    await using test = await testServer();
    const body = { ...ASK, answerers: ["grace"] };
    const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
    expect(hold).toMatchObject({ links: "server", answerers: ["grace"] });
    expect(hold.review_url).toBeUndefined();
    expect(await answer(test, hold.id, test.keys.operator)).toMatchObject({ status: 403 });
    expect(await answer(test, hold.id, test.keys.otherOperator)).toMatchObject({ status: 200 });
  });

  it("an operator cannot answer a hold that was placed with a key of the same name", async () => {
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

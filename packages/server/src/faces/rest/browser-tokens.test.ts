/** Tokens with which a page of an app reads and answers holds. */

import { MeOut } from "@holdpoint/protocol";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { describe, expect, it } from "vitest";
import { seedPeople } from "../../people-seed.ts";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;
const ORIGIN = "https://shop.example.com";
const MINUTE = 60_000;

const place = async (test: TestServer, more: object = {}, key = test.keys.app) =>
  (await test.call("POST", "/v1/holds", { key, body: { ...ASK, ...more } })).body;

const mint = async (test: TestServer, body: object, key = test.keys.app) =>
  (await test.call("POST", "/v1/browser-tokens", { key, body })).body;

describe("browser tokens of an app", () => {
  it("a browser token answers one hold as the app's user, which is recorded as claimed", async () => {
    await using test = await testServer();
    const { id } = await place(test, {
      metadata: { secret: "internal" },
      callback_url: "http://127.0.0.1:9/",
    });
    const { token, ...made } = await mint(test, { hold_id: id, person: "u_42" });
    expect(made).toMatchObject({ person: "u_42", hold_id: id });
    expect(token).toMatch(/^hpb_/);
    const seen = (await test.call("GET", `/v1/holds/${id}`, { key: token })).body;
    expect(seen).toMatchObject({ prompt: ASK.prompt });
    expect(seen).not.toHaveProperty("metadata");
    expect(seen).not.toHaveProperty("callback_url");
    const body = { action: "approve", claimed: { id: "somebody-else" } };
    const answered = await test.call("POST", `/v1/holds/${id}/answer`, { key: token, body });
    expect(answered.body.outcome.by).toEqual({
      ...{ kind: "app", name: "shop", claimed: { id: "u_42" } },
      id: made.id,
    });
  });

  it("G15: a browser token approves a call that nobody can show only with a note", async () => {
    await using test = await testServer();
    const { id } = await place(test, { context: { call_unknown: true } });
    const { token } = await mint(test, { hold_id: id, person: "u_42" });
    const approve = (data: object) =>
      test.call("POST", `/v1/holds/${id}/answer`, { key: token, body: { action: "approve", data } });
    const refused = await approve({});
    expect(refused.status).toBe(422);
    expect(refused.body.fields).toMatchObject([{ key: "/note", rule: "required" }]);
    expect((await approve({ note: "I looked at the ledger." })).status).toBe(200);
  });

  it("a browser token of an app or an operator reads whom it stands for, as the operation declares it", async () => {
    await using test = await testServer();
    await seedPeople(test.server.engine, { people: { grace: {} } });
    for (const key of [test.keys.app, test.keys.operator]) {
      const { token } = await mint(test, { person: "grace" }, key);
      const reply = await test.call("GET", "/v1/me", { key: token });
      expect(reply.status).toBe(200);
      expect(MeOut.safeParse(reply.body).error).toBeUndefined();
    }
  });

  it("a browser token reaches no hold of other users, agents or apps, neither in lists nor in streams", async () => {
    await using test = await testServer();
    const own = await place(test, { metadata: { person: "u_42" } });
    const others = [
      await place(test, { metadata: { person: "u_43" } }),
      await place(test),
      await place(test, { metadata: { person: "u_42" } }, test.keys.agent),
    ];
    const { token } = await mint(test, { person: "u_42" });
    const list = (await test.call("GET", "/v1/holds?status=open", { key: token })).body;
    expect(list.holds.map(({ id }: { id: string }) => id)).toEqual([own.id]);
    for (const { id } of others) {
      expect(await test.call("GET", `/v1/holds/${id}`, { key: token })).toMatchObject({ status: 404 });
      const answer = { key: token, body: { action: "approve" } };
      expect(await test.call("POST", `/v1/holds/${id}/answer`, answer)).toMatchObject({ status: 404 });
    }
    const fetch = async (input: string, init: RequestInit) =>
      test.server.app.request(input.replace("http://test", ""), init);
    const client = httpHoldClient({ url: "http://test", apiKey: token, runtime: { fetch } });
    const stop = new AbortController();
    const seen: (string | undefined)[] = [];
    for await (const { holdId } of client.follow({ after: 0, signal: stop.signal })) {
      seen.push(holdId);
      stop.abort();
    }
    expect(seen).toEqual([own.id]);
  });

  it("a browser token ends after its time, when it is revoked, and with the key that made it", async () => {
    await using test = await testServer();
    const { id } = await place(test);
    const read = async (token: string) => (await test.call("GET", `/v1/holds/${id}`, { key: token })).status;
    const short = await mint(test, { hold_id: id, person: "u", expires_in: "1m" });
    const { token, id: tokenId } = await mint(test, { hold_id: id, person: "u" });
    expect([await read(short.token), await read(token)]).toEqual([200, 200]);
    await test.clock.advance(MINUTE);
    expect([await read(short.token), await read(token)]).toEqual([401, 200]);
    const revoked = await test.call("DELETE", `/v1/browser-tokens/${tokenId}`, { key: test.keys.app });
    expect(revoked.body).toMatchObject({ id: tokenId, revoked_at: expect.any(String) });
    expect(await read(token)).toBe(401);
    const key = { key: test.keys.admin, body: { name: "mall", role: "app" } };
    const app = (await test.call("POST", "/v1/keys", key)).body;
    const hold = await place(test, {}, app.secret);
    const other = await mint(test, { hold_id: hold.id, person: "u" }, app.secret);
    const me = async () => (await test.call("GET", "/v1/me", { key: other.token })).status;
    expect(await me()).toBe(200);
    await test.call("DELETE", `/v1/keys/${app.id}`, { key: test.keys.admin });
    expect(await me()).toBe(401);
  });

  it.each([
    { expires_in: "61m" },
    { origins: ["https://shop.example.com/path"] },
    { origins: [] },
    { person: "" },
  ])("a browser token is refused with %j", async (more) => {
    await using test = await testServer();
    const body = { person: "u", ...more };
    const reply = await test.call("POST", "/v1/browser-tokens", { key: test.keys.app, body });
    expect(reply).toMatchObject({ status: 422, body: { code: "invalid_body" } });
  });

  it("a browser token is stored as a hash, and its secret is in no row and no log (G9)", async () => {
    await using test = await testServer();
    const { token } = await mint(test, { person: "u" });
    const rows = await test.store.query({ workspace: "default", kind: "browser_token", limit: 10 });
    const log = (await test.call("GET", "/v1/log", { key: test.keys.admin })).body;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([rows, log])).not.toContain(token.slice(-43));
    expect(JSON.stringify(log)).toContain("browser_token.made");
  });
});

describe("browser tokens of an operator", () => {
  it("an operator's browser token votes as that person with the strength of a link, which counts only if the rule allows it", async () => {
    await using test = await testServer();
    await seedPeople(test.server.engine, { people: { ada: {}, grace: {} } });
    const rule = (strength: string) => ({
      decision: { approve: [{ need: 2, from: ["person:ada", "person:grace"] }], strength },
    });
    const weak = await place(test, rule("link"), test.keys.agent);
    const strong = await place(test, rule("session"), test.keys.agent);
    const { token } = await mint(test, { person: "grace" }, test.keys.operator);
    const vote = (id: string) =>
      test.call("POST", `/v1/holds/${id}/answer`, { key: token, body: { action: "approve" } });
    expect((await vote(weak.id)).body).toMatchObject({
      status: "open",
      votes: [{ person: "grace", strength: "link" }],
    });
    expect(await vote(strong.id)).toMatchObject({ status: 403, body: { code: "strength_too_low" } });
    const withdrawn = await test.call("DELETE", `/v1/holds/${weak.id}/vote`, { key: token });
    expect(withdrawn.body.votes).toEqual([]);
    await test.call("PATCH", "/v1/people/grace", { key: test.keys.admin, body: { status: "suspended" } });
    expect(await vote(weak.id)).toMatchObject({ status: 401 });
  });

  /** The status of calls with tokens for ada that grace made: with her key, and in a session. */
  async function madeByGrace(test: TestServer) {
    await seedPeople(test.server.engine, { people: { ada: {}, grace: {} } });
    const grace = await signedInPerson(test, "grace");
    const tokens = [
      await mint(test, { person: "ada" }, test.keys.otherOperator),
      (await grace.call("POST", "/v1/browser-tokens", { person: "ada" })).body,
    ];
    return () =>
      Promise.all(
        tokens.map(async ({ token }) => (await test.call("GET", "/v1/holds", { key: token })).status),
      );
  }

  const patch = (test: TestServer, body: object) =>
    test.call("PATCH", "/v1/people/grace", { key: test.keys.admin, body });

  it("a browser token is refused once the operator who made it by key or in a session is suspended or erased", async () => {
    await using test = await testServer();
    const used = await madeByGrace(test);
    expect(await used()).toEqual([200, 200]);
    await patch(test, { status: "suspended" });
    expect(await used()).toEqual([401, 401]);
    await patch(test, { status: "active" });
    expect(await used()).toEqual([200, 401]);
    await test.call("POST", "/v1/people/grace/erase", { key: test.keys.admin });
    expect(await used()).toEqual([401, 401]);
  });

  it("a browser token that an operator made in a session is refused once another role has ended the operator's sessions", async () => {
    await using test = await testServer();
    const used = await madeByGrace(test);
    await patch(test, { role: "auditor" });
    expect(await used()).toEqual([200, 401]);
  });
});

describe("requests from pages of other origins", () => {
  const preflight = (test: TestServer, path: string, origin: string, method = "POST") =>
    test.call("OPTIONS", path, { headers: { origin, "access-control-request-method": method } });

  it("cross-origin requests, preflight included, are allowed from configured origins where browser tokens are accepted", async () => {
    await using test = await testServer({ corsOrigins: [ORIGIN] });
    const { id } = await place(test);
    const { token } = await mint(test, { hold_id: id, person: "u" });
    const asked = await preflight(test, `/v1/holds/${id}/answer`, ORIGIN);
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(asked.headers.get("access-control-allow-methods")).toBe("POST");
    expect(asked.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
    for (const path of [`/v1/holds/${id}`, "/v1/holds", "/v1/holds/none", "/v1/me"]) {
      const reply = await test.call("GET", path, { key: token, headers: { origin: ORIGIN } });
      expect(reply.headers.get("access-control-allow-origin"), path).toBe(ORIGIN);
      expect(reply.headers.get("vary")).toBe("Origin");
    }
    const stream = await test.server.app.request("/v1/events", {
      headers: { authorization: `Bearer ${token}`, origin: ORIGIN },
    });
    expect(stream.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    await stream.body?.cancel();
  });

  it("cross-origin requests are refused from other origins, on other routes, and without configuration", async () => {
    await using test = await testServer({ corsOrigins: [ORIGIN] });
    await using closed = await testServer();
    const allowed = "access-control-allow-origin";
    const other = await preflight(test, "/v1/holds", "https://evil.example.com", "GET");
    expect(other.headers.get(allowed)).toBeNull();
    expect((await preflight(test, "/v1/keys", ORIGIN)).status).toBe(405);
    expect((await preflight(closed, "/v1/holds", ORIGIN, "GET")).status).toBe(405);
    const key = test.keys.operator;
    const headers = { origin: ORIGIN };
    expect((await test.call("GET", "/v1/keys", { key, headers })).headers.get(allowed)).toBeNull();
    const placing = await test.call("POST", "/v1/holds", { key: test.keys.app, headers, body: ASK });
    expect(placing.headers.get(allowed)).toBeNull();
    const read = await closed.call("GET", "/v1/holds", { key: closed.keys.operator, headers });
    expect(read.headers.get(allowed)).toBeNull();
  });

  it("a browser token that names origins works from those origins only", async () => {
    await using test = await testServer({ corsOrigins: [ORIGIN] });
    const { token } = await mint(test, { person: "u", origins: [ORIGIN] });
    const from = async (headers: Record<string, string>) =>
      (await test.call("GET", "/v1/me", { key: token, headers })).status;
    expect(await from({ origin: ORIGIN })).toBe(200);
    expect(await from({ origin: "https://evil.example.com" })).toBe(401);
    expect(await from({})).toBe(401);
  });
});

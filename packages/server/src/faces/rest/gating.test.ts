/** Rules, checks and grants over the native API. */

import { describe, expect, test } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const put = (server: TestServer, body: object, headers = {}, key = server.keys.admin) =>
  server.call("PUT", "/v1/rules", { key, body, headers });
const check = (server: TestServer, args: object, part: object = {}, key = server.keys.agent) =>
  server.call("POST", "/v1/checks", { key, body: { tool: "pay", args, ...part } });
const answer = (server: TestServer, id: string, body: object) =>
  server.call("POST", `/v1/holds/${id}/answer`, { key: server.keys.operator, body });

const RULES = {
  rules: [
    { name: "reads", tools: ["read_*"], verdict: "allow" },
    { tools: ["pay"], when: { "args.amount": { max: 5 } }, verdict: "allow" },
    { tools: ["drop"], verdict: "deny", reason: "Nobody drops tables here." },
  ],
  default: "ask",
};

describe("publishing rules", () => {
  test("publishing rules returns a version, words for each rule and warnings, and the history says who published and why", async () => {
    await using server = await testServer();
    const none = await server.call("GET", "/v1/rules", { key: server.keys.operator });
    expect(none.body).toMatchObject({ version: 0, rules: [], default: "ask", mode: "enforce" });
    const first = await put(server, { ...RULES, note: "a start" }, { "if-match": '"0"' });
    expect(first).toMatchObject({ status: 200, body: { version: 1, warnings: [] } });
    expect(first.body.explained[1]).toBe("Allow calls of pay if amount is at most 5.");
    const twice = { rules: [...RULES.rules, { tools: ["drop"], verdict: "allow" }] };
    const second = await put(server, twice, { "if-match": '"1"' });
    expect(second.body.warnings).toMatchObject([{ kind: "contradictory", rule: 3, because_of: 2 }]);
    const { body } = await server.call("GET", "/v1/rules/history", { key: server.keys.auditor });
    expect(body.versions).toMatchObject([
      { version: 2, published_by: "key:root" },
      { version: 1, note: "a start" },
    ]);
  });

  test("publishing is refused for a stale version, a rule with an error, a misspelt member, and every key but an admin's", async () => {
    await using server = await testServer();
    await put(server, RULES);
    expect(await put(server, { rules: [] }, { "if-match": '"0"' })).toMatchObject({ status: 412 });
    const broken = { rules: [{ tools: ["a"], when: { "args.x": { matches: "(" } }, verdict: "allow" }] };
    const refused = await put(server, broken);
    expect(refused).toMatchObject({ status: 422, body: { code: "invalid_rules" } });
    expect(refused.body.fields[0].key).toBe("/rules/0/when/args.x");
    expect(await put(server, { rules: [{ tools: ["a"], verdict: "allow", els: 1 }] })).toMatchObject({
      status: 422,
    });
    for (const key of [server.keys.agent, server.keys.operator, server.keys.auditor])
      expect(await put(server, { rules: [] }, {}, key)).toMatchObject({ status: 403 });
    const { body } = await server.call("GET", "/v1/rules", { key: server.keys.admin });
    expect(body.version).toBe(1);
    expect(await server.call("GET", "/v1/rules", { key: server.keys.agent })).toMatchObject({ status: 403 });
  });

  test("a rule whose decision nobody can meet is published with a warning, until enough people can vote", async () => {
    await using server = await testServer();
    const { admin } = server.keys;
    const post = (path: string, body: object) => server.call("POST", path, { key: admin, body });
    await post("/v1/people", { id: "lin", name: "Lin" });
    await post("/v1/teams", { id: "finance", members: ["lin"] });
    const decision = { approve: [{ need: 2, from: ["team:finance"] }] };
    const { body } = await put(server, { rules: [{ tools: ["pay"], verdict: "ask", decision }] });
    expect(body.warnings).toMatchObject([
      { kind: "unfulfillable", rule: 0, message: expect.stringContaining("only 1 can fill its seats") },
    ]);
    await post("/v1/people", { id: "mia", name: "Mia", teams: ["finance"] });
    const later = await server.call("GET", "/v1/rules", { key: admin });
    expect(later.body.warnings).toEqual([]);
  });

  test("one call can be tried against rules without recording anything", async () => {
    await using server = await testServer();
    const call = { agent: "a", tool: "pay", args: { amount: 5 } };
    const post = (body: object) => server.call("POST", "/v1/rules/try", { key: server.keys.operator, body });
    expect((await post(call)).body).toMatchObject({ verdict: "ask", rule: null });
    expect((await post({ ...call, rules: RULES })).body).toMatchObject({
      verdict: "allow",
      rule: { index: 1 },
    });
    expect((await server.call("GET", "/v1/checks", { key: server.keys.operator })).body.checks).toEqual([]);
  });
});

describe("checks", () => {
  test("a check returns verdict, rule, reason and version, and an ask also its hold", async () => {
    await using server = await testServer();
    await put(server, RULES);
    expect((await check(server, { amount: 5 })).body).toMatchObject({
      verdict: "allow",
      rule: { index: 1 },
      rules_version: 1,
    });
    expect((await check(server, {}, { tool: "drop" })).body).toMatchObject({
      verdict: "deny",
      reason: "Nobody drops tables here.",
    });
    const asked = await check(server, { amount: 6 });
    expect(asked.body).toMatchObject({
      verdict: "ask",
      rule: null,
      hold: { status: "open", grantable: true },
    });
    expect(asked.body.hold.context).toMatchObject({ tool: "pay", arguments: { amount: 6 } });
    expect(asked.body.hold.review_url).toBeUndefined();
    expect((await check(server, { amount: 6 })).body.hold.id).toBe(asked.body.hold.id);
  });

  test("an approved call is allowed, claimed once with the edited arguments, refused while it runs, and asked about again afterwards", async () => {
    await using server = await testServer();
    const { hold } = (await check(server, { amount: 6 })).body;
    await answer(server, hold.id, { action: "approve", data: { edited_args: { amount: 4 } } });
    const allowed = (await check(server, { amount: 6 })).body;
    expect(allowed).toMatchObject({
      verdict: "allow",
      hold: { id: hold.id, outcome: { data: { edited_args: { amount: 4 } } } },
    });
    const claim = { key: server.keys.agent, body: { digest: hold.digest } };
    const claimed = await server.call("POST", `/v1/holds/${hold.id}/claim`, claim);
    expect(claimed).toMatchObject({ status: 201 });
    const running = (await check(server, { amount: 6 })).body;
    expect(running).toMatchObject({ verdict: "deny", reason: expect.stringContaining("is being executed") });
    const done = { key: server.keys.agent, body: { ok: true } };
    await server.call("POST", `/v1/holds/${hold.id}/claim/${claimed.body.id}/done`, done);
    expect((await check(server, { amount: 6 })).body.hold.id).not.toBe(hold.id);
  });

  test("a rejected call is denied with the person's words, which are in no check and not in the log (G9)", async () => {
    await using server = await testServer();
    const { hold } = (await check(server, { amount: 6 })).body;
    await answer(server, hold.id, { action: "reject", data: { reason: "Ask Marta first" } });
    const denied = (await check(server, { amount: 6 })).body;
    expect(denied).toMatchObject({
      ...{ verdict: "deny", reason: "A person rejected this call: Ask Marta first" },
    });
    const erased = await server.call("POST", `/v1/holds/${hold.id}/erase`, { key: server.keys.admin });
    expect(erased.status).toBeLessThan(300);
    const events = await server.store.events({ after: 0, limit: 1_000 });
    expect(JSON.stringify(events)).not.toContain("Marta");
    const checks = await server.store.query({ workspace: "default", kind: "check", limit: 10 });
    expect(checks).toHaveLength(2);
    expect(JSON.stringify(checks)).not.toContain("Marta");
  });

  test("session, key and local rules are part of a check", async () => {
    await using server = await testServer();
    const plain = (await check(server, { n: 1 })).body.hold.id;
    expect((await check(server, { n: 1 }, { session: "s" })).body.hold.id).toBe(plain);
    expect((await check(server, { n: 1 }, { key: "second" })).body.hold.id).not.toBe(plain);
    await put(server, { rules: [], default: "allow" });
    const local = { local_rules: { digest: "sha256:x", verdict: "deny" } };
    expect((await check(server, { n: 1 }, local)).body.verdict).toBe("deny");
    const ask = { local_rules: { digest: "sha256:x", verdict: "ask" } };
    expect((await check(server, { n: 9 }, ask)).body.verdict).toBe("ask");
    expect(
      (await check(server, { n: 9 }, { local_rules: { digest: "sha256:x", verdict: "allow" } })).body.verdict,
    ).toBe("allow");
  });

  test("the log verifies after checks, answers, grants and revocations", async () => {
    await using server = await testServer();
    const { hold } = (await check(server, { amount: 6 })).body;
    await answer(server, hold.id, { action: "approve", grant: { for: "1h" } });
    await check(server, { amount: 6 });
    const { body } = await server.call("POST", "/v1/log/verify", { key: server.keys.admin });
    expect(body).toMatchObject({ breaks: [] });
  });

  test("coverage shows every tool that was seen, and what no rule is about", async () => {
    await using server = await testServer();
    await put(server, { rules: RULES.rules, default: "allow" });
    await check(server, { amount: 1 });
    await check(server, { amount: 1 });
    await check(server, {}, { tool: "mail" });
    const { body } = await server.call("GET", "/v1/coverage", { key: server.keys.operator });
    expect(body.tools).toMatchObject([
      { tool: "mail", calls: 1, allow: 1, gated: false },
      { tool: "pay", calls: 2, allow: 2, gated: true },
    ]);
  });

  test("recorded checks are replayed against other rules, in pages whose numbers add up", async () => {
    await using server = await testServer();
    for (const amount of [1, 2, 3]) {
      const { hold } = (await check(server, { amount })).body;
      const action = amount === 3 ? "reject" : "approve";
      if (amount < 3) await answer(server, hold.id, { action });
      else await answer(server, hold.id, { action, data: { reason: "no" } });
      await server.clock.advance(1);
    }
    const body = {
      rules: [{ tools: ["pay"], when: { "args.amount": { max: 2 } }, verdict: "allow" }],
      limit: 2,
    };
    const key = server.keys.operator;
    const first = (await server.call("POST", "/v1/rules/replay", { key, body })).body;
    const second = (
      await server.call("POST", "/v1/rules/replay", { key, body: { ...body, cursor: first.next_cursor } })
    ).body;
    expect(second.next_cursor).toBeUndefined();
    expect(first.checks + second.checks).toBe(3);
    expect(first.approved_then_allowed + second.approved_then_allowed).toBe(2);
    expect(first.rejected_then_allowed + second.rejected_then_allowed).toBe(0);
  });
});

describe("grants", () => {
  async function granted(server: TestServer, grant: object, args: object = { amount: 6 }) {
    const { hold } = (await check(server, args)).body;
    const reply = await answer(server, hold.id, { action: "approve", grant });
    return { hold, reply };
  }

  test("an approval may allow similar calls, and the list of grants shows terms in words, uses and the hold it came from", async () => {
    await using server = await testServer();
    const { hold, reply } = await granted(server, {
      for: "2h",
      uses: 2,
      args: { amount: { min: 1, max: 9 } },
    });
    expect(reply.body.outcome.grant_id).toMatch(/^grant_/);
    const next = (await check(server, { amount: 7 })).body;
    expect(next).toMatchObject({ verdict: "allow", grant_id: reply.body.outcome.grant_id });
    expect(next.hold.outcome.by).toEqual({ kind: "grant", id: reply.body.outcome.grant_id });
    const { body } = await server.call("GET", "/v1/grants", { key: server.keys.operator });
    expect(body.grants).toMatchObject([
      {
        state: "active",
        used: 1,
        uses: 2,
        explained: "amount is from 1 to 9",
        hold_id: hold.id,
        minted_by: { kind: "key" },
      },
    ]);
  });

  test("a grant that is too long or has no end is refused, and the hold stays open", async () => {
    await using server = await testServer();
    const long = await granted(server, { for: "8d" });
    expect(long.reply).toMatchObject({ status: 422, body: { code: "grant_too_long" } });
    expect((await answer(server, long.hold.id, { action: "approve", grant: {} })).status).toBe(422);
    expect(
      (await answer(server, long.hold.id, { action: "approve", grant: { until: "2030-01-01T00:00:00Z" } }))
        .status,
    ).toBe(422);
    expect((await check(server, { amount: 6 })).body.hold.status).toBe("open");
  });

  test("a revoked grant answers nothing any more, and a changed rule suspends it", async () => {
    await using server = await testServer();
    await granted(server, { for: "2h", uses: 9, args: { amount: "any" } });
    const [grant] = (await server.call("GET", "/v1/grants", { key: server.keys.operator })).body.grants;
    await put(server, { rules: [{ tools: ["pay"], verdict: "ask", timeout: "1h" }] });
    const suspended = (await server.call("GET", "/v1/grants", { key: server.keys.auditor })).body.grants;
    expect(suspended).toMatchObject([{ state: "suspended" }]);
    expect((await check(server, { amount: 50 })).body.verdict).toBe("ask");
    const gone = await server.call("DELETE", `/v1/grants/${grant.id}`, { key: server.keys.operator });
    expect(gone.body).toMatchObject({ state: "revoked", revoked_by: expect.any(String) });
    expect(await server.call("DELETE", `/v1/grants/${grant.id}`, { key: server.keys.agent })).toMatchObject({
      status: 403,
    });
  });

  test("of two hundred checks at once against a grant with one use left, one is granted", async () => {
    await using server = await testServer();
    const { hold } = await granted(server, { for: "1h", uses: 1, args: { amount: "any" } });
    const claim = { key: server.keys.agent, body: { digest: hold.digest } };
    await server.call("POST", `/v1/holds/${hold.id}/claim`, claim);
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_none, n) => check(server, { amount: 100 + n })),
    );
    const allowed = replies.filter(({ body }) => body.verdict === "allow");
    expect(allowed).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(200 - 1 - 100);
  });

  test("a tool whose calls people always approve unchanged is suggested, and nothing is allowed by that", async () => {
    await using server = await testServer();
    for (let amount = 0; amount < 20; amount++) {
      const { hold } = (await check(server, { amount })).body;
      await answer(server, hold.id, { action: "approve" });
    }
    const { body } = await server.call("GET", "/v1/suggestions", { key: server.keys.operator });
    expect(body.suggestions).toMatchObject([{ tool: "pay", approved_unchanged: 20, asked: 20 }]);
    expect((await check(server, { amount: 99 })).body.verdict).toBe("ask");
  });
});

test("what a grant allowed names no person as decider, in any face (G5)", async () => {
  await using server = await testServer();
  const { call, keys } = server;
  const { hold } = (await check(server, { amount: 6 })).body;
  await answer(server, hold.id, { action: "approve", grant: { for: "1h", args: { amount: "any" } } });
  const { hold: allowed } = (await check(server, { amount: 7 })).body;
  const read = async (path: string, key: string) => JSON.stringify((await call("GET", path, { key })).body);
  const texts = await Promise.all([
    read(`/v1/holds/${allowed.id}`, keys.agent),
    read(`/v1/holds/${allowed.id}`, keys.operator),
    read(`/v1/holds/${allowed.id}/events`, keys.agent),
    read(`/reviews/${allowed.case_id}/status`, keys.agent),
  ]);
  const listed = (await call("GET", "/v1/holds", { key: keys.operator })).body.holds;
  texts.push(JSON.stringify(listed.find(({ id }: { id: string }) => id === allowed.id)));
  // Nobody was notified, so there is no review link, and none can be made for a hold that has ended.
  const link = await call("POST", `/v1/holds/${allowed.id}/links`, { key: keys.operator, body: {} });
  expect(link.status).toBe(409);
  const over = { key: keys.agent, body: mcpCall("get_answer", { question_id: allowed.id }) };
  const told = JSON.stringify((await call("POST", "/mcp", over)).body);
  expect(told).toContain("answered");
  texts.push(told);
  for (const text of texts) {
    expect(text.length).toBeGreaterThan(2);
    expect(text).not.toMatch(/\bada\b/i);
  }
  expect(texts[3]).toContain('"status":"completed"');
  expect(texts[3]).not.toContain("responded_by");
});

const mcpCall = (name: string, given: object) => ({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: { name, arguments: given },
});

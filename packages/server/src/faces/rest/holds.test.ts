import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } } as const;

const place = (
  test: TestServer,
  more: object = {},
  headers: Record<string, string> = {},
  key = test.keys.agent,
) => test.call("POST", "/v1/holds", { key, body: { ...ASK, ...more }, headers });
const answer = (
  test: TestServer,
  id: string,
  body: object = { action: "approve" },
  headers: Record<string, string> = {},
) => test.call("POST", `/v1/holds/${id}/answer`, { key: test.keys.operator, body, headers });
const read = (test: TestServer, path: string, headers: Record<string, string> = {}, key = test.keys.agent) =>
  test.call("GET", path, { key, headers });

describe("placing under a key (G8)", () => {
  it.each([
    ["in the body", { key: "k" }, {}],
    ["in the header", {}, { "idempotency-key": "k" }],
  ])(
    "placing again with the key given %s finds the same hold, open or settled",
    async (_where, more, headers) => {
      await using test = await testServer();
      const first = await place(test, more, headers);
      expect(first.status).toBe(201);
      const again = await place(test, more, headers);
      expect(again).toMatchObject({ status: 200, body: { id: first.body.id, status: "open" } });
      await answer(test, first.body.id);
      const later = await place(test, more, headers);
      expect(later).toMatchObject({
        status: 200,
        body: { id: first.body.id, outcome: { action: "approve" } },
      });
      expect(later.body.review_url).toBeUndefined();
    },
  );

  it("placing again under a key returns a link that works, as the first call did", async () => {
    await using test = await testServer();
    await place(test, { key: "k" });
    const { body } = await place(test, { key: "k" });
    const page = await test.server.app.request(body.review_url);
    expect(page.status).toBe(200);
  });

  it("the key in the body takes precedence over the header", async () => {
    await using test = await testServer();
    const { body } = await place(test, { key: "body" }, { "idempotency-key": "header" });
    expect(body.key).toBe("body");
  });

  it.each([
    ["another question", { prompt: "Refund 50 EUR?" }],
    ["another context", { context: { order: "o-2" } }],
    ["another thread", { thread_id: "t" }],
  ])("placing again under a key is refused with %s", async (_what, more) => {
    await using test = await testServer();
    await place(test, { key: "k" });
    expect(await place(test, { key: "k", ...more })).toMatchObject({
      status: 409,
      body: { code: "key_reused" },
    });
  });

  it.each([
    ["timeout", { timeout: "1h" }],
    ["metadata", { metadata: { a: 1 } }],
    ["callback", { callback_url: "http://127.0.0.1:9/" }],
  ])("placing again under a key ignores another %s", async (_what, more) => {
    await using test = await testServer();
    await place(test, { key: "k" });
    expect(await place(test, { key: "k", ...more })).toMatchObject({ status: 200 });
  });

  it("placing with `after` opens the next hold after a settled one, once", async () => {
    await using test = await testServer();
    const { body: first } = await place(test, { key: "k" });
    expect(await place(test, { key: "k", after: first.id })).toMatchObject({
      status: 409,
      body: { code: "after_not_settled" },
    });
    await answer(test, first.id);
    const next = await place(test, { key: "k", after: first.id });
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(first.id);
    expect(await place(test, { key: "k", after: first.id })).toMatchObject({
      status: 200,
      body: { id: next.body.id },
    });
  });

  it("a key belongs to one agent", async () => {
    await using test = await testServer();
    const mine = await place(test, { key: "k" });
    const theirs = await place(test, { key: "k" }, {}, test.keys.otherAgent);
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it("fifty racing calls with one key get one hold", async () => {
    await using test = await testServer();
    const replies = await Promise.all(Array.from({ length: 50 }, () => place(test, { key: "k" })));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe("reading a hold", () => {
  it("reading an unchanged hold with its ETag returns 304", async () => {
    await using test = await testServer();
    const placed = await place(test);
    const etag = placed.headers.get("etag") ?? "";
    const path = `/v1/holds/${placed.body.id}`;
    expect((await read(test, path)).headers.get("etag")).toBe(etag);
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`, "*"]) {
      const reply = await read(test, path, { "if-none-match": known });
      expect(reply).toMatchObject({ status: 304, body: "" });
      expect(reply.headers.get("etag")).toBe(etag);
    }
    await answer(test, placed.body.id);
    expect(await read(test, path, { "if-none-match": etag })).toMatchObject({ status: 200 });
  });

  it("an answer with If-Match counts only for the version that was read", async () => {
    await using test = await testServer();
    const { body } = await place(test);
    expect(await answer(test, body.id, undefined, { "if-match": '"7"' })).toMatchObject({
      status: 412,
      body: { code: "precondition_failed" },
    });
    expect(await answer(test, body.id, undefined, { "if-match": "nonsense" })).toMatchObject({ status: 412 });
    expect(await answer(test, body.id, undefined, { "if-match": `"${body.version}"` })).toMatchObject({
      status: 200,
    });
  });

  it("G12 an answer may name the digest that was shown, and a different one is refused", async () => {
    await using test = await testServer();
    const { body } = await place(test);
    const reply = await answer(test, body.id, { action: "approve", shown: body.digest });
    expect(reply.body.outcome.shown).toBe(body.digest);
  });
});

describe("waiting for an outcome (G8)", () => {
  it("a wait that times out returns the hold unchanged and frees the waiter", async () => {
    await using test = await testServer();
    const { body } = await place(test);
    const waiting = read(test, `/v1/holds/${body.id}?wait=5`);
    await test.clock.advance(5_000);
    expect(await waiting).toMatchObject({ status: 200, body: { status: "open" } });
    expect(test.server.feed.waiting).toBe(0);
  });

  it("a wait lasts at most a minute, however long the request asks", async () => {
    await using test = await testServer();
    const { body } = await place(test);
    const waiting = read(test, `/v1/holds/${body.id}?wait=3600`);
    await test.clock.advance(60_000);
    expect(await waiting).toMatchObject({ body: { status: "open" } });
  });

  it("a wait finds an answer that came before it", async () => {
    await using test = await testServer();
    const { body } = await place(test);
    await answer(test, body.id);
    expect(await read(test, `/v1/holds/${body.id}?wait=60`)).toMatchObject({ body: { status: "decided" } });
  });

  it("a wait ends at an expiry and at a cancellation", async () => {
    await using test = await testServer();
    const { body: short } = await place(test, { timeout: "10s", on_timeout: "reject" });
    const { body: other } = await place(test);
    const expiring = read(test, `/v1/holds/${short.id}?wait=30`);
    const cancelled = read(test, `/v1/holds/${other.id}?wait=30`);
    await test.call("POST", `/v1/holds/${other.id}/cancel`, {
      key: test.keys.agent,
      body: { reason: "changed my mind" },
    });
    await test.clock.advance(10_000);
    expect((await expiring).body.outcome).toEqual({
      kind: "expired",
      default: { action: "reject" },
      at: "2026-01-01T00:00:10.000Z",
    });
    expect((await cancelled).body.outcome).toMatchObject({ kind: "cancelled", reason: "changed my mind" });
  });

  it("a wait of a client that disconnected is freed and changes nothing", async () => {
    await using test = await testServer();
    const { body } = await place(test);
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${test.keys.agent}` };
    const request = new Request(`http://localhost/v1/holds/${body.id}?wait=60`, {
      headers,
      signal: gone.signal,
    });
    const waiting = test.server.app.request(request);
    while (test.server.feed.waiting === 0) await new Promise(setImmediate);
    gone.abort();
    await waiting;
    expect(test.server.feed.waiting).toBe(0);
    expect(await read(test, `/v1/holds/${body.id}`)).toMatchObject({
      body: { status: "open", version: body.version },
    });
  });
});

describe("listing holds", () => {
  async function filled() {
    const test = await testServer();
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      const key = i % 3 === 0 ? test.keys.otherAgent : test.keys.agent;
      const { body } = await place(
        test,
        { prompt: `Refund number ${i}?`, key: `k${i}`, thread_id: `t${i % 2}` },
        {},
        key,
      );
      ids.push(body.id);
      await test.clock.advance(1);
    }
    await answer(test, ids[1] ?? "");
    return { test, ids, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
  }
  const list = async (test: TestServer, query: string, key = test.keys.operator) =>
    (await read(test, `/v1/holds${query}`, {}, key)).body;
  const prompts = (body: { holds: readonly { prompt: string }[] }) =>
    body.holds.map(({ prompt }) => Number(prompt.match(/\d+/)?.[0]));

  it("pages of holds are newest first, without a gap or a repeat", async () => {
    await using all = await filled();
    const seen: number[] = [];
    let cursor = "";
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await list(all.test, `?limit=2${cursor}`);
      seen.push(...prompts(page));
      if (page.next_cursor === undefined) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  it.each([
    ["?status=decided", [1]],
    ["?status=open&created_by=other", [6, 3, 0]],
    ["?created_by=refunder", [5, 4, 2, 1]],
    ["?thread_id=t0", [6, 4, 2, 0]],
    ["?thread_id=t1&status=open", [5, 3]],
    ["?q=number%204", [4]],
    ["?q=NUMBER&status=decided", [1]],
    ["?q=number&thread_id=t1", [5, 3, 1]],
    ["?q=nothing", []],
    ["?key=k1&created_by=refunder", [1]],
    ["?key=k1&created_by=refunder&status=open", []],
    ["?created_by=nobody", []],
    ["?group_id=none", []],
    ["?intent_id=none", []],
  ])("a list filtered by %s has exactly the matching holds", async (query, expected) => {
    await using all = await filled();
    expect(prompts(await list(all.test, query))).toEqual(expected);
  });

  it("an agent's list has its own holds only", async () => {
    await using all = await filled();
    const { agent } = all.test.keys;
    expect(prompts(await list(all.test, "", agent))).toEqual([5, 4, 2, 1]);
    expect(prompts(await list(all.test, "?created_by=other", agent))).toEqual([]);
    expect(prompts(await list(all.test, "?q=number", agent))).toEqual([5, 4, 2, 1]);
    expect(prompts(await list(all.test, "?thread_id=t0", agent))).toEqual([4, 2]);
    expect(prompts(await list(all.test, "?key=k0", agent))).toEqual([]);
    expect(prompts(await list(all.test, "?key=k1", agent))).toEqual([1]);
  });

  it("a list has no hold of another workspace", async () => {
    await using all = await filled();
    expect(prompts(await list(all.test, "", all.test.keys.elsewhere))).toEqual([]);
    expect(prompts(await list(all.test, "?q=number", all.test.keys.elsewhere))).toEqual([]);
  });

  it.each(["AAAA", "%ff", "__proto__", "..%2f", "%20", "a".repeat(400)])(
    "a list with the cursor %s is refused or empty",
    async (cursor) => {
      await using all = await filled();
      const reply = await read(all.test, `/v1/holds?cursor=${cursor}`);
      expect(reply.status === 200 || reply.body.code === "invalid_cursor").toBe(true);
    },
  );

  it("a list of open holds leaves out holds whose time has passed (G3)", async () => {
    await using test = await testServer();
    await place(test, { timeout: "10s" });
    await test.server.timers.stop();
    await test.clock.advance(10_000);
    expect((await list(test, "?status=open")).holds).toEqual([]);
    expect((await list(test, "?status=expired")).holds).toHaveLength(1);
  });
});

describe("erasing a hold on request (G9)", () => {
  const erase = (test: TestServer, id: string, key = test.keys.admin) =>
    test.call("POST", `/v1/holds/${id}/erase`, { key });

  it("erasing removes the ask and the answer from every read, and the log still verifies", async () => {
    await using test = await testServer();
    const { body: hold } = await place(test, { key: "k" });
    await answer(test, hold.id, { action: "reject", data: { feedback: "not this customer" } });
    const erased = await erase(test, hold.id);
    expect(erased).toMatchObject({ status: 200, body: { id: hold.id, status: "decided" } });
    const seen = [
      await read(test, `/v1/holds/${hold.id}`),
      await read(test, "/v1/holds?q=refund"),
      await read(test, `/v1/holds/${hold.id}/events`, {}, test.keys.admin),
    ];
    for (const { body } of seen) expect(JSON.stringify(body)).not.toMatch(/40 EUR|o-1|not this customer/);
    const { body } = await test.call("POST", "/v1/log/verify", { key: test.keys.admin, body: {} });
    expect(body).toMatchObject({ breaks: [], erased: 1 });
  });

  it("erasing twice changes nothing more, and erasing an open hold is refused", async () => {
    await using test = await testServer();
    const { body: hold } = await place(test);
    expect(await erase(test, hold.id)).toMatchObject({ status: 409, body: { code: "not_settled" } });
    await answer(test, hold.id);
    const first = await erase(test, hold.id);
    expect((await erase(test, hold.id)).body).toEqual(first.body);
  });
});

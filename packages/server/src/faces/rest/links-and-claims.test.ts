import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

async function placed(test: TestServer, more: object = {}) {
  return (await test.call("POST", "/v1/holds", { key: test.keys.agent, body: { ...ASK, ...more } })).body;
}

const post = (
  test: TestServer,
  path: string,
  key: string,
  body: object = {},
  headers: Record<string, string> = {},
) => test.call("POST", path, { key, body, headers });

describe("review links", () => {
  it("a review link is shown once, listed without its token, and refused after it was revoked", async () => {
    await using test = await testServer();
    const { operator } = test.keys;
    const hold = await placed(test, { links: "server" });
    expect(hold.review_url).toBeUndefined();
    const made = await post(test, `/v1/holds/${hold.id}/links`, operator, {
      to: "ada@example.com",
      channel: "email",
    });
    expect(made).toMatchObject({
      status: 201,
      body: { to: "ada@example.com", channel: "email", purpose: "review" },
    });
    expect((await test.server.app.request(made.body.url)).status).toBe(200);

    const { body } = await test.call("GET", `/v1/holds/${hold.id}/links`, { key: operator });
    expect(body.links).toEqual([expect.objectContaining({ id: made.body.id, to: "ada@example.com" })]);
    const token = new URL(made.body.url).searchParams.get("token") ?? "";
    expect(JSON.stringify(body)).not.toContain(token);

    const path = `/v1/holds/${hold.id}/links/${made.body.id}`;
    const revoked = await test.call("DELETE", path, { key: operator });
    expect(revoked.body).toMatchObject({ id: made.body.id, revoked_at: "2026-01-01T00:00:00.000Z" });
    expect(await test.call("DELETE", path, { key: operator })).toMatchObject({ status: 200 });
    expect((await test.server.app.request(made.body.url)).status).toBe(401);
  });

  it("a link for inline answers is a token with its allowed actions, not an address", async () => {
    await using test = await testServer();
    const hold = await placed(test);
    const body = { purpose: "submit", actions: ["approve"] };
    const made = await post(test, `/v1/holds/${hold.id}/links`, test.keys.operator, body);
    expect(made.body).toMatchObject({
      purpose: "submit",
      actions: ["approve"],
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(made.body.url).toBeUndefined();
    const page = await test.server.app.request(`/review/${hold.case_id}?token=${made.body.token}`);
    expect(page.status).toBe(401);
  });
});

describe("claims (G10)", () => {
  const claim = (
    test: TestServer,
    hold: { id: string; digest: string },
    more: object = {},
    headers: Record<string, string> = {},
  ) => post(test, `/v1/holds/${hold.id}/claim`, test.keys.agent, { digest: hold.digest, ...more }, headers);
  const done = (test: TestServer, holdId: string, claimId: string, body: object = { ok: true }) =>
    post(test, `/v1/holds/${holdId}/claim/${claimId}/done`, test.keys.agent, body);

  async function approved(test: TestServer, more: object = {}) {
    const hold = await placed(test, more);
    await post(test, `/v1/holds/${hold.id}/answer`, test.keys.operator, { action: "approve" });
    return hold;
  }

  it("of many simultaneous claims one succeeds", async () => {
    await using test = await testServer();
    const hold = await approved(test);
    const replies = await Promise.all(Array.from({ length: 20 }, () => claim(test, hold)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { body } of replies.filter(({ status }) => status !== 201)) {
      expect(body).toMatchObject({ code: "claim_taken", state: "claimed" });
    }
  });

  it("a claim repeated under its own id after a lost reply is the same claim", async () => {
    await using test = await testServer();
    const hold = await approved(test);
    const first = await claim(test, hold, {}, { "idempotency-key": "worker-1:refund" });
    const again = await claim(test, hold, {}, { "idempotency-key": "worker-1:refund" });
    expect(again.body).toEqual(first.body);
    expect(await claim(test, hold, {}, { "idempotency-key": "worker-2:refund" })).toMatchObject({
      status: 409,
    });
  });

  it("a claim ends with a report, which may be repeated but not changed", async () => {
    await using test = await testServer();
    const hold = await approved(test);
    const { body } = await claim(test, hold);
    expect((await done(test, hold.id, body.id, { ok: true, detail: { tx: 9 } })).body).toMatchObject({
      state: "done",
      detail: { tx: 9 },
    });
    expect(await done(test, hold.id, body.id)).toMatchObject({ status: 200 });
    expect(await done(test, hold.id, body.id, { ok: false })).toMatchObject({
      status: 409,
      body: { code: "claim_taken" },
    });
    expect(await done(test, hold.id, "claim_other")).toMatchObject({ status: 404 });
  });

  it("a claim without a report becomes unknown, until a person releases it", async () => {
    await using test = await testServer();
    const hold = await approved(test);
    await claim(test, hold, { lease: "10s" });
    await test.clock.advance(10_000);
    const { body } = await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.agent });
    expect(body.claim.state).toBe("unknown");
    expect(await claim(test, hold)).toMatchObject({ status: 409, body: { code: "claim_unknown" } });
    const released = await post(test, `/v1/holds/${hold.id}/claim/release`, test.keys.operator, {
      reason: "looked",
    });
    expect(released).toMatchObject({ status: 200, body: { status: "decided" } });
    expect(await claim(test, hold)).toMatchObject({ status: 201 });
  });

  it("a late report settles a claim that was unknown", async () => {
    await using test = await testServer();
    const hold = await approved(test);
    const { body } = await claim(test, hold, { lease: "10s" });
    await test.clock.advance(60_000);
    expect((await done(test, hold.id, body.id)).body.state).toBe("done");
  });

  it.each(["reject", "edit"])("a hold decided with %s cannot be claimed", async (action) => {
    await using test = await testServer();
    const hold = await placed(test);
    await post(test, `/v1/holds/${hold.id}/answer`, test.keys.operator, { action, data: { feedback: "no" } });
    expect(await claim(test, hold)).toMatchObject({ status: 409, body: { code: "not_claimable" } });
  });

  it("a revoked approval cannot be claimed", async () => {
    await using test = await testServer();
    const hold = await approved(test);
    expect(await test.call("POST", `/v1/holds/${hold.id}/revoke`, { key: test.keys.operator })).toMatchObject(
      { status: 200 },
    );
    expect(await claim(test, hold)).toMatchObject({ status: 409, body: { code: "not_claimable" } });
  });
});

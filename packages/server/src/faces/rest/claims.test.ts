import { HoldOut } from "@holdpoint/protocol";
import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const REFUND = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } } as const;

async function approved(test: TestServer, more: object = {}) {
  const { body } = await test.call("POST", "/v1/holds", {
    key: test.keys.agent,
    body: { ...REFUND, ...more },
  });
  const answer = { key: test.keys.operator, body: { action: "approve" } };
  await test.call("POST", `/v1/holds/${body.id}/answer`, answer);
  const at = `/v1/holds/${body.id}`;
  const by = (key: keyof typeof test.keys) => ({
    claim: () => test.call("POST", `${at}/claim`, { key: test.keys[key], body: { digest: body.digest } }),
    done: (id: string, ok = true) =>
      test.call("POST", `${at}/claim/${id}/done`, { key: test.keys[key], body: { ok } }),
    revoke: () => test.call("POST", `${at}/revoke`, { key: test.keys[key] }),
    get: () => test.call("GET", at, { key: test.keys[key] }),
    events: () => test.call("GET", `${at}/events`, { key: test.keys[key] }),
  });
  return { hold: body, by };
}

describe("revoking an approval", () => {
  it("a revoked approval cannot be used, shows who revoked it, and is in the log", async () => {
    await using test = await testServer();
    const { by } = await approved(test);
    const revoked = await by("operator").revoke();
    expect(revoked.status).toBe(200);
    expect(HoldOut.parse(revoked.body)).toMatchObject({
      status: "decided",
      outcome: { action: "approve" },
      revoked: { at: expect.any(String), by: { kind: "key", name: "ada" } },
    });
    expect(await by("agent").claim()).toMatchObject({ status: 409, body: { code: "not_claimable" } });
    const { body } = await by("auditor").events();
    expect(body.events.at(-1)).toMatchObject({ type: "hold.revoked", actor: "key:ada" });
    expect((await by("admin").revoke()).body.revoked).toEqual(revoked.body.revoked);
  });

  it("operators and the asker can revoke approvals, and only approvals can be revoked", async () => {
    await using test = await testServer();
    const { by } = await approved(test);
    expect((await by("auditor").revoke()).status).toBe(403);
    expect((await by("otherAgent").revoke()).status).toBe(404);
    expect((await by("elsewhere").revoke()).status).toBe(404);
    expect((await by("agent").revoke()).status).toBe(200);
    const { body: open } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body: REFUND });
    const early = await test.call("POST", `/v1/holds/${open.id}/revoke`, { key: test.keys.operator });
    expect(early).toMatchObject({ status: 409, body: { code: "not_claimable" } });
  });

  it("G1 of a revocation and a claim at the same moment the log shows which came first, and both callers get matching replies", async () => {
    for (const order of ["claim first", "revoke first"]) {
      await using test = await testServer();
      const { by } = await approved(test);
      const claiming = order === "claim first" ? by("agent").claim() : undefined;
      const revoking = by("operator").revoke();
      const claim = await (claiming ?? by("agent").claim());
      // A claim that came first runs; taking back then only keeps it from being tried again.
      expect((await revoking).status).toBe(200);
      const { body } = await by("auditor").events();
      const types = body.events.map(({ type }: { type: string }) => type).slice(-2);
      const runs = ["hold.claimed", "hold.revoked"];
      expect(types).toEqual(claim.status === 201 ? runs : ["hold.decided", "hold.revoked"]);
      expect([201, 409]).toContain(claim.status);
    }
  });

  it("revoking an approval that was already executed is refused", async () => {
    await using test = await testServer();
    const { by } = await approved(test);
    const { body: claim } = await by("agent").claim();
    await by("agent").done(claim.id);
    expect(await by("operator").revoke()).toMatchObject({
      status: 409,
      body: { code: "claim_taken", state: "done" },
    });
  });
});

describe("E-06 approvals for several uses", () => {
  it("an approval for several uses shows their number to the reviewer, and can be claimed that often, one after another", async () => {
    await using test = await testServer();
    const { hold, by } = await approved(test, { uses: 2 });
    expect(hold.uses).toBe(2);
    for (const n of [1, 2]) {
      const { body: claim, status } = await by("agent").claim();
      expect(status).toBe(201);
      expect(await by("agent").claim()).toMatchObject({ status: 409, body: { code: "claim_taken" } });
      await by("agent").done(claim.id, n === 2);
      expect((await by("agent").get()).body).toMatchObject({ claims: n });
    }
    expect(await by("agent").claim()).toMatchObject({
      status: 409,
      body: { code: "claim_taken", state: "done" },
    });
  });

  it("the number of uses is part of the ask: another number is another ask, and 1 is the same as none", async () => {
    await using test = await testServer();
    const place = (body: object) =>
      test.call("POST", "/v1/holds", { key: test.keys.agent, body: { ...REFUND, key: "k", ...body } });
    const { body: once } = await place({});
    expect((await place({ uses: 1 })).body.id).toBe(once.id);
    expect(await place({ uses: 2 })).toMatchObject({ status: 409, body: { code: "key_reused" } });
    for (const uses of [0, 1.5, "many", 10_001])
      expect((await place({ key: "other", uses })).status).toBe(422);
  });
});

it("the review page shows the number of uses, what happened to each, and a revocation", async () => {
  await using test = await testServer();
  const { body: open } = await test.call("POST", "/v1/holds", {
    key: test.keys.agent,
    body: { ...REFUND, uses: "unlimited" },
  });
  const page = async () =>
    (await test.call("GET", new URL(open.review_url).pathname + new URL(open.review_url).search)).body;
  expect(await page()).toContain("any number of times, until it is taken back");
  await test.call("POST", `/v1/holds/${open.id}/answer`, {
    key: test.keys.operator,
    body: { action: "approve" },
  });
  await test.call("POST", `/v1/holds/${open.id}/claim`, {
    key: test.keys.agent,
    body: { digest: open.digest },
  });
  expect(await page()).toContain("Being carried out now");
  await test.call("POST", `/v1/holds/${open.id}/revoke`, { key: test.keys.operator });
  expect(await page()).toContain("Taken back");
});

import { describe, expect, it } from "vitest";
import { openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

const SCOPE = { scope: "payment", duration_seconds: 1 };

describe("leases", () => {
  it("OI-012 a scope is leased to one agent at a time", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    const lease = await oi.call("POST", `intents/${id}/leases`, { body: { scope: "payment" } });
    expect(lease.status).toBe(200);
    expect(lease.body).toEqual({
      id: expect.stringMatching(/^lease_/),
      intent_id: id,
      agent_id: "refunder",
      scope: "payment",
      status: "active",
      acquired_at: "2026-01-01T00:00:00.000+00:00",
      created_at: "2026-01-01T00:00:00.000+00:00",
      expires_at: "2026-01-01T00:05:00.000+00:00",
      released_at: null,
    });
    const second = await oi.call("POST", `intents/${id}/leases`, {
      as: "otherAgent",
      body: { scope: "payment" },
    });
    expect(second.status).toBe(409);
    expect(JSON.stringify(second.body)).toContain("lease");
    expect(second.body.existing_lease).toMatchObject({ id: lease.body.id, agent_id: "refunder" });
    const other = await oi.call("POST", `intents/${id}/leases`, {
      as: "otherAgent",
      body: { scope: "shipping" },
    });
    expect(other.status).toBe(200);
    expect((await oi.events(id, "lease_acquired")).map(({ payload }) => payload)).toMatchObject([
      { scope: "payment", lease_id: lease.body.id },
      { scope: "shipping", lease_id: other.body.id },
    ]);
    expect((await oi.call("GET", `intents/${id}/leases`)).body.leases).toEqual([lease.body, other.body]);
    expect((await oi.call("POST", "intents/none/leases", { body: SCOPE })).status).toBe(404);
    await oi.status(id, "completed");
    expect((await oi.call("POST", `intents/${id}/leases`, { body: { scope: "x" } })).status).toBe(409);
  });

  it("OI-012 only a key that may act for others acquires a lease for another agent", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const body = { scope: "payment", agent_id: "other" };
    expect((await oi.call("POST", `intents/${id}/leases`, { body })).body).toMatchObject({
      error: "agent_mismatch",
    });
    expect((await oi.call("POST", `intents/${id}/leases`, { as: "dev", body })).body.agent_id).toBe("other");
    expect(
      (await oi.call("POST", `intents/${id}/leases`, { body: { scope: "b", agent_id: "refunder" } })).status,
    ).toBe(200);
  });

  it("OI-012 finding 14: a lease that was given back is not listed any more", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { body: lease } = await oi.call("POST", `intents/${id}/leases`, { body: SCOPE });
    const listed = async () => (await oi.call("GET", `intents/${id}/leases`)).body.leases;
    expect(await listed()).toHaveLength(1);
    await oi.call("DELETE", `intents/${id}/leases/${lease.id}`);
    expect(await listed()).toEqual([]);
  });

  it("OI-013 a lease ends at its expiry or when its holder releases it", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    const first = (await oi.call("POST", `intents/${id}/leases`, { body: SCOPE })).body;
    expect((await oi.call("DELETE", `intents/${id}/leases/${first.id}`, { as: "otherAgent" })).status).toBe(
      404,
    );
    await oi.test.clock.advance(1000);
    const [listed] = (await oi.call("GET", `intents/${id}/leases`)).body.leases;
    expect(listed).toMatchObject({
      id: first.id,
      status: "expired",
      released_at: "2026-01-01T00:00:01.000+00:00",
    });
    const second = await oi.call("POST", `intents/${id}/leases`, { as: "otherAgent", body: SCOPE });
    expect(second.status).toBe(200);
    const path = `intents/${id}/leases/${second.body.id}`;
    expect((await oi.call("DELETE", path, { as: "otherAgent" })).body).toMatchObject({ status: "released" });
    expect((await oi.call("DELETE", path, { as: "otherAgent" })).status).toBe(200);
    expect(
      (await oi.events(id, "lease_released")).map(({ payload, actor }) => [
        payload.lease_id,
        payload.reason,
        actor,
      ]),
    ).toEqual([
      [first.id, "expired", "system"],
      [second.body.id, undefined, "other"],
    ]);
    const renew = await oi.call("PATCH", `intents/${id}/leases/${first.id}`, {
      body: { duration_seconds: 5 },
    });
    expect(renew).toMatchObject({ status: 409, body: { error: "lease_over" } });
    expect((await oi.call("PATCH", `intents/${id}/leases/none`, { body: {} })).status).toBe(404);
  });

  it("OI-013 a lease is released after many that were acquired later", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const acquired = async (scope: string) =>
      (await oi.call("POST", `intents/${id}/leases`, { body: { scope } })).body.id;
    const first = await acquired("first");
    for (let at = 0; at < 51; at += 1) {
      const other = await acquired(`scope ${at}`);
      await oi.call("DELETE", `intents/${id}/leases/${other}`);
    }
    const released = await oi.call("DELETE", `intents/${id}/leases/${first}`);
    expect(released).toMatchObject({ status: 200, body: { id: first, status: "released" } });
  });

  it("OI-013 an expired lease is never shown as active, even before its timer has fired", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    await oi.call("POST", `intents/${id}/leases`, { body: SCOPE });
    await oi.test.server.timers.stop();
    await oi.test.clock.advance(1000);
    const taken = await oi.call("POST", `intents/${id}/leases`, { as: "otherAgent", body: SCOPE });
    expect(taken.status).toBe(200);
    await oi.test.clock.advance(1000);
    expect((await oi.call("GET", `intents/${id}/leases`)).body.leases).toMatchObject([
      { status: "expired" },
      { status: "expired" },
    ]);
  });

  it("OI-014 a write of another agent to a leased scope is refused", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    await oi.call("POST", `intents/${id}/leases`, { body: SCOPE });
    const write = [{ op: "set", path: "/payment/amount", value: 1 }];
    const refused = await oi.patch(id, write, { as: "otherAgent" });
    expect(refused).toMatchObject({
      status: 409,
      body: { error: "scope_leased", existing_lease: { scope: "payment" } },
    });
    expect((await oi.patch(id, [{ op: "set", path: "/", value: {} }], { as: "otherAgent" })).status).toBe(
      409,
    );
    expect((await oi.patch(id, [{ op: "set", path: "other", value: 1 }], { as: "otherAgent" })).status).toBe(
      200,
    );
    expect((await oi.patch(id, write)).status).toBe(200);
  });
});

describe("leases while the intent is suspended", () => {
  it("OI-035 while an intent is suspended its leases do not expire and nobody takes them over", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    await oi.call("PUT", `intents/${id}/retry-policy`, {
      body: { max_retries: 0, fallback_agent_id: "other" },
    });
    await oi.call("POST", `intents/${id}/leases`, { body: SCOPE });
    await oi.suspend(id, REC);
    await oi.test.clock.advance(3000);
    expect((await oi.call("GET", `intents/${id}/leases`)).body.leases).toMatchObject([{ status: "active" }]);
    expect(await oi.events(id, "lease_released")).toEqual([]);
    expect((await oi.call("POST", `intents/${id}/leases`, { as: "otherAgent", body: SCOPE })).status).toBe(
      409,
    );
    await oi.call("POST", `intents/${id}/failures`, { body: { error_code: "TIMEOUT" } });
    expect(await oi.events(id, "agent_assigned")).toEqual([]);
    expect((await oi.get(id)).agents).toEqual([]);
  });

  it("OI-035 a scheduled retry waits until the person has answered", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.call("PUT", `intents/${id}/retry-policy`, { body: { strategy: "fixed", base_delay_ms: 1000 } });
    await oi.call("POST", `intents/${id}/failures`, { body: { error_code: "TIMEOUT" } });
    await oi.suspend(id, REC);
    await oi.test.clock.advance(5000);
    const due = async () =>
      (await oi.events(id, "failure_recorded")).filter(({ payload }: Wire) => payload.retry_due);
    expect(await due()).toEqual([]);
    await oi.respond(id, "s1", "approve");
    await oi.test.clock.advance(0);
    expect(await due()).toMatchObject([{ actor: "system", payload: { attempt_number: 1, retry_due: true } }]);
  });

  it("OI-036 the holder can renew a lease of a suspended intent after its nominal expiry", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    const lease = (await oi.call("POST", `intents/${id}/leases`, { body: SCOPE })).body;
    await oi.suspend(id, REC);
    await oi.test.clock.advance(5000);
    const path = `intents/${id}/leases/${lease.id}`;
    expect((await oi.call("PATCH", path, { as: "otherAgent", body: { duration_seconds: 10 } })).status).toBe(
      404,
    );
    const renewed = await oi.call("PATCH", path, { body: { duration_seconds: 10 } });
    expect(renewed).toMatchObject({
      status: 200,
      body: { status: "active", expires_at: "2026-01-01T00:00:15.000+00:00" },
    });
    expect((await oi.events(id, "lease_acquired")).at(-1)).toMatchObject({
      payload: { lease_id: lease.id, renewed: true },
    });
  });

  it("OI-037 the holder still has the lease right after the answer", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    const lease = (await oi.call("POST", `intents/${id}/leases`, { body: SCOPE })).body;
    await oi.suspend(id, REC);
    await oi.test.clock.advance(60_000);
    expect((await oi.respond(id, "s1", "approve")).status).toBe(200);
    const write = [{ op: "set", path: "/payment", value: 1 }];
    expect((await oi.patch(id, write)).status).toBe(200);
    expect((await oi.patch(id, write, { as: "otherAgent" })).status).toBe(409);
    expect((await oi.call("GET", `intents/${id}/leases`)).body.leases).toMatchObject([
      { id: lease.id, status: "active", expires_at: "2026-01-01T00:01:01.000+00:00" },
    ]);
    expect((await oi.events(id)).at(-2)).toMatchObject({
      event_type: "lease_acquired",
      payload: { lease_id: lease.id, renewed: true, reason: "suspension_ended" },
    });
    await oi.test.clock.advance(1000);
    expect((await oi.call("GET", `intents/${id}/leases`)).body.leases).toMatchObject([{ status: "expired" }]);
  });
});

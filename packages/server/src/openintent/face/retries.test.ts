import { describe, expect, it } from "vitest";
import { openIntentServer, type Wire } from "../../testing/openintent.ts";

describe("retries, failures and decisions", () => {
  it("OI-024 an intent has no retry policy until one is set, and then the protocol's defaults", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    expect((await oi.call("GET", `intents/${id}/retry-policy`)).status).toBe(404);
    const set = await oi.call("PUT", `intents/${id}/retry-policy`, { body: {} });
    expect(set.body).toMatchObject({
      intent_id: id,
      strategy: "exponential",
      max_retries: 3,
      base_delay_ms: 1000,
      max_delay_ms: 60_000,
      failure_threshold: 3,
      fallback_agent_id: null,
    });
    expect((await oi.call("GET", `intents/${id}/retry-policy`)).body).toEqual(set.body);
    const again = await oi.call("PUT", `intents/${id}/retry-policy`, { body: { strategy: "fixed" } });
    expect(again.body).toMatchObject({ id: set.body.id, strategy: "fixed", createdAt: set.body.createdAt });
    expect((await oi.call("PUT", `intents/${id}/retry-policy`, { body: { strategy: "wild" } })).status).toBe(
      422,
    );
    expect((await oi.call("GET", "intents/none/retry-policy")).status).toBe(404);
  });

  it.each([
    ["fixed", [1000, 1000, 1000]],
    ["linear", [1000, 2000, 2500]],
    ["exponential", [1000, 2000, 2500]],
    ["none", [null, null, null]],
  ] as const)(
    "OI-024 the next try is scheduled by the strategy %s, up to the maximum delay",
    async (strategy, delays) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      const policy = { strategy, base_delay_ms: 1000, max_delay_ms: 2500, failure_threshold: 9 };
      await oi.call("PUT", `intents/${id}/retry-policy`, { body: policy });
      for (const delay of delays) {
        const { body } = await oi.call("POST", `intents/${id}/failures`, { body: { error_code: "TIMEOUT" } });
        const expected =
          delay === null ? null : new Date(oi.test.clock.now() + delay).toISOString().replace("Z", "+00:00");
        expect(body).toMatchObject({ retry_scheduled_at: expected, retryScheduledAt: expected });
      }
    },
  );

  it("OI-024 an intent is handed over to the fallback agent when its retries are exhausted", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.call("PUT", `intents/${id}/retry-policy`, { body: { fallback_agent_id: "backup" } });
    await oi.call("POST", `intents/${id}/agents`, { body: { agent_id: "refunder" } });
    await oi.call("POST", `intents/${id}/leases`, { body: { scope: "payment", duration_seconds: 600 } });
    const failures: Wire[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await oi.test.clock.advance(1);
      const sent =
        attempt % 2 === 0
          ? { error_type: "TIMEOUT", recoverable: true }
          : { error_code: "TIMEOUT", attempt_number: attempt };
      failures.push(
        (await oi.call("POST", `intents/${id}/failures`, { body: { ...sent, error_message: "slow" } })).body,
      );
    }
    expect(
      failures.map(({ attempt_number, retry_scheduled_at }) => [attempt_number, retry_scheduled_at]),
    ).toEqual([
      [1, "2026-01-01T00:00:01.001+00:00"],
      [2, "2026-01-01T00:00:02.002+00:00"],
      [3, "2026-01-01T00:00:04.003+00:00"],
      [4, null],
    ]);
    expect((await oi.get(id)).agents).toEqual(["backup"]);
    expect((await oi.call("GET", `intents/${id}/leases`)).body.leases).toEqual([]);
    expect(
      (await oi.events(id))
        .slice(-4)
        .map(({ event_type, payload }) => [event_type, payload.reason ?? payload.fallback_triggered]),
    ).toEqual([
      ["failure_recorded", undefined],
      ["lease_released", "fallback"],
      ["agent_assigned", "fallback"],
      ["failure_recorded", true],
    ]);
    expect((await oi.call("GET", `intents/${id}/failures`)).body.failures).toEqual(failures);
    expect((await oi.call("GET", `intents/${id}/failures?limit=1`)).body.failures).toEqual(
      failures.slice(-1),
    );
  });

  it("OI-024 an agent cannot report that another agent failed", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    const scope = { scope: "payment", duration_seconds: 600 };
    await oi.call("POST", `intents/${id}/leases`, { body: scope });
    const policy = { max_retries: 0, fallback_agent_id: "other" };
    await oi.call("PUT", `intents/${id}/retry-policy`, { as: "otherAgent", body: policy });
    const body = { agent_id: "refunder", error_code: "TIMEOUT" };
    expect(await oi.call("POST", `intents/${id}/failures`, { as: "otherAgent", body })).toMatchObject({
      status: 403,
      body: { error: "agent_mismatch" },
    });
    expect((await oi.call("GET", `intents/${id}/leases`)).body.leases).toMatchObject([{ status: "active" }]);
    expect((await oi.call("POST", `intents/${id}/failures`, { body })).status).toBe(200);
  });

  it("OI-024 a scheduled retry is logged when its time has come", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.call("PUT", `intents/${id}/retry-policy`, { body: { strategy: "fixed" } });
    const { body } = await oi.call("POST", `intents/${id}/failures`, { body: {} });
    expect(body).toMatchObject({
      agent_id: "refunder",
      error_code: "UNKNOWN",
      error_message: "",
      metadata: {},
    });
    await oi.test.clock.advance(1000);
    expect((await oi.events(id)).at(-1)).toMatchObject({
      event_type: "failure_recorded",
      actor: "system",
      payload: { failure_id: body.id, retry_due: true },
    });
    const asked = "2026-02-15T10:05:00";
    const own = await oi.call("POST", `intents/${id}/failures`, {
      as: "operator",
      body: { retry_scheduled_at: asked, agent_id: "x" },
    });
    expect(own.body).toMatchObject({ agent_id: "x", retry_scheduled_at: `${asked}.000+00:00` });
  });

  it("OI-178 a failure of a suspended intent is stored and the intent is not reassigned", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const policy = { strategy: "none", failure_threshold: 1, fallback_agent_id: "backup" };
    await oi.call("PUT", `intents/${id}/retry-policy`, { body: policy });
    await oi.suspend(id, { id: "s1", question: "Q" });
    await oi.call("POST", `intents/${id}/failures`, { body: {} });
    expect((await oi.get(id)).agents).toEqual([]);
    await oi.respond(id, "s1", "go on");
    await oi.call("POST", `intents/${id}/failures`, { body: {} });
    expect((await oi.get(id)).agents).toEqual(["backup"]);
  });

  it("OI-024 arbitration decisions are stored with the name of who made them", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const sent = { decision_type: "route", outcome: "manual", reasoning: "amount" };
    const made = await oi.call("POST", `intents/${id}/decisions`, { body: sent });
    expect(made.body).toMatchObject({ ...sent, intent_id: id, decision_maker_id: "refunder" });
    await oi.test.clock.advance(1);
    await oi.call("POST", `intents/${id}/decisions`, {
      as: "operator",
      body: { decision_type: "x", outcome: "y" },
    });
    const { decisions } = (await oi.call("GET", `intents/${id}/decisions`)).body;
    expect(decisions.map((each: Wire) => [each.decision_maker_id, each.reasoning])).toEqual([
      ["refunder", "amount"],
      ["ada", ""],
    ]);
    expect(await oi.events(id, "decision_recorded")).toHaveLength(2);
    expect((await oi.call("POST", "intents/none/decisions", { body: sent })).status).toBe(404);
  });

  it("OI-023 agents can be assigned to an intent and removed from it", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const assigned = await oi.call("POST", `intents/${id}/agents`, { body: { agent_id: "worker" } });
    expect(assigned).toMatchObject({ status: 200, body: { intent_id: id, agent_id: "worker" } });
    await oi.call("POST", `intents/${id}/agents`, { body: { agent_id: "worker" } });
    expect((await oi.get(id)).agents).toEqual(["worker"]);
    expect((await oi.call("DELETE", `intents/${id}/agents/worker`)).status).toBe(204);
    expect((await oi.call("DELETE", `intents/${id}/agents/worker`)).status).toBe(404);
    expect(
      (await oi.events(id)).slice(-2).map(({ event_type, payload }) => [event_type, payload.agent_id]),
    ).toEqual([
      ["agent_assigned", "worker"],
      ["agent_unassigned", "worker"],
    ]);
  });
});

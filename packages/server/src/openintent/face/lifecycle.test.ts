import { describe, expect, it } from "vitest";
import { openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

const SUSPENDED = "suspended_awaiting_input";

describe("entering and leaving suspension", () => {
  it.each(["record first", "status first"] as const)(
    "OI-030 an active intent is suspended by a record and a status, %s",
    async (order) => {
      await using oi = await openIntentServer();
      const { id, version } = await oi.create();
      const intent = await oi.suspend(id, REC, order);
      expect(intent).toMatchObject({ status: SUSPENDED, version: version + 2 });
      expect(intent.state._suspension).toMatchObject({
        ...REC,
        suspended_at: "2026-01-01T00:00:00.000+00:00",
      });
      expect(
        (await oi.events(id)).slice(2).map(({ event_type, payload }) => [event_type, payload.to]),
      ).toEqual(
        order === "record first"
          ? [
              ["state_patched", undefined],
              ["status_changed", SUSPENDED],
              ["intent.suspended", undefined],
            ]
          : [
              ["status_changed", SUSPENDED],
              ["state_patched", undefined],
              ["intent.suspended", undefined],
            ],
      );
    },
  );

  it("OI-030 one call suspends an intent, and repeating it makes no second suspension", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create({ status: "draft" });
    const suspend = (record: object, call = {}) =>
      oi.call("POST", `intents/${id}/suspend`, { body: record, ...call });
    const first = await suspend(REC);
    expect(first).toMatchObject({ status: 200, body: { status: SUSPENDED, version: 2 } });
    expect(first.headers.get("etag")).toBe('"2"');
    const again = await suspend(REC);
    expect(again.body).toEqual(first.body);
    expect((await suspend({ ...REC, question: "Another?" })).body).toMatchObject({
      error: "intent_suspended",
    });
    expect((await suspend({ ...REC, id: "s2" })).status).toBe(409);
    expect((await oi.events(id)).map(({ event_type }) => event_type)).toEqual([
      "intent_created",
      "status_changed",
      "status_changed",
      "intent.suspended",
    ]);
    await oi.respond(id, "s1", "deny");
    expect((await suspend(REC)).body.state._suspension).toMatchObject({
      resolution: "responded",
      response: "deny",
    });
    expect((await suspend({ ...REC, id: "s3" }, { ifMatch: 1 })).body).toMatchObject({
      error: "version_conflict",
    });
    expect((await suspend({ ...REC, id: "s3" }, { ifMatch: 3 })).status).toBe(200);
    expect((await suspend(REC, { as: "otherAgent" })).status).toBe(409);
  });

  it("OI-030 agents and apps may suspend an intent, operators may not", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id, version } = await oi.create();
    const status = { ifMatch: version, body: { status: SUSPENDED } };
    expect((await oi.call("POST", `intents/${id}/suspend`, { as: "operator", body: REC })).status).toBe(403);
    expect((await oi.call("POST", `intents/${id}/status`, { as: "operator", ...status })).status).toBe(403);
    expect((await oi.call("POST", "intents/none/suspend", { body: REC })).status).toBe(404);
    expect((await oi.call("POST", `intents/${id}/suspend`, { as: "app", body: REC })).status).toBe(200);
  });

  it("OI-031 an accepted answer resumes the intent", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { version } = await oi.suspend(id, REC);
    const reply = await oi.respond(id, "s1", "approve");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("etag")).toBe(`"${version + 1}"`);
    expect(await oi.get(id)).toMatchObject({ status: "active", version: version + 1 });
  });

  it("OI-032 an intent with the policy fail is abandoned when nobody answers", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { version } = await oi.suspend(id, { ...REC, timeout_seconds: 1 });
    await oi.test.clock.advance(999);
    expect((await oi.get(id)).status).toBe(SUSPENDED);
    await oi.test.clock.advance(1);
    const intent = await oi.get(id);
    expect(intent).toMatchObject({
      status: "abandoned",
      abandonment_reason: "suspension_expired",
      version: version + 1,
    });
    expect(intent.state._suspension).toMatchObject({
      resolution: "expired",
      abandonment_reason: "suspension_expired",
    });
    expect((await oi.events(id, "status_changed")).at(-1)).toMatchObject({
      actor: "system",
      payload: { from: SUSPENDED, to: "abandoned", reason: "suspension_expired" },
    });
  });

  it.each([
    ["blocked", ["blocked"]],
    ["completed", ["completed"]],
    ["abandoned", ["abandoned"]],
    ["suspended", [SUSPENDED]],
  ])("OI-033 an intent that is %s cannot be suspended", async (_name, way) => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    for (const step of way) await oi.status(id, step);
    const before = await oi.get(id);
    expect((await oi.status(id, SUSPENDED)).status).toBe(409);
    expect((await oi.call("POST", `intents/${id}/suspend`, { body: REC })).status).toBe(409);
    const native = { type: "approval", prompt: "Go?", intent_id: id };
    expect((await oi.call("POST", "/v1/holds", { body: native })).status).toBe(409);
    expect(await oi.get(id)).toEqual(before);
  });

  it("OI-034 a suspended intent cannot leave its status by a status write", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const before = await oi.suspend(id, REC);
    for (const status of ["active", "blocked", "completed"]) {
      expect(await oi.status(id, status)).toMatchObject({
        status: 409,
        body: { error: "suspension_pending" },
      });
    }
    expect((await oi.status(id, "draft")).status).toBe(409);
    expect(await oi.get(id)).toEqual(before);
  });

  it("OI-034 an agent may abandon its suspended intent, which cancels the question", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    const given = await oi.status(id, "abandoned");
    expect(given.body).toMatchObject({ status: "abandoned", abandonment_reason: "abandoned" });
    expect(given.body.state._suspension).toMatchObject({ resolution: "cancelled" });
    expect((await oi.respond(id, "s1", "approve")).status).toBe(409);
    const [hold] = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "operator" })).body.holds;
    expect(hold.outcome).toMatchObject({ kind: "cancelled", cancelled_by: { name: "refunder" } });
    const { id: bare } = await oi.create();
    await oi.status(bare, SUSPENDED);
    expect((await oi.status(bare, "abandoned")).body.status).toBe("abandoned");
  });
});

describe("events of a suspension", () => {
  it("OI-038 the log has intent.suspended exactly once, even if a client posts it too", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const record = {
      ...REC,
      channel_hint: "slack",
      timeout_seconds: 60,
      confidence_at_suspension: 0.4,
      suspended_at: "2025-12-31T23:58:00",
    };
    await oi.suspend(id, record);
    const [event] = await oi.events(id, "intent.suspended");
    expect(event).toMatchObject({ actor: "refunder" });
    expect(event.payload).toEqual({
      intent_id: id,
      suspension_id: "s1",
      question: "Q",
      response_type: "choice",
      choices: REC["choices"],
      channel_hint: "slack",
      timeout_seconds: 60,
      fallback_policy: "fail",
      confidence_at_suspension: 0.4,
      retry_policy: null,
      suspended_at: "2026-01-01T00:00:00.000+00:00",
      expires_at: "2026-01-01T00:01:00.000+00:00",
    });
    const posted = { event_type: "intent.suspended", actor: "refunder", payload: { suspension_id: "s1" } };
    const again = await oi.call("POST", `intents/${id}/events`, { body: posted });
    expect(again).toMatchObject({ status: 200, body: event });
    expect(await oi.events(id, "intent.suspended")).toHaveLength(1);
  });

  it("OI-038 a client cannot log a suspension that does not exist (D-03)", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const post = (event_type: string, payload: object) =>
      oi.call("POST", `intents/${id}/events`, { body: { event_type, actor: "refunder", payload } });
    for (const payload of [{ suspension_id: "s1" }, {}, { suspension_id: 7 }]) {
      expect(await post("intent.suspended", payload)).toMatchObject({
        status: 409,
        body: { error: "not_suspended" },
      });
    }
    await oi.suspend(id, REC);
    for (const type of [
      ...["intent.resumed", "intent.suspension_expired", "governance.approval_granted"],
      ...[
        "plan.checkpoint_approved",
        "access_granted",
        "access_request_approved",
        "portfolio.member_resumed",
      ],
    ]) {
      expect(await post(type, { suspension_id: "s1" })).toMatchObject({
        status: 403,
        body: { error: "not_allowed" },
      });
    }
    const told = await post("intent.suspension_renotified", { suspension_id: "s1", attempt: 2 });
    expect((await post("intent.suspension_renotified", { suspension_id: "s1", attempt: 2 })).body).toEqual(
      told.body,
    );
    expect(
      (await post("intent.suspension_renotified", { suspension_id: "s1", attempt: 3 })).body.sequence,
    ).toBe(told.body.sequence + 1);
    expect((await post("intent.suspension_escalated", { suspension_id: "other", attempt: 2 })).status).toBe(
      409,
    );
    expect((await oi.get(id)).status).toBe(SUSPENDED);
  });

  it("OI-039 the log has the answer once, with the authenticated person", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    const { body } = await oi.respond(id, "s1", "approve");
    const [event, ...more] = await oi.events(id, "intent.resumed");
    expect(more).toEqual([]);
    const { resolution: _word, ...told } = body;
    expect(event.payload).toEqual(told);
    expect(event.payload).toMatchObject({
      choice_label: "Approve",
      choice_description: "d",
      responded_by: "alice@example.com",
    });
    expect(event.actor).toBe("ada");
  });

  it("OI-040 the log has an expiry once", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, { ...REC, timeout_seconds: 2 });
    await oi.test.clock.advance(60_000);
    const [event, ...more] = await oi.events(id, "intent.suspension_expired");
    expect(more).toEqual([]);
    expect(event.actor).toBe("system");
    expect(event.payload).toEqual({
      intent_id: id,
      suspension_id: "s1",
      reason: "timeout",
      fallback_policy: "fail",
      attempts: 1,
      expires_at: "2026-01-01T00:00:02.000+00:00",
      expired_at: "2026-01-01T00:00:02.000+00:00",
    });
    expect(await oi.events(id, "intent.resumed")).toEqual([]);
  });

  it("OI-041 an engagement decision is stored as it was posted", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const payload = {
      mode: "request_input",
      should_ask: true,
      rationale: "unsure",
      signals: { confidence: 0.5, risk: 0.5, reversibility: 0.5, context: {} },
    };
    await oi.call("POST", `intents/${id}/events`, {
      body: { event_type: "engagement.decision", actor: "refunder", payload },
    });
    expect((await oi.events(id, "engagement.decision"))[0].payload).toEqual(payload);
  });

  it("OI-042 all events of a suspension are in the log and in its hash chain", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.call("POST", `intents/${id}/events`, {
      body: { event_type: "engagement.decision", actor: "x", payload: {} },
    });
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve");
    await oi.suspend(id, { ...REC, id: "s2", timeout_seconds: 1 });
    await oi.test.clock.advance(1000);
    const types = new Set((await oi.events(id)).map(({ event_type }) => event_type));
    for (const type of [
      "engagement.decision",
      "intent.suspended",
      "intent.resumed",
      "intent.suspension_expired",
    ]) {
      expect(types).toContain(type);
    }
    const { body } = await oi.call("GET", `intents/${id}/events/verify`);
    expect(body).toMatchObject({ valid: true, event_count: (await oi.events(id)).length });
  });

  it("OI-043 the event names of suspensions are written with a full stop", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve");
    const types = (await oi.events(id)).map(({ event_type }: Wire) => event_type);
    expect(types.filter((type) => /suspended|resumed/.test(type))).toEqual([
      "intent.suspended",
      "intent.resumed",
    ]);
  });
});

describe("cancelling", () => {
  it("OI-061 an intent becomes active again when its question is cancelled (D-16)", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    const cancel = (body: object, as: "agent" | "otherAgent" | "operator" = "agent") =>
      oi.call("POST", `intents/${id}/suspend/cancel`, { as, body });
    expect((await cancel({ suspension_id: "other" })).body).toMatchObject({ error: "suspension_mismatch" });
    expect((await cancel({ suspension_id: "s1" }, "otherAgent")).status).toBe(403);
    const done = await cancel({ suspension_id: "s1", reason: "no longer needed" });
    expect(done.body).toMatchObject({ status: "active" });
    expect(done.body.state._suspension).toMatchObject({
      resolution: "cancelled",
      reason: "no longer needed",
    });
    expect((await oi.events(id, "status_changed")).at(-1)?.payload).toMatchObject({
      to: "active",
      reason: "suspension_cancelled",
    });
    expect(await oi.events(id, "intent.resumed")).toEqual([]);
    expect(await oi.respond(id, "s1", "approve")).toMatchObject({
      status: 409,
      body: { error: "already_resolved", resolution: "cancelled" },
    });
    expect((await cancel({ suspension_id: "s1" })).status).toBe(409);
    expect((await cancel({})).status).toBe(422);
    expect(
      (await oi.call("POST", "intents/none/suspend/cancel", { body: { suspension_id: "s1" } })).status,
    ).toBe(404);
  });

  it("OI-061 a suspension can be cancelled by people, by a patch, and before anything was asked", async () => {
    await using oi = await openIntentServer();
    const cancel = (id: string, as: "agent" | "otherAgent" | "operator") =>
      oi.call("POST", `intents/${id}/suspend/cancel`, { as, body: { suspension_id: "s1" } });
    const { id: byPerson } = await oi.create();
    await oi.suspend(byPerson, REC);
    expect((await cancel(byPerson, "operator")).body.status).toBe("active");

    const { id: byPatch } = await oi.create();
    await oi.suspend(byPatch, REC);
    const patch = [{ op: "set", path: "/_suspension/resolution", value: "cancelled" }];
    expect((await oi.patch(byPatch, patch, { as: "otherAgent" })).status).toBe(403);
    const patched = await oi.patch(byPatch, patch);
    expect(patched.body).toMatchObject({
      status: "active",
      state: { _suspension: { resolution: "cancelled" } },
    });

    const { id: bare } = await oi.create();
    await oi.status(bare, SUSPENDED);
    expect((await cancel(bare, "otherAgent")).status).toBe(403);
    expect((await cancel(bare, "agent")).body).toMatchObject({ status: "active" });
    expect((await cancel(bare, "agent")).body).toMatchObject({ error: "not_suspended" });
  });
});

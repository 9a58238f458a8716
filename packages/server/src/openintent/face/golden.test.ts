/** The wire as clients of OpenIntent 0.17 parse it: required members, wrappers, closed sets of words, both spellings. */

import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";
import { EVENT_TYPES } from "../rules/intent/event-types.ts";

/** Any ISO 8601 that Python 3.10 reads: no `Z`. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/;

function isIntent(intent: Wire): void {
  expect(intent).toMatchObject({
    id: expect.any(String),
    title: expect.any(String),
    description: expect.any(String),
    version: expect.any(Number),
    status: expect.stringMatching(/^(draft|active|blocked|suspended_awaiting_input|completed|abandoned)$/),
    state: expect.any(Object),
    constraints: expect.any(Object),
    depends_on: expect.any(Array),
    created_at: expect.stringMatching(TIME),
    updated_at: expect.stringMatching(TIME),
    created_by: expect.any(String),
    confidence: expect.any(Number),
  });
  expect(intent.state).not.toBeNull();
  expect(intent).toHaveProperty("parent_intent_id");
}

function isEvent(event: Wire): void {
  expect(EVENT_TYPES).toContain(event.event_type);
  expect(event).toMatchObject({
    id: expect.any(String),
    intent_id: expect.any(String),
    actor: expect.any(String),
    payload: expect.any(Object),
    created_at: expect.stringMatching(TIME),
    event_hash: expect.stringMatching(/^sha256:[\w-]{43}$/),
    sequence: expect.any(Number),
  });
}

function isLease(lease: Wire): void {
  expect(lease).toMatchObject({
    id: expect.any(String),
    intent_id: expect.any(String),
    agent_id: expect.any(String),
    scope: expect.any(String),
    expires_at: expect.stringMatching(TIME),
    status: expect.stringMatching(/^(active|released|expired|revoked)$/),
    created_at: expect.stringMatching(TIME),
    acquired_at: expect.stringMatching(TIME),
  });
}

async function busyIntent(oi: OpenIntentServer): Promise<string> {
  const { id } = await oi.create({ governance_policy: { max_cost: 1 } });
  await oi.call("POST", `intents/${id}/leases`, { body: { scope: "a", duration_seconds: 300 } });
  await oi.call("POST", `intents/${id}/agents`, { body: { agent_id: "worker" } });
  await oi.call("PUT", `intents/${id}/retry-policy`, {
    body: { strategy: "exponential", fallback_agent_id: null },
  });
  await oi.call("POST", `intents/${id}/failures`, {
    body: { agent_id: "refunder", attempt_number: 1, retry_scheduled_at: null },
  });
  await oi.call("POST", `intents/${id}/decisions`, {
    body: { decision_type: "t", outcome: "o", reasoning: "r" },
  });
  await oi.call("POST", "subscriptions", {
    body: { intent_id: id, portfolio_id: null, subscriber_id: "x", event_types: [], webhook_url: null },
  });
  await oi.suspend(id, REC);
  return id;
}

describe("what clients parse", () => {
  it("lists are wrapped or bare exactly as clients parse them", async () => {
    await using oi = await openIntentServer();
    const id = await busyIntent(oi);
    await oi.call("POST", "admin/checkpoints", { as: "dev", body: { intent_id: id } });
    const get = async (path: string) => (await oi.call("GET", path)).body;
    expect((await get("intents?limit=50&offset=0")).intents).toHaveLength(1);
    expect((await get(`intents/${id}/leases`)).leases).toHaveLength(1);
    expect((await get(`intents/${id}/decisions`)).decisions).toHaveLength(1);
    expect((await get(`intents/${id}/failures`)).failures).toHaveLength(1);
    expect((await get("subscriptions")).subscriptions).toHaveLength(1);
    expect(Array.isArray(await get(`intents/${id}/events?limit=100`))).toBe(true);
    expect(Array.isArray(await get(`checkpoints?intent_id=${id}`))).toBe(true);
    expect(Array.isArray((await get(`intents/${id}/acl`)).entries)).toBe(true);
    expect(Object.keys(await get(`intents/${id}/governance`))).toEqual([
      "intent_id",
      "governance_policy",
      "effective_policy",
    ]);
  });

  it("every object has the members that the clients' parsers require", async () => {
    await using oi = await openIntentServer();
    const id = await busyIntent(oi);
    const get = async (path: string) => (await oi.call("GET", path)).body;
    isIntent(await get(`intents/${id}`));
    for (const event of await oi.events(id)) isEvent(event);
    isLease((await get(`intents/${id}/leases`)).leases[0]);
    const policy = await get(`intents/${id}/retry-policy`);
    expect(policy).toMatchObject({
      id: expect.any(String),
      createdAt: expect.stringMatching(TIME),
      updatedAt: expect.stringMatching(TIME),
    });
    const [failure] = (await get(`intents/${id}/failures`)).failures;
    expect(failure).toMatchObject({
      id: expect.any(String),
      createdAt: expect.stringMatching(TIME),
      resolvedAt: null,
      metadata: {},
    });
    expect(failure.retryScheduledAt).toBe(failure.retry_scheduled_at);
    const [subscription] = (await get("subscriptions")).subscriptions;
    expect(subscription).toMatchObject({
      id: expect.any(String),
      expiresAt: null,
      createdAt: expect.stringMatching(TIME),
      active: true,
    });
    const [decision] = (await get(`intents/${id}/decisions`)).decisions;
    for (const name of [
      "id",
      "intent_id",
      "decision_maker_id",
      "decision_type",
      "outcome",
      "reasoning",
      "created_at",
    ]) {
      expect(decision[name]).toEqual(expect.any(String));
    }
    await oi.call("POST", `intents/${id}/acl/entries`, {
      body: { principal_id: "p", principal_type: "agent", permission: "read" },
    });
    const acl = await get(`intents/${id}/acl`);
    expect(acl.default_policy).toMatch(/^(open|closed)$/);
    expect(acl.entries[0]).toMatchObject({
      principal_id: "p",
      permission: "read",
      granted_at: expect.stringMatching(TIME),
    });
  });

  it("writes reply with the object where clients parse the reply", async () => {
    await using oi = await openIntentServer();
    const { id, version } = await oi.create();
    isIntent(
      (
        await oi.call("POST", `intents/${id}/state`, {
          ifMatch: version,
          body: { patches: [{ op: "set", path: "bare key", value: 1 }] },
        })
      ).body,
    );
    isIntent(
      (await oi.call("POST", `intents/${id}/status`, { ifMatch: version + 1, body: { status: "blocked" } }))
        .body,
    );
    isEvent(
      (
        await oi.call("POST", `intents/${id}/events`, {
          body: { event_type: "comment", actor: "x", payload: {} },
        })
      ).body,
    );
    const { body: lease } = await oi.call("POST", `intents/${id}/leases`, {
      body: { scope: "s", duration_seconds: 300 },
    });
    isLease(lease);
    isLease(
      (await oi.call("PATCH", `intents/${id}/leases/${lease.id}`, { body: { duration_seconds: 60 } })).body,
    );
    expect((await oi.call("DELETE", `intents/${id}/leases/${lease.id}`)).status).toBeLessThan(300);
    const { leases } = (await oi.call("GET", `intents/${id}/leases`)).body;
    expect(leases.map(({ id: other }: { id: string }) => other)).not.toContain(lease.id);
  });

  it("the server knows exactly the 126 event names of the clients", () => {
    expect(EVENT_TYPES.size).toBe(126);
    for (const unknown of [
      "lease_renewed",
      "lease_expired",
      "fallback_triggered",
      "coordinator.escalation_required",
    ]) {
      expect(EVENT_TYPES.has(unknown)).toBe(false);
    }
  });

  it("the word lease is in every lease conflict and in no other conflict", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const conflicts: [boolean, Wire][] = [];
    const { id, version } = await oi.create({ title: "please release the lease" });
    const lease = { scope: "lease", duration_seconds: 1 };
    const { body: held } = await oi.call("POST", `intents/${id}/leases`, { body: lease });
    conflicts.push([true, await oi.call("POST", `intents/${id}/leases`, { as: "otherAgent", body: lease })]);
    conflicts.push([
      true,
      await oi.patch(id, [{ op: "set", path: "lease", value: 1 }], { as: "otherAgent" }),
    ]);
    conflicts.push([
      false,
      await oi.call("POST", `intents/${id}/state`, { ifMatch: version + 9, body: { state: { a: 1 } } }),
    ]);
    conflicts.push([false, await oi.status(id, "draft")]);
    conflicts.push([false, await oi.respond(id, "release", "please")]);
    await oi.suspend(id, { ...REC, id: "please", timeout_seconds: 60 });
    await oi.test.clock.advance(2000);
    conflicts.push([false, await oi.respond(id, "release", "please")]);
    conflicts.push([false, await oi.status(id, "active")]);
    conflicts.push([false, await oi.status(id, "suspended_awaiting_input")]);
    conflicts.push([
      false,
      await oi.patch(id, [{ op: "set", path: "/_suspension/question", value: "please" }]),
    ]);
    await oi.respond(id, "please", "approve");
    conflicts.push([false, await oi.respond(id, "please", "approve")]);
    await oi.test.clock.advance(2000);
    conflicts.push([true, await oi.call("PATCH", `intents/${id}/leases/${held.id}`, { body: {} })]);
    await oi.suspend(id, { ...REC, id: "release", timeout_seconds: 1 });
    await oi.test.clock.advance(1000);
    conflicts.push([false, await oi.respond(id, "release", "please")]);
    await oi.call("POST", "admin/checkpoints", { as: "dev", body: { intent_id: id } });
    conflicts.push([
      false,
      await oi.call("POST", "admin/checkpoints", { as: "dev", body: { intent_id: id } }),
    ]);
    conflicts.push([false, await oi.call("POST", `intents/${id}/leases`, { body: { scope: "x" } })]);
    for (const [aboutOne, { status, body }] of conflicts) {
      expect(status).toBe(409);
      expect({ body, says: JSON.stringify(body).includes("lease") }).toEqual({ body, says: aboutOne });
    }
  });

  it("the calls that agents of other servers make succeed in their order", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const as = { as: "dev", agent: "py-agent" } as const;
    expect((await oi.call("GET", "server/config", as)).status).toBe(200);
    const before = (await oi.call("GET", `intents/${id}`, as)).body;
    const status = { ...as, ifMatch: before.version, body: { status: "suspended_awaiting_input" } };
    expect((await oi.call("POST", `intents/${id}/status`, status)).status).toBe(200);
    const { version } = (await oi.call("GET", `intents/${id}`, as)).body;
    const record = {
      id: "0b8e",
      question: "Q",
      response_type: "choice",
      context: {},
      fallback_policy: "fail",
      choices: REC["choices"],
      suspended_at: "2026-01-01T00:00:00.123456",
    };
    const state = {
      ...as,
      ifMatch: version,
      body: { patches: [{ op: "set", path: "_suspension", value: record }] },
    };
    expect((await oi.call("POST", `intents/${id}/state`, state)).status).toBe(200);
    const event = {
      event_type: "intent.suspended",
      actor: "py-agent",
      payload: { suspension_id: "0b8e", question: "Q" },
    };
    expect((await oi.call("POST", `intents/${id}/events`, { ...as, body: event })).status).toBe(200);
    const polled = (await oi.call("GET", `intents/${id}`, as)).body.state._suspension;
    expect(polled.resolution).toBeUndefined();
    await oi.respond(id, "0b8e", "approve");
    const answered = (await oi.call("GET", `intents/${id}`, as)).body.state._suspension;
    expect(answered).toMatchObject({
      resolution: "responded",
      response: "approve",
      responded_at: expect.stringMatching(TIME),
    });
  });
});

describe("containers, as clients read them", () => {
  it("OI-198 replies have every required member, only known values in closed sets, and otherwise only additional members", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { body: portfolio } = await oi.call("POST", "portfolios", {
      body: { name: "p", description: null, created_by: "x", governance_policy: {}, metadata: {} },
    });
    expect(portfolio).toMatchObject({
      status: expect.stringMatching(/^(active|completed|abandoned)$/),
      aggregate_status: { total: 0, by_status: expect.any(Object), completion_percentage: 0 },
      createdAt: expect.stringMatching(TIME),
      updatedAt: expect.stringMatching(TIME),
    });
    const { body: member } = await oi.call("POST", `portfolios/${portfolio.id}/intents`, {
      body: { intent_id: id, role: "member", priority: 0 },
    });
    expect(member).toMatchObject({ id: expect.any(String), role: "member" });
    const { body: task } = await oi.call("POST", "tasks", { body: { intent_id: id, name: "t" } });
    expect(task).toMatchObject({ requires_tools: [], artifacts: [], status: "ready", version: 1 });
    const { body: plan } = await oi.call("POST", "plans", {
      body: { intent_id: id, tasks: [task.id], checkpoints: [{ name: "c", after_task: task.id }] },
    });
    expect(plan).toMatchObject({ state: "draft", tasks: [task.id], on_failure: "pause_and_escalate" });
    expect(plan.checkpoints).toHaveLength(1);
    const { body: lead } = await oi.call("POST", "coordinators", { body: { agent_id: "l", intent_id: id } });
    expect(lead).toMatchObject({
      coordinator_type: "llm",
      scope: "intent",
      status: "active",
      guardrails: null,
    });
    for (const path of [`intents/${id}/tasks`, `intents/${id}/plans`, `intents/${id}/coordinators`]) {
      expect(Array.isArray((await oi.call("GET", path)).body)).toBe(true);
    }
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve");
    isIntent(await oi.get(id));
    for (const event of await oi.events(id)) isEvent(event);
  });
});

import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";
import { Receiver } from "../../testing/receiver.ts";

async function grant(oi: OpenIntentServer, body: object): Promise<Wire> {
  const made = await oi.call("POST", "coordinators", { body: { agent_id: "lead", ...body } });
  expect(made.status).toBe(200);
  return made.body;
}

function asLead(oi: OpenIntentServer, method: string, path: string, body?: object) {
  return oi.call(method, path, { as: "anyAgent", agent: "lead", ...(body === undefined ? {} : { body }) });
}

async function now(oi: OpenIntentServer, id: string): Promise<Wire> {
  return (await oi.call("GET", `coordinators/${id}`)).body;
}

describe("coordinators", () => {
  it("OI-027 an intent has one coordinator at a time, and a second one is refused like a taken lease", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const made = await grant(oi, { intent_id: id, supervisor_id: "ada", metadata: { a: 1 } });
    expect(made).toMatchObject({
      intent_id: id,
      portfolio_id: null,
      agent_id: "lead",
      supervisor_id: "ada",
      coordinator_type: "llm",
      scope: "intent",
      status: "active",
      guardrails: null,
      heartbeat_interval_seconds: 60,
      version: 1,
      metadata: { a: 1 },
      expires_at: null,
    });
    const second = await oi.call("POST", "coordinators", { body: { agent_id: "other", intent_id: id } });
    expect(second).toMatchObject({
      status: 409,
      body: { error: "lease_taken", existing_lease: { id: made.id, agent_id: "lead" } },
    });
    expect((await oi.call("GET", `intents/${id}/coordinators`)).body.map((each: Wire) => each.id)).toEqual([
      made.id,
    ]);
    await oi.call("PATCH", `coordinators/${made.id}`, { as: "operator", body: { status: "completed" } });
    expect((await grant(oi, { intent_id: id })).status).toBe("active");
    for (const body of [{ intent_id: "none" }, { portfolio_id: "none" }]) {
      const unknown = await oi.call("POST", "coordinators", { body: { agent_id: "x", ...body } });
      expect(unknown.status).toBe(404);
    }
    expect((await oi.call("POST", "coordinators", { body: { agent_id: "x" } })).status).toBe(422);
    expect((await oi.call("GET", "coordinators/none")).status).toBe(404);
  });

  it("OI-027 a coordinator is unresponsive after two missed heartbeats and active again after the next one", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: lead } = await grant(oi, { intent_id: id, heartbeat_interval_seconds: 10 });
    await oi.test.clock.advance(15_000);
    const beaten = await asLead(oi, "POST", `coordinators/${lead}/heartbeat`);
    expect(beaten.body).toEqual({ status: "ok", next_heartbeat_at: "2026-01-01T00:00:25.000+00:00" });
    expect((await oi.call("POST", `coordinators/${lead}/heartbeat`)).status).toBe(403);
    await oi.test.clock.advance(19_999);
    expect((await now(oi, lead)).status).toBe("active");
    await oi.test.clock.advance(1);
    expect((await now(oi, lead)).status).toBe("unresponsive");
    expect((await oi.events(id, "coordinator.unresponsive"))[0]?.payload).toMatchObject({
      coordinator_id: lead,
      missed_count: 2,
    });
    await asLead(oi, "POST", `coordinators/${lead}/heartbeat`);
    expect((await now(oi, lead)).status).toBe("active");
  });

  it("OI-027 a coordinator is paused and resumed by its supervisor or a person, and ends at its expiry", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const expires_at = new Date(oi.test.clock.now() + 100_000).toISOString();
    const { id: lead } = await grant(oi, { intent_id: id, supervisor_id: "other", expires_at });
    const move = (word: string, as: "agent" | "otherAgent" | "operator") =>
      oi.call("POST", `coordinators/${lead}/${word}`, { as, body: { reason: "r" } });
    expect((await move("pause", "agent")).status).toBe(403);
    expect((await move("pause", "otherAgent")).body.status).toBe("paused");
    expect((await asLead(oi, "POST", `coordinators/${lead}/resume`, {})).status).toBe(403);
    expect((await move("resume", "operator")).body.status).toBe("active");
    expect((await move("resume", "operator")).status).toBe(409);
    const own = { metadata: { b: 2 }, role: "lead", supervisor_id: "other", heartbeat_interval_seconds: 60 };
    const patched = await asLead(oi, "PATCH", `coordinators/${lead}`, own);
    expect(patched.body).toMatchObject(own);
    const reins = [
      { supervisor_id: null },
      { supervisor_id: "lead" },
      { guardrails: {} },
      { heartbeat_interval_seconds: 86_400 },
      { suspension_policy: "escalate" },
      { expires_at: null },
    ];
    for (const loose of reins) {
      expect((await asLead(oi, "PATCH", `coordinators/${lead}`, loose)).status).toBe(403);
      const held = await oi.call("PATCH", `coordinators/${lead}`, {
        as: "otherAgent",
        body: { ...loose, ...own, expires_at },
      });
      expect(held.status).toBe(200);
    }
    await oi.test.clock.advance(100_000);
    expect((await now(oi, lead)).status).toBe("completed");
    expect((await asLead(oi, "POST", `coordinators/${lead}/heartbeat`)).status).toBe(409);
    expect((await move("pause", "operator")).status).toBe(409);
    expect((await oi.events(id)).map(({ event_type }) => event_type).slice(-2)).toEqual([
      "coordinator.paused",
      "coordinator.resumed",
    ]);
  });

  it("OI-027 a coordinator without a supervisor may change its heartbeat interval but not name its own supervisor", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: lead } = await grant(oi, { intent_id: id });
    const patch = (body: object) => asLead(oi, "PATCH", `coordinators/${lead}`, body);
    expect((await patch({ suspension_policy: "escalate" })).body.suspension_policy).toBe("escalate");
    expect((await patch({ supervisor_id: "friend" })).status).toBe(403);
  });

  it("OI-020 a coordinator is visible to itself, its supervisor and everybody who may read its intent", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: lead } = await grant(oi, { intent_id: id, supervisor_id: "boss" });
    await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed", entries: [] } });
    expect((await oi.call("GET", `coordinators/${lead}`, { as: "otherAgent" })).status).toBe(403);
    expect((await oi.call("GET", `coordinators/${lead}`)).status).toBe(200);
    expect((await asLead(oi, "GET", `coordinators/${lead}`)).status).toBe(200);
    const boss = await oi.call("GET", `coordinators/${lead}`, { as: "anyAgent", agent: "boss" });
    expect(boss.status).toBe(200);
  });

  it.each(["paused", "unresponsive"])(
    "OI-027 a coordinator that is %s stops no suspension's timer",
    async (status) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      const { id: lead } = await grant(oi, {
        intent_id: id,
        heartbeat_interval_seconds: 1,
        suspension_policy: "escalate",
      });
      if (status === "paused")
        await oi.call("POST", `coordinators/${lead}/pause`, { as: "operator", body: {} });
      else await oi.test.clock.advance(2000);
      expect((await now(oi, lead)).status).toBe(status);
      await oi.suspend(id, { ...REC, timeout_seconds: 5 });
      expect(await oi.events(id, "coordinator.decision")).toEqual([]);
      await oi.test.clock.advance(5000);
      expect((await oi.get(id)).status).toBe("abandoned");
    },
  );

  it("OI-027 the decisions of a coordinator are stored and listed", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: lead } = await grant(oi, { intent_id: id });
    const decide = (body: object) =>
      asLead(oi, "POST", "decisions", {
        coordinator_id: lead,
        intent_id: id,
        decision_type: "plan_created",
        summary: "s",
        rationale: "r",
        confidence: 0.9,
        ...body,
      });
    expect((await decide({})).body).toMatchObject({
      decision_type: "plan_created",
      summary: "s",
      confidence: 0.9,
      made_by: "lead",
    });
    expect((await decide({ intent_id: "none" })).status).toBe(404);
    expect((await decide({ coordinator_id: "none" })).status).toBe(404);
    const { body } = await oi.call("GET", `intents/${id}/coordinator-decisions?limit=5`);
    expect(body).toHaveLength(1);
    expect((await oi.events(id, "coordinator.decision"))[0]?.payload).toMatchObject({ rationale: "r" });
  });
});

describe("how a coordinator takes a suspension", () => {
  it("OI-155 a coordinator has one of three suspension policies, isolate by default", async () => {
    await using oi = await openIntentServer();
    for (const suspension_policy of ["isolate", "block_dependents", "escalate"]) {
      const { id } = await oi.create();
      const made = await grant(oi, { intent_id: id, suspension_policy });
      expect((await now(oi, made.id)).suspension_policy).toBe(suspension_policy);
    }
    const { id } = await oi.create();
    expect((await grant(oi, { intent_id: id })).suspension_policy).toBe("isolate");
    const wrong = { agent_id: "x", intent_id: (await oi.create()).id, suspension_policy: "panic" };
    expect((await oi.call("POST", "coordinators", { body: wrong })).status).toBe(422);
  });

  /** A producer, a draft wired to it and one that is not, both depending on it. */
  async function wired(oi: OpenIntentServer) {
    const producer = await oi.create({ state: { _phase_name: "review" } });
    const base = { status: "draft", depends_on: [producer.id] };
    const reads = await oi.create({ ...base, state: { _io_inputs: { s: "review.summary" } } });
    const other = await oi.create({ ...base, state: { _io_inputs: { s: "$trigger.q" } } });
    return { producer, reads, other };
  }

  it("OI-156 the policy isolate only counts suspended phases", async () => {
    await using oi = await openIntentServer();
    const { producer, reads } = await wired(oi);
    await grant(oi, { intent_id: producer.id });
    await oi.suspend(producer.id, REC);
    expect((await oi.get(reads.id)).status).toBe("draft");
    expect(await oi.events(producer.id, "coordinator.decision")).toEqual([]);
  });

  it("OI-157 the policy block_dependents pauses dependent phases until the producer is complete", async () => {
    await using oi = await openIntentServer();
    const { producer, reads, other } = await wired(oi);
    const { id: lead } = await grant(oi, { intent_id: producer.id, suspension_policy: "block_dependents" });
    await oi.suspend(producer.id, REC);
    expect((await oi.get(reads.id)).status).toBe("blocked");
    expect((await oi.get(other.id)).status).toBe("draft");
    const [decision] = await oi.events(producer.id, "coordinator.decision");
    expect(decision.payload).toMatchObject({
      coordinator_id: lead,
      decision_type: "dependents_blocked",
      blocked_intents: [reads.id],
    });
    const { body } = await oi.call("GET", `intents/${producer.id}/coordinator-decisions`);
    expect(body).toMatchObject([{ coordinator_id: lead, made_by: "system" }]);
    await oi.respond(producer.id, "s1", "approve");
    expect((await oi.get(reads.id)).status).toBe("blocked");
    await oi.status(producer.id, "completed");
    expect((await oi.get(reads.id)).status).toBe("active");
  });

  it("OI-157 the policy block_dependents also lists phases that a soft gate let begin early", async () => {
    await using oi = await openIntentServer({ activationGate: "soft" });
    const producer = await oi.create({ state: { _phase_name: "review" } });
    const wiring = { depends_on: [producer.id], state: { _io_inputs: { s: "review.summary" } } };
    const working = await oi.create(wiring);
    const over = await oi.create(wiring);
    await oi.status(over.id, "abandoned");
    await grant(oi, { intent_id: producer.id, suspension_policy: "block_dependents" });
    await oi.suspend(producer.id, REC);
    expect((await oi.get(working.id)).status).toBe("blocked");
    const [decision] = await oi.events(producer.id, "coordinator.decision");
    expect(decision.payload.blocked_intents).toEqual([working.id]);
  });

  it.each(["an intent above it", "a portfolio it is in"])(
    "OI-157 a coordinator with the policy block_dependents covers an intent through %s",
    async (how) => {
      await using oi = await openIntentServer();
      const parent = await oi.create();
      const { body: portfolio } = await oi.call("POST", "portfolios", { body: { name: "p" } });
      const producer = await oi.create({ parent_intent_id: parent.id, state: { _phase_name: "review" } });
      await oi.call("POST", `portfolios/${portfolio.id}/intents`, { body: { intent_id: producer.id } });
      const reads = await oi.create({
        status: "draft",
        depends_on: [producer.id],
        state: { _io_inputs: { s: "review.summary" } },
      });
      const where = how === "an intent above it" ? { intent_id: parent.id } : { portfolio_id: portfolio.id };
      const made = await grant(oi, { ...where, suspension_policy: "block_dependents" });
      expect(made.scope).toBe(how === "an intent above it" ? "intent" : "portfolio");
      await oi.suspend(producer.id, REC);
      expect((await oi.get(reads.id)).status).toBe("blocked");
      const again = await oi.call("POST", "coordinators", { body: { agent_id: "x", ...where } });
      expect(again.status).toBe(409);
    },
  );

  it("OI-158 the policy escalate sends an escalation to the supervisor, to streams and to subscriptions", async () => {
    await using oi = await openIntentServer();
    await using receiver = await Receiver.start();
    const { body: portfolio } = await oi.call("POST", "portfolios", { body: { name: "p" } });
    const { id } = await oi.create();
    await oi.call("POST", `portfolios/${portfolio.id}/intents`, { body: { intent_id: id } });
    const { id: lead } = await grant(oi, {
      portfolio_id: portfolio.id,
      supervisor_id: "other",
      suspension_policy: "escalate",
    });
    const body = {
      portfolio_id: portfolio.id,
      event_types: ["coordinator.escalation_required"],
      webhook_url: receiver.url("/hook"),
    };
    expect((await oi.call("POST", "subscriptions", { body })).status).toBe(200);
    const gone = new AbortController();
    const stream = async (path: string, key: string) => {
      const reply = await oi.test.server.app.request(`/api/v1/${path}`, {
        headers: { "x-api-key": key },
        signal: gone.signal,
      });
      expect(reply.status).toBe(200);
      return (reply.body as ReadableStream<Uint8Array>).getReader();
    };
    const readers = [
      await stream(`portfolios/${portfolio.id}/subscribe`, oi.test.keys.agent),
      await stream("agents/other/subscribe", oi.test.keys.otherAgent),
    ];
    await oi.suspend(id, REC);
    const payload = {
      coordinator_id: lead,
      intent_id: id,
      suspension_id: "s1",
      reason: "intent_suspended",
      supervisor_id: "other",
    };
    let last = "";
    for (const reader of readers) {
      let text = "";
      while (!text.includes("event: coordinator.escalation_required\n")) {
        text += new TextDecoder().decode((await reader.read()).value);
      }
      while (!text.slice(text.indexOf("event: coordinator.escalation_required")).includes("\n\n")) {
        text += new TextDecoder().decode((await reader.read()).value);
      }
      const frame = text
        .split("\n\n")
        .find((block) => block.includes("event: coordinator.escalation_required"));
      expect(JSON.parse(/data: (.*)/.exec(frame ?? "")?.[1] ?? "{}")).toMatchObject(payload);
      last = /id: (.*)/.exec(frame ?? "")?.[1] ?? "";
      await reader.cancel();
    }
    const again = await oi.test.server.app.request(`/api/v1/portfolios/${portfolio.id}/subscribe`, {
      headers: { "x-api-key": oi.test.keys.agent, "last-event-id": last },
    });
    expect(again.status).toBe(200);
    await again.body?.cancel();
    await oi.test.clock.advance(1000);
    const heard = receiver.requests.map((request) => JSON.parse(request.body).event);
    expect(heard).toMatchObject([{ event_type: "coordinator.escalation_required", intent_id: id, payload }]);
    const [decision] = await oi.events(id, "coordinator.decision");
    expect(decision.payload).toMatchObject({
      ...payload,
      decision_type: "escalation_initiated",
      event: "coordinator.escalation_required",
    });
  });
});

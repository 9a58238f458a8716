import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer } from "../../testing/openintent.ts";

const at = (id: string, path: string) => `intents/${id}/${path}`;

async function approval(oi: OpenIntentServer, id: string, body: object = {}) {
  const asked = await oi.call("POST", at(id, "approvals"), {
    body: {
      action: "refund 40 EUR",
      reason: "damaged",
      context: { order: "o-1" },
      requested_by: "x",
      ...body,
    },
  });
  expect(asked.status).toBe(200);
  return asked.body;
}

const holdOf = async (oi: OpenIntentServer, id: string) =>
  (await oi.call("GET", `/v1/holds/${id}`, { as: "operator" })).body;

describe("approvals", () => {
  it("finding 10: an approval is a hold that leaves the intent active, and a person's answer is its status", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const asked = await approval(oi, id);
    expect(asked).toMatchObject({
      intent_id: id,
      requested_by: "refunder",
      action: "refund 40 EUR",
      status: "pending",
    });
    expect(await holdOf(oi, asked.hold_id)).toMatchObject({
      type: "approval",
      status: "open",
      prompt: "Approve “refund 40 EUR” of “Refund order o-1”?",
      context: { action: "refund 40 EUR", reason: "damaged", context: { order: "o-1" }, intent: { id } },
    });
    expect((await oi.get(id)).status).toBe("active");
    const approved = await oi.call("POST", at(id, `approvals/${asked.id}/approve`), { as: "operator" });
    expect(approved).toMatchObject({ status: 200, body: { status: "approved", decided_by: "ada" } });
    expect((await oi.call("GET", at(id, `approvals/${asked.id}`))).body).toEqual(approved.body);
    expect((await oi.events(id, "governance.approval_granted"))[0]?.payload).toMatchObject({
      approval_id: asked.id,
    });
    const again = await oi.call("POST", at(id, `approvals/${asked.id}/deny`), { as: "operator" });
    expect(again).toMatchObject({ status: 409, body: { error: "already_resolved" } });
  });

  it("finding 10: a denial says who denied and why, and through which door it came does not matter", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const denied = await approval(oi, id);
    const body = { notes: "too much", decided_by: "Ann" };
    expect(
      (await oi.call("POST", at(id, `approvals/${denied.id}/deny`), { as: "operator", body })).body,
    ).toMatchObject({ status: "denied", decided_by: "Ann", decision_notes: "too much" });
    expect(await oi.events(id, "governance.approval_denied")).toHaveLength(1);
    const native = await approval(oi, id, { reason: null, context: null });
    await oi.call("POST", `/v1/holds/${native.hold_id}/answer`, {
      as: "operator",
      body: { action: "approve" },
    });
    expect((await oi.call("GET", at(id, `approvals/${native.id}`))).body.status).toBe("approved");
    const withdrawn = await approval(oi, id);
    expect((await oi.call("POST", `/v1/holds/${withdrawn.hold_id}/cancel`, { body: {} })).status).toBe(200);
    const shown = (await oi.call("GET", at(id, `approvals/${withdrawn.id}`))).body;
    expect(shown.status).toBe("cancelled");
    expect(shown).not.toHaveProperty("decided_by");
  });

  it.each([{ edited_args: { amount: 5 } }, { edits: { amount: 5 } }])(
    "G14 an approval of an action with changes is denied, because OpenIntent has no place for %j",
    async (data) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      const asked = await approval(oi, id);
      const body = { action: "approve", data };
      const answered = await oi.call("POST", `/v1/holds/${asked.hold_id}/answer`, { as: "operator", body });
      expect(answered.status).toBe(200);
      expect((await oi.call("GET", at(id, `approvals/${asked.id}`))).body.status).toBe("denied");
      expect(await oi.events(id, "governance.approval_granted")).toHaveLength(0);
    },
  );

  it("finding 10 G7: an agent's key neither approves nor denies, and strangers to the intent see nothing", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const asked = await approval(oi, id);
    for (const word of ["approve", "deny"]) {
      const own = await oi.call("POST", at(id, `approvals/${asked.id}/${word}`));
      expect(own).toMatchObject({ status: 403, body: { error: "not_allowed" } });
      const other = await oi.call("POST", at(id, `approvals/${asked.id}/${word}`), { as: "otherAgent" });
      expect(other.status).toBe(403);
    }
    expect(
      (await oi.call("POST", at(id, "approvals"), { as: "operator", body: { action: "x" } })).status,
    ).toBe(403);
    expect((await oi.call("GET", at(id, "approvals/approval_none"))).status).toBe(404);
    expect((await oi.call("POST", at(id, "approvals/none/approve"), { as: "operator" })).status).toBe(404);
    const other = await oi.create();
    expect((await oi.call("GET", at(other.id, `approvals/${asked.id}`))).status).toBe(404);
    expect(
      (await oi.call("POST", at(other.id, `approvals/${asked.id}/approve`), { as: "operator" })).status,
    ).toBe(404);
    await oi.call("PUT", at(id, "acl"), { body: { default_policy: "closed", entries: [] } });
    const denied = await oi.call("POST", at(id, "approvals"), { as: "otherAgent", body: { action: "x" } });
    expect(denied.status).toBe(403);
    for (const as of ["otherAgent", "app"] as const)
      expect((await oi.call("POST", at(id, `approvals/${asked.id}/approve`), { as })).status, as).toBe(403);
    expect((await oi.call("GET", at(id, `approvals/${asked.id}`))).body.status).toBe("pending");
  });

  it("questions that nobody needs any more are cancelled when the intent ends, and their number is limited", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const asked = [];
    for (let n = 0; n < 100; n += 1) asked.push(await approval(oi, id));
    const more = await oi.call("POST", at(id, "approvals"), { body: { action: "one more" } });
    expect(more.body.error).toBe("too_many");
    await oi.status(id, "abandoned");
    expect((await oi.call("GET", at(id, `approvals/${asked[0].id}`))).body.status).toBe("cancelled");
    expect((await holdOf(oi, asked[99].hold_id)).status).toBe("cancelled");
  });
});

describe("escalations", () => {
  it("finding 10: an escalation waits for a person's resolution and is listed by intent and status", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const body = { reason: "cannot reach the bank", priority: "high", urgency: "low", context: { n: 1 } };
    const { body: made } = await oi.call("POST", at(id, "escalations"), { body });
    expect(made).toMatchObject({ ...body, escalated_by: "refunder", status: "pending", intent_id: id });
    expect((await oi.events(id, "coordinator.decision"))[0]?.payload).toMatchObject({
      decision_type: "escalation_initiated",
      escalation_id: made.id,
    });
    const plain = await oi.call("POST", at(id, "escalations"), { body: { reason: "help" } });
    expect(plain.body).toMatchObject({ priority: "medium", urgency: "medium", context: {} });
    const listed = async (query: string) =>
      (await oi.call("GET", `escalations${query}`)).body.escalations.map((each: { id: string }) => each.id);
    expect(new Set(await listed(""))).toEqual(new Set([plain.body.id, made.id]));
    expect(await listed(`?intent_id=${id}&status=pending&limit=1`)).toHaveLength(1);
    expect(await listed("?status=resolved")).toEqual([]);
    const resolution = { resolution: "called them", notes: "use the other number", resolved_by: "Ann" };
    const path = `escalations/${made.id}/resolve`;
    expect((await oi.call("POST", path, { body: resolution })).status).toBe(403);
    const done = await oi.call("POST", path, { as: "operator", body: resolution });
    expect(done.body).toMatchObject({
      status: "resolved",
      resolution: "called them",
      resolution_notes: "use the other number",
      resolved_by: "Ann",
    });
    expect(await oi.events(id, "coordinator.escalation_resolved")).toHaveLength(1);
    expect((await oi.call("POST", path, { as: "operator", body: { resolution: "x" } })).status).toBe(409);
    expect(await listed("?status=resolved")).toEqual([made.id]);
    expect(
      (await oi.call("POST", "escalations/none/resolve", { as: "operator", body: resolution })).status,
    ).toBe(404);
    const bare = await oi.call("POST", `escalations/${plain.body.id}/resolve`, {
      as: "operator",
      body: { resolution: "ok" },
    });
    expect(bare.body).not.toHaveProperty("resolution_notes");
  });

  it("finding 10: escalations of intents that the caller may not read are left out", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.call("POST", at(id, "escalations"), { body: { reason: "help" } });
    await oi.call("PUT", at(id, "acl"), { body: { default_policy: "closed", entries: [] } });
    expect((await oi.call("GET", "escalations", { as: "otherAgent" })).body).toEqual({ escalations: [] });
    expect((await oi.call("GET", `escalations?intent_id=${id}`, { as: "otherAgent" })).status).toBe(403);
    await using empty = await openIntentServer();
    expect((await empty.call("GET", "escalations")).body).toEqual({ escalations: [] });
  });
});

describe("arbitration", () => {
  it("finding 10: an arbitration is decided by a person and is then one of the intent's decisions", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const asked = await oi.call("POST", at(id, "arbitrate"), { body: { reason: "budget or quality?" } });
    expect(asked.body).toMatchObject({ requester_id: "refunder", status: "pending", context: {} });
    expect((await oi.events(id, "arbitration_requested"))[0]?.payload).toMatchObject({
      arbitration_id: asked.body.id,
    });
    await oi.call("POST", `/v1/holds/${asked.body.hold_id}/answer`, {
      as: "operator",
      body: { action: "submit", data: { decision: "quality", reasoning: "it lasts" } },
    });
    const now = await oi.call("GET", at(id, `arbitrations/${asked.body.id}`));
    expect(now.body).toMatchObject({ status: "decided", decision: "quality", decided_by: "ada" });
    expect((await oi.call("GET", at(id, "decisions"))).body.decisions).toMatchObject([
      { decision_type: "arbitration", outcome: "quality", reasoning: "it lasts", decision_maker_id: "ada" },
    ]);
  });

  it("finding 10: options that the agent names are what people choose from", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const options = [{ value: "a", label: "Plan A" }, "b", { value: " " }, 3, { value: "c" }];
    const asked = await oi.call("POST", at(id, "arbitrate"), {
      body: { reason: "which?", context: { options } },
    });
    const hold = await holdOf(oi, asked.body.hold_id);
    expect(hold).toMatchObject({ type: "selection" });
    expect(hold.options.map(({ id: value, label }: { id: string; label: string }) => [value, label])).toEqual(
      [
        ["a", "Plan A"],
        ["b", "b"],
        ["c", "c"],
      ],
    );
    await oi.call("POST", `/v1/holds/${hold.id}/answer`, {
      as: "operator",
      body: { action: "select", data: { selected: ["b"], note: "cheaper" } },
    });
    expect((await oi.call("GET", at(id, "decisions"))).body.decisions).toMatchObject([
      { outcome: "b", reasoning: "cheaper" },
    ]);
    const beside = await oi.call("POST", at(id, "arbitrate"), {
      body: { reason: "which?", options: [{ value: "x", label: "X" }] },
    });
    expect((await holdOf(oi, beside.body.hold_id)).options).toMatchObject([{ id: "x", label: "X" }]);
    expect((await oi.call("GET", at(id, "arbitrations/none"))).status).toBe(404);
  });
});

describe("requests for access", () => {
  const wanted = {
    principal_id: "other",
    principal_type: "agent",
    requested_permission: "write",
    reason: "to ship",
  };

  async function closed(oi: OpenIntentServer) {
    const { id } = await oi.create();
    await oi.call("PUT", at(id, "acl"), { body: { default_policy: "closed", entries: [] } });
    return id;
  }

  const request = (oi: OpenIntentServer, id: string, body: object = {}) =>
    oi.call("POST", at(id, "access-requests"), { as: "otherAgent", body: { ...wanted, ...body } });

  it("OI-020 finding 10: somebody without access asks for it, and a person gives it", async () => {
    await using oi = await openIntentServer();
    const id = await closed(oi);
    const asked = await request(oi, id, { capabilities: ["ship"] });
    expect(asked.body).toMatchObject({
      ...wanted,
      status: "pending",
      capabilities: ["ship"],
      decided_by: null,
    });
    expect(await oi.events(id, "access_requested")).toHaveLength(1);
    const path = at(id, `access-requests/${asked.body.id}/approve`);
    expect((await oi.call("POST", path, { as: "otherAgent", body: {} })).status).toBe(403);
    expect((await oi.call("POST", path, { as: "operator", body: {} })).status).toBe(403);
    const given = await oi.call("POST", path, { as: "admin", body: { decided_by: "Ann", reason: "ok" } });
    expect(given.body).toMatchObject({ status: "approved", decided_by: "Ann", decision_reason: "ok" });
    const acl = (await oi.call("GET", at(id, "acl"))).body;
    expect(acl.entries).toMatchObject([{ principal_id: "other", permission: "write", expires_at: null }]);
    expect((await oi.events(id)).slice(-2).map(({ event_type }) => event_type)).toEqual([
      "access_request_approved",
      "access_granted",
    ]);
    expect((await oi.call("POST", path, { as: "admin", body: {} })).status).toBe(404);
    const list = (await oi.call("GET", at(id, "access-requests"))).body;
    expect(list.access_requests).toMatchObject([{ id: asked.body.id, status: "approved" }]);
    expect((await oi.call("GET", at(id, "access-requests"), { as: "operator" })).status).toBe(403);
  });

  it("finding 10: an operator who gave somebody access can decide the next request and take the access back", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    for (const permission of ["read", "write"]) {
      const asked = await request(oi, id, { requested_permission: permission });
      const path = at(id, `access-requests/${asked.body.id}/approve`);
      expect((await oi.call("POST", path, { as: "operator", body: {} })).status).toBe(200);
    }
    expect((await oi.call("GET", at(id, "access-requests"), { as: "operator" })).status).toBe(200);
    const [entry] = (await oi.call("GET", at(id, "acl"), { as: "operator" })).body.entries;
    const revoked = await oi.call("DELETE", at(id, `acl/entries/${entry.id}`), { as: "operator" });
    expect(revoked.status).toBeLessThan(300);
  });

  it("finding 10: a person may give another permission, for a time, or refuse", async () => {
    await using oi = await openIntentServer();
    const id = await closed(oi);
    const less = await request(oi, id, { reason: null });
    const until = "2026-01-02T00:00:00.000+00:00";
    await oi.call("POST", at(id, `access-requests/${less.body.id}/approve`), {
      as: "admin",
      body: { permission: "read", expires_at: until },
    });
    expect((await oi.call("GET", at(id, "acl"))).body.entries).toMatchObject([
      { principal_id: "other", permission: "read", expires_at: until, reason: null },
    ]);
    const timed = await request(oi, id, { principal_type: null });
    await oi.call("POST", at(id, `access-requests/${timed.body.id}/approve`), {
      as: "admin",
      body: { expires_at: until },
    });
    expect((await oi.call("GET", at(id, "acl"))).body.entries[1]).toMatchObject({ permission: "write" });
    const refused = await request(oi, id);
    const denied = await oi.call("POST", at(id, `access-requests/${refused.body.id}/deny`), {
      as: "admin",
      body: { reason: "" },
    });
    expect(denied.body).toMatchObject({ status: "denied", decided_by: "root", decision_reason: null });
    expect(await oi.events(id, "access_request_denied")).toHaveLength(1);
  });

  it("finding 10 G5: a request that its asker withdrew reads as denied by nobody, and stays when the intent ends", async () => {
    await using oi = await openIntentServer();
    const id = await closed(oi);
    const asked = await request(oi, id);
    const waiting = await request(oi, id);
    await oi.call("POST", `/v1/holds/${asked.body.hold_id}/cancel`, { as: "otherAgent", body: {} });
    await oi.status(id, "abandoned");
    const listed = (await oi.call("GET", at(id, "access-requests"))).body.access_requests;
    const shown = (wanted: string) => listed.find((each: { id: string }) => each.id === wanted);
    expect(shown(asked.body.id)).toMatchObject({
      status: "denied",
      decided_by: null,
      decision_reason: "nobody decided: the request was cancelled",
    });
    expect(shown(waiting.body.id)).toMatchObject({ status: "pending" });
    expect((await oi.call("POST", at("intent_none", "access-requests"), { body: wanted })).status).toBe(404);
  });
});

describe("the hold of a question", () => {
  it("G9 erasing a question's hold erases the copies in the question, which is still listed with its status", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.test.server.engine.run({
      ...{ kind: "set_retention", workspace: "default", retainMs: 3_600_000 },
      by: { role: "admin", via: "key", id: "root", name: "root" },
    });
    const asked = await approval(oi, id);
    await oi.call("POST", at(id, `approvals/${asked.id}/deny`), {
      as: "operator",
      body: { notes: "secret note" },
    });
    await oi.test.clock.advance(2 * 3_600_000);
    const shown = (await oi.call("GET", at(id, `approvals/${asked.id}`))).body;
    expect(shown).toMatchObject({ status: "denied", reason: "", context: {} });
    expect(JSON.stringify(shown)).not.toContain("secret note");
  });

  it("a review link answers a question, and a closed access list keeps other agents and apps from answering", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const asked = await approval(oi, id);
    const link = await oi.call("POST", `/v1/holds/${asked.hold_id}/links`, {
      as: "operator",
      body: { purpose: "review" },
    });
    expect(link.status).toBe(201);
    await oi.call("PUT", at(id, "acl"), { body: { default_policy: "closed", entries: [] } });
    for (const as of ["otherAgent", "app"] as const) {
      const body = { action: "approve" };
      const closed = await oi.call("POST", `/v1/holds/${asked.hold_id}/answer`, { as, body });
      expect(closed.status, as).toBe(404);
    }
    const path = `/reviews/${asked.hold_id.replace("hold_", "review_")}/respond${new URL(link.body.url).search}`;
    const answered = await oi.call("POST", path, { as: "nobody", body: { action: "approve", data: {} } });
    expect(answered.status).toBe(200);
    expect((await oi.call("GET", at(id, `approvals/${asked.id}`))).body.status).toBe("approved");
  });
});

describe("what this server leaves out", () => {
  it.each([
    ["GET", "vaults", "vaults"],
    ["POST", "memory", "memory"],
    ["GET", "channels/x/messages", "channels"],
    ["POST", "federation/dispatch", "federation"],
    ["POST", "agents/register", "agents"],
    ["GET", "triggers", "triggers"],
    ["POST", "grants/g1/delegate", "grants"],
    ["POST", "tools/invoke", "tools"],
    ["GET", "credentials/c1", "credentials"],
    ["GET", "invocations", "invocations"],
    ["POST", "intents/intent_x/costs", "costs"],
    ["GET", "intents/intent_x/attachments", "attachments"],
    ["GET", "intents/intent_x/channels", "channels"],
  ])("finding 10: %s %s is refused with 501 and the name of the part", async (method, path, capability) => {
    await using oi = await openIntentServer();
    const reply = await oi.call(method, path, method === "GET" ? {} : { body: {} });
    expect(reply).toMatchObject({ status: 501, body: { error: "not_implemented", capability } });
    expect(reply.body.message).toContain("does not serve");
  });

  it("finding 10: an address that OpenIntent does not have stays 404, and a wrong method 405", async () => {
    await using oi = await openIntentServer();
    expect((await oi.call("GET", "nothing")).status).toBe(404);
    expect((await oi.call("GET", "intents/x/nothing")).status).toBe(404);
    expect((await oi.call("DELETE", "escalations")).status).toBe(405);
  });
});

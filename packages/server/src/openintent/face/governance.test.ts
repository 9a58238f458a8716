import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, type Wire } from "../../testing/openintent.ts";

const APPROVED = { completion_mode: "require_approval" };

const governed = (oi: OpenIntentServer, policy: object = APPROVED): Promise<Wire> =>
  oi.create({ governance_policy: policy });

const put = async (
  oi: OpenIntentServer,
  id: string,
  policy: object,
  as: "agent" | "dev" | "operator" = "agent",
) => oi.call("PUT", `intents/${id}/governance`, { as, ifMatch: (await oi.get(id)).version, body: policy });

describe("governance", () => {
  it("finding 8: completing an intent that requires approval places one hold and is refused with 403", async () => {
    await using oi = await openIntentServer();
    const { id, version } = await governed(oi);
    const first = await oi.status(id, "completed");
    expect(first).toMatchObject({
      status: 403,
      body: {
        error: "governance_violation",
        detail: { error: "governance_violation", rule: "completion_mode", mode: "require_approval" },
        approval_status: "pending",
      },
    });
    const holds = async () => (await oi.call("GET", "/v1/holds?status=open", { as: "operator" })).body.holds;
    expect(await holds()).toMatchObject([
      { id: first.body.hold_id, type: "approval", context: { action: "complete" } },
    ]);
    const second = await oi.status(id, "completed");
    expect(second).toMatchObject({ status: 403, body: { approval_id: first.body.approval_id } });
    expect(await holds()).toHaveLength(1);
    expect(await oi.events(id, "governance.violation")).toHaveLength(1);
    expect(await oi.get(id)).toMatchObject({ status: "active", version });
  });

  it("finding 8: after a person approved, completing works once and the log names the approval", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi);
    const { approval_id: approvalId, hold_id: holdId } = (await oi.status(id, "completed")).body;
    await oi.call("POST", `/v1/holds/${holdId}/answer`, { as: "operator", body: { action: "approve" } });
    expect((await oi.get(id)).status).toBe("active");
    expect((await oi.status(id, "completed")).body.status).toBe("completed");
    expect((await oi.events(id, "governance.approval_enforced"))[0]?.payload).toEqual({
      approval_ids: [approvalId],
    });
  });

  it("finding 8 G14: an approval that was revoked does not complete the intent, and reads as denied", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi);
    const { approval_id: approvalId, hold_id: holdId } = (await oi.status(id, "completed")).body;
    await oi.call("POST", `/v1/holds/${holdId}/answer`, { as: "operator", body: { action: "approve" } });
    const revoked = await oi.call("POST", `/v1/holds/${holdId}/revoke`, { as: "operator" });
    expect(revoked.status).toBe(200);
    expect((await oi.status(id, "completed")).body).toMatchObject({ approval_status: "denied" });
    expect((await oi.call("GET", `intents/${id}/approvals/${approvalId}`)).body).toMatchObject({
      ...{ status: "denied", decision_notes: "The approval was taken back." },
    });
  });

  it("finding 8: a person's denial stands until the intent has changed", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi);
    const { hold_id: holdId } = (await oi.status(id, "completed")).body;
    await oi.call("POST", `/v1/holds/${holdId}/answer`, { as: "operator", body: { action: "reject" } });
    expect((await oi.status(id, "completed")).body).toMatchObject({ approval_status: "denied" });
    await oi.patch(id, [{ op: "set", path: "/done", value: true }]);
    const again = await oi.status(id, "completed");
    expect(again.body).toMatchObject({ approval_status: "pending" });
    expect(again.body.hold_id).not.toBe(holdId);
    expect((await oi.get(id)).status).toBe("active");
  });

  it("G12: an approval of an intent that has changed since does not complete it, and people are asked again", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi);
    const approve = (holdId: string) =>
      oi.call("POST", `/v1/holds/${holdId}/answer`, { as: "operator", body: { action: "approve" } });
    const first = (await oi.status(id, "completed")).body;
    await approve(first.hold_id);
    await oi.patch(id, [{ op: "set", path: "/amount", value: 90_000 }]);
    const second = await oi.status(id, "completed");
    expect(second).toMatchObject({
      status: 403,
      body: { approvals_received: 0, approval_status: "pending" },
    });
    expect(second.body.hold_id).not.toBe(first.hold_id);
    await oi.patch(id, [{ op: "set", path: "/amount", value: 95_000 }]);
    const third = await oi.status(id, "completed");
    expect(third.body.hold_id).not.toBe(second.body.hold_id);
    const outdated = await oi.call("GET", `/v1/holds/${second.body.hold_id}`, { as: "operator" });
    expect(outdated.body).toMatchObject({
      status: "cancelled",
      outcome: { reason: "the intent has changed since" },
    });
    await approve(third.body.hold_id);
    expect((await oi.status(id, "completed")).body.status).toBe("completed");
    expect((await oi.events(id, "governance.approval_enforced"))[0]?.payload).toEqual({
      approval_ids: [third.body.approval_id],
    });
  });

  it("finding 8: an approval of the action `complete` that the agent asked for itself counts", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi);
    const { body } = await oi.call("POST", `intents/${id}/approvals`, { body: { action: "complete" } });
    expect((await oi.status(id, "completed")).body.approval_id).toBe(body.id);
    await oi.call("POST", `/v1/holds/${body.hold_id}/cancel`, { body: {} });
    const other = await oi.call("POST", `intents/${id}/approvals`, { body: { action: "complete" } });
    await oi.call("POST", `intents/${id}/approvals/${other.body.id}/approve`, { as: "operator" });
    expect((await oi.status(id, "completed")).status).toBe(200);
  });

  it("finding 8: a quorum counts different people, and nobody assigned is no quorum", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi, { completion_mode: "quorum", quorum_threshold: 0.7 });
    expect((await oi.status(id, "completed")).body).toMatchObject({
      error: "governance_violation",
      mode: "quorum",
    });
    for (const agent_id of ["a", "b", "c"])
      await oi.call("POST", `intents/${id}/agents`, { body: { agent_id } });
    const asked = async () => (await oi.status(id, "completed")).body;
    const approve = async (holdId: string, as: "operator" | "admin") =>
      oi.call("POST", `/v1/holds/${holdId}/answer`, { as, body: { action: "approve" } });
    const first = await asked();
    expect(first).toMatchObject({ approvals_received: 0, approvals_required: 2 });
    await approve(first.hold_id, "operator");
    const second = await asked();
    expect(second).toMatchObject({ approvals_received: 1, approval_status: "pending" });
    await approve(second.hold_id, "operator");
    const third = await asked();
    expect(third).toMatchObject({ approvals_received: 1 });
    await approve(third.hold_id, "admin");
    expect((await oi.status(id, "completed")).body.status).toBe("completed");
  });

  it("a quorum counts one person once, whatever name they send and whatever link they use", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi, { completion_mode: "quorum", quorum_threshold: 0.7 });
    for (const agent_id of ["a", "b", "c"])
      await oi.call("POST", `intents/${id}/agents`, { body: { agent_id } });
    const asked = async () => (await oi.status(id, "completed")).body;
    for (const decided_by of ["ada", "bob", "kay"]) {
      const { approval_id: approvalId } = await asked();
      const at = `intents/${id}/approvals/${approvalId}/approve`;
      const approved = await oi.call("POST", at, { as: "operator", body: { decided_by } });
      expect(approved.body).toMatchObject({ status: "approved", decided_by });
    }
    const { hold_id: holdId, ...counts } = await asked();
    expect(counts).toMatchObject({ approvals_received: 1, approval_status: "pending" });
    const link = await oi.call("POST", `/v1/holds/${holdId}/links`, { as: "operator", body: {} });
    const token = new URL(link.body.url).searchParams.get("token") ?? "";
    const headers = { authorization: `Bearer ${token}` };
    await oi.test.call("POST", `/v1/holds/${holdId}/answer`, { headers, body: { action: "approve" } });
    expect(await asked()).toMatchObject({ approvals_received: 1, approval_status: "pending" });
    expect((await oi.get(id)).status).toBe("active");
  });

  it("an agent cannot lower a quorum by unassigning others", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi, { completion_mode: "quorum", quorum_threshold: 0.7 });
    for (const agent_id of ["a", "b", "c"])
      await oi.call("POST", `intents/${id}/agents`, { body: { agent_id } });
    const leave = (as: "agent" | "operator", agent: string) =>
      oi.call("DELETE", `intents/${id}/agents/${agent}`, { as });
    expect(await leave("agent", "c")).toMatchObject({ status: 403 });
    expect((await oi.status(id, "completed")).body).toMatchObject({ approvals_required: 2 });
    expect((await leave("operator", "c")).status).toBeLessThan(300);
    expect((await leave("agent", "b")).status).toBeLessThan(300);
    expect((await leave("agent", "a")).status).toBeLessThan(300);
  });

  it.each([
    [{ completion_mode: "whatever" }, "/completion_mode"],
    [{ completion_mode: 3 }, "/completion_mode"],
    [{ write_scope: "nobody" }, "/write_scope"],
    [{ quorum_threshold: 0 }, "/quorum_threshold"],
    [{ quorum_threshold: "half" }, "/quorum_threshold"],
    [{ quorum_threshold: 1.5 }, "/quorum_threshold"],
    [{ max_cost: -1 }, "/max_cost"],
    [{ max_cost: "3" }, "/max_cost"],
    [{ allowed_agents: "a" }, "/allowed_agents"],
    [{ allowed_agents: [1] }, "/allowed_agents"],
    [{ require_status_reason: "yes" }, "/require_status_reason"],
  ])("finding 8: a policy that cannot be enforced is refused with 422: %j", async (policy, key) => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const set = await put(oi, id, policy);
    expect(set).toMatchObject({ status: 422, body: { error: "invalid_policy", errors: [{ key }] } });
    const made = await oi.call("POST", "intents", { body: { title: "t", governance_policy: policy } });
    expect(made).toMatchObject({ status: 422, body: { error: "invalid_policy" } });
    expect((await oi.get(id)).governance_policy).toBeNull();
  });

  it("finding 8: the effective policy has the protocol's defaults, and no limit that is not enforced", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await put(oi, id, { max_cost: 3, note: "kept", completion_mode: null, allowed_agents: ["refunder"] });
    expect((await oi.call("GET", `intents/${id}/governance`)).body).toEqual({
      intent_id: id,
      governance_policy: { max_cost: 3, note: "kept", completion_mode: null, allowed_agents: ["refunder"] },
      effective_policy: {
        completion_mode: "auto",
        write_scope: "any",
        quorum_threshold: 0.6,
        allowed_agents: ["refunder"],
        max_cost: null,
        require_status_reason: false,
      },
    });
  });

  it("finding 8: only assigned agents write where the policy says so, and each attempt is in the log", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi, { write_scope: "assigned_only" });
    const write = () => oi.patch(id, [{ op: "set", path: "/a", value: 1 }]);
    expect(await write()).toMatchObject({ status: 403, body: { rule: "write_scope" } });
    expect((await oi.status(id, "blocked")).body.rule).toBe("write_scope");
    expect(await oi.events(id, "governance.violation")).toHaveLength(2);
    expect((await oi.get(id)).state).toEqual({});
    await oi.call("POST", `intents/${id}/agents`, { body: { agent_id: "refunder" } });
    expect((await write()).status).toBe(200);
    const { id: other } = await governed(oi, { write_scope: "assigned_only" });
    expect((await oi.status(other, "blocked", { as: "operator" })).status).toBe(200);
  });

  it("finding 8: agents that the policy does not name are neither assigned nor let in", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi, { allowed_agents: ["other"] });
    expect((await oi.patch(id, [{ op: "set", path: "/a", value: 1 }])).body.rule).toBe("allowed_agents");
    const assign = (agent_id: string) => oi.call("POST", `intents/${id}/agents`, { body: { agent_id } });
    expect(await assign("refunder")).toMatchObject({ status: 403, body: { rule: "allowed_agents" } });
    expect((await assign("other")).status).toBe(200);
    expect((await oi.patch(id, [{ op: "set", path: "/a", value: 1 }], { as: "otherAgent" })).status).toBe(
      200,
    );
  });

  it("finding 8: a policy may require a reason for each change of status", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi, { require_status_reason: true });
    expect((await oi.status(id, "blocked")).body.rule).toBe("require_status_reason");
    const reply = await oi.call("POST", `intents/${id}/status`, {
      ifMatch: (await oi.get(id)).version,
      body: { status: "blocked", reason: "waiting for parts" },
    });
    expect(reply.status).toBe(200);
  });

  it("finding 8: an agent cannot loosen the policy that makes it wait, and an operator can", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi);
    expect(await put(oi, id, { completion_mode: "auto" })).toMatchObject({ status: 403 });
    expect(await put(oi, id, { completion_mode: "quorum" })).toMatchObject({ status: 403 });
    const removed = await oi.call("DELETE", `intents/${id}/governance`, {
      ifMatch: (await oi.get(id)).version,
    });
    expect(removed.status).toBe(403);
    expect((await put(oi, id, { ...APPROVED, note: "n" })).status).toBe(200);
    expect((await put(oi, id, { completion_mode: "auto" }, "operator")).status).toBe(200);
    expect((await oi.status(id, "completed")).status).toBe(200);
  });

  it("finding 8: an operator's attempt asks in the name of the intent's agent, so that the operator may answer", async () => {
    await using oi = await openIntentServer();
    const { id } = await governed(oi);
    const { hold_id: holdId } = (await oi.status(id, "completed", { as: "operator" })).body;
    const approved = await oi.call("POST", `/v1/holds/${holdId}/answer`, {
      as: "operator",
      body: { action: "approve" },
    });
    expect(approved.status).toBe(200);
    expect((await oi.status(id, "completed", { as: "operator" })).body.status).toBe("completed");
  });
});

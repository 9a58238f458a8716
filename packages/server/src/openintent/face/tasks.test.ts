import { describe, expect, it } from "vitest";
import { openIntentServer, REC } from "../../testing/openintent.ts";
import { act, patchTask, running, task, taskNow, told } from "../../testing/openintent-plans.ts";

describe("tasks", () => {
  it("OI-025 a task without open dependencies is ready, and its status moves one step at a time", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const first = await task(oi, id);
    expect(first).toMatchObject({ status: "ready", state: "ready", version: 1, attempt: 1, depends_on: [] });
    const second = await task(oi, id, { name: "next", depends_on: [first.id] });
    expect(second.status).toBe("pending");
    expect((await taskNow(oi, first.id)).blocks).toEqual([second.id]);
    for (const status of ["claimed", "running", "blocked", "running", "completed"]) {
      expect((await patchTask(oi, first.id, { status, output: { n: 1 } })).body.status).toBe(status);
    }
    expect(await taskNow(oi, first.id)).toMatchObject({ output: { n: 1 }, assigned_agent: "refunder" });
    expect((await taskNow(oi, second.id)).status).toBe("ready");
    expect(await told(oi, id, "task.")).toEqual([
      "task.created",
      "task.created",
      "task.claimed",
      "task.started",
      "task.blocked",
      "task.unblocked",
      "task.completed",
      "task.ready",
    ]);
    expect((await oi.call("GET", `intents/${id}/tasks?status=completed`)).body).toHaveLength(1);
    expect((await oi.call("GET", `intents/${id}/tasks?limit=1&offset=1`)).body).toHaveLength(1);
  });

  it("OI-026 G1 one agent claims a task, however many try at once", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    const one = await task(oi, id);
    const asking = Array.from({ length: 8 }, (_, n) => `agent-${n}`).map((agent) =>
      oi.call("POST", `tasks/${one.id}/claim`, { as: "anyAgent", agent, body: {} }),
    );
    const replies = await Promise.all(asking);
    const taken = replies.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
    const { assigned_agent: agent } = taken[0]?.body ?? {};
    const again = await oi.call("POST", `tasks/${one.id}/claim`, { as: "anyAgent", agent, body: {} });
    expect(again).toMatchObject({ status: 200, body: { version: 2, assigned_agent: agent } });
    expect(await told(oi, id, "task.claimed")).toHaveLength(1);
  });

  it("OI-025 a failed task can become ready again, and every unfinished task can be cancelled", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const one = await running(oi, id);
    await patchTask(oi, one.id, { status: "failed", error: { code: "x" } });
    expect((await patchTask(oi, one.id, { state: "ready" })).body.status).toBe("ready");
    expect(await told(oi, id, "task.retrying")).toHaveLength(1);
    expect((await patchTask(oi, one.id, { status: "cancelled" })).body.status).toBe("cancelled");
    expect((await patchTask(oi, one.id, { status: "ready" })).status).toBe(409);
  });

  it.each([
    ["ready", "completed"],
    ["ready", "blocked"],
    ["claimed", "failed"],
    ["completed", "cancelled"],
    ["completed", "running"],
  ])("OI-025 a task cannot go from %s to %s", async (from, to) => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: taskId } = await task(oi, id);
    if (from === "claimed") await patchTask(oi, taskId, { status: "claimed" });
    if (from === "completed") {
      await patchTask(oi, taskId, { status: "running" });
      await patchTask(oi, taskId, { status: "completed" });
    }
    expect(await patchTask(oi, taskId, { status: to })).toMatchObject({
      status: 409,
      body: { error: "invalid_transition", from, to },
    });
  });

  it("OI-025 a task waits for its dependencies", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const first = await task(oi, id);
    const second = await task(oi, id, { depends_on: [first.id] });
    expect((await patchTask(oi, second.id, { status: "running" })).status).toBe(409);
    expect((await patchTask(oi, second.id, { status: "ready" })).status).toBe(409);
    const wrong = await oi.call("POST", "tasks", {
      body: { intent_id: id, name: "x", depends_on: ["none"] },
    });
    expect(wrong).toMatchObject({ status: 400, body: { error: "unknown_dependency" } });
    expect((await oi.call("POST", "tasks", { body: { intent_id: "none", name: "x" } })).status).toBe(404);
  });

  it("OI-025 changing a task requires If-Match", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: taskId } = await task(oi, id);
    const patch = (ifMatch?: number) =>
      oi.call("PATCH", `tasks/${taskId}`, {
        body: { priority: "high" },
        ...(ifMatch === undefined ? {} : { ifMatch }),
      });
    expect((await patch()).status).toBe(428);
    expect((await patch(1)).body).toMatchObject({ priority: "high", version: 2 });
    expect(await patch(1)).toMatchObject({ status: 409, body: { current_version: 2 } });
  });

  it("OI-026 tasks are claimed, progressed, delegated and completed by their own calls", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const made = await oi.call("POST", `intents/${id}/tasks`, { body: { name: "audit" } });
    const { id: taskId } = made.body;
    expect((await act(oi, taskId, "claim")).body).toMatchObject({
      status: "claimed",
      assigned_agent: "refunder",
    });
    expect((await act(oi, taskId, "progress", { percentage: 50, message: "half" })).body).toMatchObject({
      status: "running",
      progress_percentage: 50,
    });
    const { body: part } = await act(oi, taskId, "delegate", { capability: "legal", payload: { page: 3 } });
    expect(part).toMatchObject({
      status: "ready",
      parent_task_id: taskId,
      input: { page: 3 },
      capabilities_required: ["legal"],
    });
    expect(await taskNow(oi, taskId)).toMatchObject({ status: "blocked", blocked_reason: "delegation" });
    await act(oi, part.id, "claim");
    await act(oi, part.id, "complete", { output: { fine: true } });
    expect(await taskNow(oi, taskId)).toMatchObject({
      status: "running",
      blocked_reason: null,
      metadata: { delegation_output: { fine: true } },
    });
    expect((await act(oi, taskId, "escalate", { reason: "unclear" })).body).toMatchObject({
      status: "blocked",
      blocked_reason: "escalation",
    });
    expect((await act(oi, taskId, "progress")).status).toBe(409);
    await patchTask(oi, taskId, { status: "running" });
    expect((await act(oi, taskId, "complete", { output: 1, artifacts: ["a.csv"] })).body).toMatchObject({
      status: "completed",
      artifacts: ["a.csv"],
    });
    expect((await act(oi, taskId, "delegate")).status).toBe(409);
    expect((await act(oi, taskId, "escalate")).status).toBe(409);
    expect(new Set(await told(oi, id, "task."))).toEqual(
      new Set([
        ...[
          "task.created",
          "task.claimed",
          "task.started",
          "task.progress",
          "task.delegated",
          "task.blocked",
        ],
        ...["task.completed", "task.unblocked", "task.escalated"],
      ]),
    );
  });

  it("OI-026 a task can fail, and a failed delegated task returns its parent task", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const whole = await running(oi, id);
    const { body: part } = await act(oi, whole.id, "delegate", { agent_id: "lawyer" });
    expect(part.assigned_agent).toBe("lawyer");
    await act(oi, part.id, "claim");
    expect((await act(oi, part.id, "fail", { error: "no" })).body).toMatchObject({
      status: "failed",
      error: "no",
    });
    expect((await taskNow(oi, whole.id)).status).toBe("running");
    const [unblocked] = await oi.events(id, "task.unblocked");
    expect(unblocked.payload.resolution).toBe("delegation_failed");
  });

  it("OI-026 a task fails at its deadline, and the deadline does not advance while the task is blocked", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const timed = await running(oi, id, { timeout_seconds: 10 });
    await oi.test.clock.advance(6000);
    await oi.suspend(id, REC);
    await oi.test.clock.advance(60_000);
    expect((await taskNow(oi, timed.id)).status).toBe("blocked");
    await oi.respond(id, "s1", "approve");
    await oi.test.clock.advance(3999);
    expect((await taskNow(oi, timed.id)).status).toBe("running");
    await oi.test.clock.advance(1);
    expect(await taskNow(oi, timed.id)).toMatchObject({ status: "failed", error: { code: "timeout" } });
  });

  it("OI-026 only callers who may read an intent may read its tasks", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { id: taskId } = await task(oi, id);
    await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed", entries: [] } });
    expect((await oi.call("GET", `tasks/${taskId}`, { as: "otherAgent" })).status).toBe(403);
    expect((await oi.call("POST", `tasks/${taskId}/claim`, { as: "otherAgent", body: {} })).status).toBe(403);
    expect((await oi.call("GET", "tasks/none")).status).toBe(404);
  });
});

describe("tasks mirror suspension", () => {
  it("OI-138 suspending an intent blocks its running task and no other", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const works = await running(oi, id);
    const waits = await task(oi, id);
    const byHand = await running(oi, id);
    await act(oi, byHand.id, "escalate", { reason: "r" });
    await oi.suspend(id, REC);
    expect(await taskNow(oi, works.id)).toMatchObject({
      status: "blocked",
      blocked_reason: "intent_suspended",
      suspended_intent_id: id,
    });
    expect((await taskNow(oi, waits.id)).status).toBe("ready");
    expect(await taskNow(oi, byHand.id)).toMatchObject({
      blocked_reason: "escalation",
      suspended_intent_id: null,
    });
    expect((await patchTask(oi, works.id, { blocked_reason: "coffee" })).body.blocked_reason).toBe(
      "intent_suspended",
    );
    const blocked = (await oi.events(id, "task.blocked")).at(-1);
    expect(blocked.payload).toMatchObject({
      task_id: works.id,
      reason: "intent_suspended",
      blocked_by: id,
      suspended_intent_id: id,
    });
    const order = (await oi.events(id)).map(({ event_type }) => event_type);
    expect(order.indexOf("intent.suspended")).toBeGreaterThan(order.lastIndexOf("task.blocked"));
  });

  it("OI-138 a task that executes another intent is blocked with that intent, and the event is in its own intent's log", async () => {
    await using oi = await openIntentServer();
    const plan = await oi.create();
    const phase = await oi.create();
    const works = await running(oi, plan.id, { metadata: { executes_intent_id: phase.id } });
    await oi.suspend(phase.id, REC);
    expect(await taskNow(oi, works.id)).toMatchObject({ status: "blocked", suspended_intent_id: phase.id });
    expect(await told(oi, plan.id, "task.blocked")).toHaveLength(1);
    expect(await told(oi, phase.id, "task.")).toEqual([]);
    await oi.respond(phase.id, "s1", "approve");
    expect((await taskNow(oi, works.id)).status).toBe("running");
    await oi.suspend(phase.id, { ...REC, id: "s2" });
    await oi.status(phase.id, "abandoned");
    expect((await taskNow(oi, works.id)).status).toBe("cancelled");
  });

  it("OI-138 OI-020 a task reveals nothing about an intent that its reader may not read", async () => {
    await using oi = await openIntentServer();
    const secret = await oi.create();
    await oi.call("PUT", `intents/${secret.id}/acl`, { body: { default_policy: "closed", entries: [] } });
    const own = await oi.create({}, { as: "otherAgent" });
    const follow = { name: "spy", metadata: { executes_intent_id: secret.id } };
    for (const [path, body] of [
      ["tasks", follow],
      ["plan", { tasks: [follow] }],
    ] as const) {
      const made = await oi.call("POST", `intents/${own.id}/${path}`, { as: "otherAgent", body });
      expect(made).toMatchObject({ status: 400, body: { error: "unknown_dependency" } });
    }
  });

  it("OI-138 blocking a task does not suspend its intent, and a task of a suspended intent cannot be claimed", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const works = await running(oi, id);
    await patchTask(oi, works.id, { status: "blocked", blocked_reason: "coffee" });
    expect((await oi.get(id)).status).toBe("active");
    const other = await task(oi, id);
    await oi.suspend(id, REC);
    expect(await act(oi, other.id, "claim")).toMatchObject({
      status: 409,
      body: { error: "suspension_pending" },
    });
    expect(await patchTask(oi, works.id, { status: "running" })).toMatchObject({
      status: 409,
      body: { error: "suspension_pending" },
    });
  });

  it("OI-139 resuming the intent resumes the tasks that its suspension blocked, and no others", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const works = await running(oi, id);
    const byHand = await running(oi, id);
    await patchTask(oi, byHand.id, { status: "blocked", blocked_reason: "coffee" });
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve");
    expect(await taskNow(oi, works.id)).toMatchObject({
      status: "running",
      blocked_reason: null,
      suspended_intent_id: null,
    });
    expect(await taskNow(oi, byHand.id)).toMatchObject({ status: "blocked", blocked_reason: "coffee" });
    const unblocked = await oi.events(id, "task.unblocked");
    expect(unblocked.map(({ payload }) => [payload.task_id, payload.resolution])).toEqual([
      [works.id, "responded"],
    ]);
  });

  it("OI-139 a delegated task that completes while the parent's intent is suspended leaves the parent blocked", async () => {
    await using oi = await openIntentServer();
    const plan = await oi.create();
    const phase = await oi.create();
    const whole = await running(oi, plan.id, { metadata: { executes_intent_id: phase.id } });
    const { body: part } = await act(oi, whole.id, "delegate", {});
    await oi.suspend(phase.id, REC);
    await act(oi, part.id, "claim");
    await act(oi, part.id, "complete", { output: 1 });
    expect(await taskNow(oi, whole.id)).toMatchObject({
      status: "blocked",
      blocked_reason: "intent_suspended",
    });
    await oi.respond(phase.id, "s1", "approve");
    expect((await taskNow(oi, whole.id)).status).toBe("running");
  });

  it.each([
    ["complete_with_fallback", "running"],
    ["fail", "cancelled"],
  ])("OI-140 after an expiry under %s the task is %s", async (fallback_policy, status) => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const works = await running(oi, id);
    await oi.suspend(id, { ...REC, fallback_policy, timeout_seconds: 5 });
    await oi.test.clock.advance(5000);
    expect((await taskNow(oi, works.id)).status).toBe(status);
    const [last] = (await oi.events(id)).filter(({ event_type }) =>
      /task\.(cancelled|unblocked)/.test(event_type),
    );
    expect(last.payload).toMatchObject(
      status === "running" ? { resolution: "expired" } : { reason: "suspension_expired" },
    );
  });

  it("OI-140 abandoning an intent cancels its tasks", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const works = await running(oi, id);
    await oi.suspend(id, REC);
    await oi.status(id, "abandoned");
    expect((await taskNow(oi, works.id)).status).toBe("cancelled");
    const late = await task(oi, id);
    expect((await act(oi, late.id, "claim")).status).toBe(409);
  });
});

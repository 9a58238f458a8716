import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC } from "../../testing/openintent.ts";
import { act, begun, planned, task, taskNow, told } from "../../testing/openintent-plans.ts";

const SUSPENDED = "suspended_awaiting_input";

async function finish(oi: OpenIntentServer, task: string) {
  await act(oi, task, "claim");
  expect((await act(oi, task, "complete")).status).toBe(200);
}

/** Earlier versions kept one row for each checkpoint, whose id was the checkpoint's. */
async function asEarlierVersionsStored(oi: OpenIntentServer, planId: string, checkpointId: string) {
  const { store } = oi.test;
  const key = { workspace: "default", kind: "plan_checkpoint" } as const;
  const batch = await store.begin();
  const [row] = await batch.load([{ ...key, id: `${planId}\n${checkpointId}` }]);
  if (row === undefined) throw new Error("the checkpoint has no row");
  const { version, seq, head } = row;
  await batch.commit({
    puts: [
      { key: { ...key, id: row.id }, expected: version, version: version + 1, seq, head, body: null },
      { key: { ...key, id: checkpointId }, expected: 0, version: 1, seq: 0, head: "", body: { planId } },
    ],
    events: [],
    timers: [],
    outbox: [],
  });
}

describe("plans", () => {
  const TWO = [{ name: "fetch" }, { name: "report", depends_on: ["fetch"] }];

  it("OI-026 a plan is created with its tasks, activated, paused, resumed and completed", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const made = await oi.call("POST", `intents/${id}/plan`, { body: { tasks: TWO } });
    const plan = made.body;
    expect(plan).toMatchObject({
      state: "draft",
      on_failure: "pause_and_escalate",
      progress: { total: 2, completion_percentage: 0, suspended_tasks: [] },
    });
    const [first, second] = plan.tasks;
    expect((await act(oi, first, "claim")).status).toBe(409);
    const move = (word: string) => oi.call("POST", `plans/${plan.id}/${word}`, { body: {} });
    expect((await move("activate")).body.state).toBe("active");
    expect((await move("activate")).body.state).toBe("active");
    expect((await move("pause")).body.state).toBe("paused");
    expect((await act(oi, first, "claim")).status).toBe(409);
    expect((await move("resume")).body.state).toBe("active");
    for (const each of [first, second]) {
      await act(oi, each, "claim");
      expect((await act(oi, each, "complete")).status).toBe(200);
    }
    expect((await oi.call("GET", `plans/${plan.id}`)).body).toMatchObject({
      state: "completed",
      progress: { completion_percentage: 100, by_status: { completed: 2 } },
    });
    expect((await move("cancel")).status).toBe(409);
    expect(await told(oi, id, "plan.")).toEqual([
      "plan.created",
      "plan.activated",
      "plan.paused",
      "plan.resumed",
      "plan.completed",
    ]);
    expect((await oi.call("GET", `intents/${id}/plan`)).body.id).toBe(plan.id);
    expect((await oi.call("GET", `intents/${id}/plans`)).body).toHaveLength(1);
    expect((await oi.call("GET", "plans/none")).status).toBe(404);
  });

  it("OI-026 a plan can include existing tasks and is changed with If-Match", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const [one, two] = [await task(oi, id), await task(oi, id)];
    const plan = await planned(oi, id, { tasks: [one.id] });
    const patch = (body: object, ifMatch?: number) =>
      oi.call("PATCH", `plans/${plan.id}`, { body, ...(ifMatch === undefined ? {} : { ifMatch }) });
    expect((await patch({})).status).toBe(428);
    const changed = await patch({ tasks: [one.id, two.id], metadata: { a: 1 }, state: "active" }, 1);
    expect(changed.body).toMatchObject({
      tasks: [one.id, two.id],
      metadata: { a: 1 },
      state: "active",
      version: 2,
    });
    expect((await patch({}, 1)).status).toBe(409);
    expect((await taskNow(oi, two.id)).plan_id).toBe(plan.id);
    const stolen = await oi.call("POST", "plans", { body: { intent_id: id, tasks: [one.id] } });
    expect(stolen.body.error).toBe("unknown_dependency");
    const added = await task(oi, id, { plan_id: plan.id });
    expect((await oi.call("GET", `plans/${plan.id}`)).body.tasks).toContain(added.id);
    const cancelled = await oi.call("POST", `plans/${plan.id}/cancel`, { body: { reason: "no" } });
    expect(cancelled.body).toMatchObject({ state: "cancelled", progress: { by_status: { cancelled: 3 } } });
    expect((await oi.events(id, "plan.failed"))[0]?.payload).toMatchObject({
      event: "plan.cancelled",
      reason: "no",
    });
  });

  it("OI-026 a plan with cyclic dependencies is refused, and callers without access see no plan", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const circle = [
      { name: "a", depends_on: ["b"] },
      { name: "b", depends_on: ["a"] },
    ];
    expect((await oi.call("POST", "plans", { body: { intent_id: id, tasks: circle } })).body.error).toBe(
      "dependency_cycle",
    );
    const other = await oi.create();
    const plan = await planned(oi, other.id);
    const wrong = await oi.call("POST", "tasks", { body: { intent_id: id, name: "x", plan_id: plan.id } });
    expect(wrong.status).toBe(400);
    const unreadable = { intent_id: id, conditions: [{ task_id: "a", when: "launch(missiles)" }] };
    expect((await oi.call("POST", "plans", { body: unreadable })).status).toBe(422);
  });

  it.each([
    [{ issues: 2 }, "ready", ["pending"]],
    [{ issues: 0 }, "skipped", ["ready"]],
  ])("OI-026 a condition on the output %j makes its task %s", async (output, status, after) => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const plan = await begun(oi, id, {
      tasks: [
        { name: "audit" },
        { name: "fix", depends_on: ["audit"] },
        { name: "tell", depends_on: ["fix"] },
      ],
      conditions: [{ task_id: "fix", when: "tasks['audit'].output.issues > 0", otherwise: "skip" }],
    });
    const [audit, fix, tell] = plan.tasks;
    await act(oi, audit, "claim");
    await act(oi, audit, "complete", { output });
    expect((await taskNow(oi, fix)).status).toBe(status);
    expect([(await taskNow(oi, tell)).status]).toEqual(after);
    if (status === "skipped") {
      await act(oi, tell, "claim");
      await act(oi, tell, "complete");
      expect((await oi.call("GET", `plans/${plan.id}`)).body.state).toBe("completed");
    }
  });

  it.each([
    ["pause_and_escalate", "paused", "failed"],
    ["notify", "active", "failed"],
    ["fail", "failed", "failed"],
    ["retry", "active", "ready"],
  ])(
    "OI-026 a task that fails under on_failure %s leaves the plan %s and the task %s",
    async (on_failure, state, status) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      const plan = await begun(oi, id, { tasks: [{ name: "fetch", max_attempts: 2 }], on_failure });
      const [only] = plan.tasks;
      const failing = async () => {
        await act(oi, only, "claim");
        await act(oi, only, "fail", { error: "x" });
      };
      await failing();
      expect((await oi.call("GET", `plans/${plan.id}`)).body.state).toBe(state);
      expect((await taskNow(oi, only)).status).toBe(status);
      if (on_failure !== "retry") return;
      await failing();
      expect((await oi.call("GET", `plans/${plan.id}`)).body.state).toBe("failed");
    },
  );

  it("OI-130 OI-146 a suspended phase does not change the plan's status and is listed in its progress", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const phase = await oi.create();
    const plan = await begun(oi, id, {
      tasks: [{ name: "review", metadata: { executes_intent_id: phase.id } }],
    });
    const [only] = plan.tasks;
    await act(oi, only, "claim");
    const progress = async () => (await oi.call("GET", `plans/${plan.id}/progress`)).body;
    expect((await progress()).suspended_tasks).toEqual([]);
    const { state } = await oi.suspend(phase.id, { ...REC, timeout_seconds: 60 });
    const { suspended_at: suspended_since, expires_at } = state._suspension;
    expect((await progress()).suspended_tasks).toEqual([
      { task_id: only, intent_id: phase.id, suspended_since, expires_at },
    ]);
    const { body: now } = await oi.call("GET", `plans/${plan.id}`);
    expect(now).toMatchObject({ state: "active", version: plan.version });
    expect(now.progress.suspended_tasks).toHaveLength(1);
    await oi.respond(phase.id, "s1", "approve");
    await oi.suspend(phase.id, { ...REC, id: "s2" });
    expect((await progress()).suspended_tasks[0].expires_at).toBeNull();
    await oi.respond(phase.id, "s2", "approve");
    expect((await progress()).suspended_tasks).toEqual([]);
  });
});

describe("checkpoints", () => {
  /** A plan of two tasks with a checkpoint after the first, which has been completed. */
  async function reached(oi: OpenIntentServer, checkpoint: object = {}) {
    const { id } = await oi.create();
    const plan = await begun(oi, id, {
      tasks: [{ name: "audit" }, { name: "report", depends_on: ["audit"] }],
      checkpoints: [
        { name: "compliance_review", after_task: "audit", requires_approval: true, ...checkpoint },
      ],
    });
    await act(oi, plan.tasks[0], "claim");
    expect((await act(oi, plan.tasks[0], "complete")).status).toBe(200);
    const now = async () => (await oi.call("GET", `plans/${plan.id}`)).body;
    return { id, plan, now, checkpoint: (await now()).checkpoints[0] };
  }

  it("OI-141 a checkpoint pauses the plan and asks, and an approval resumes the plan", async () => {
    await using oi = await openIntentServer();
    const { id, plan, now, checkpoint } = await reached(oi);
    expect(checkpoint).toMatchObject({ status: "waiting", name: "compliance_review" });
    expect((await now()).state).toBe("paused");
    const intent = await oi.get(id);
    expect(intent).toMatchObject({ status: SUSPENDED, state: { _suspension: { response_type: "choice" } } });
    expect((await oi.events(id, "plan.checkpoint_reached"))[0]?.payload).toMatchObject({
      plan_id: plan.id,
      checkpoint_id: checkpoint.id,
      requires_approval: true,
    });
    expect((await act(oi, plan.tasks[1], "claim")).status).toBe(409);
    expect((await oi.call("POST", `plans/${plan.id}/resume`, { body: {} })).body.error).toBe(
      "suspension_pending",
    );
    expect((await oi.respond(id, intent.state._suspension.id, "approve")).status).toBe(200);
    expect(await now()).toMatchObject({
      state: "active",
      checkpoints: [{ status: "approved", approved_by: "ada" }],
    });
    expect((await oi.events(id, "plan.checkpoint_approved"))[0]?.payload).toMatchObject({
      checkpoint_id: checkpoint.id,
      approved_by: "ada",
    });
    expect((await oi.get(id)).status).toBe("active");
    expect((await act(oi, plan.tasks[1], "claim")).status).toBe(200);
  });

  it("OI-141 rejecting a checkpoint fails the plan", async () => {
    await using oi = await openIntentServer();
    const { id, now } = await reached(oi);
    const { state } = await oi.get(id);
    await oi.respond(id, state._suspension.id, "deny");
    expect(await now()).toMatchObject({ state: "failed", checkpoints: [{ status: "rejected" }] });
    expect(await told(oi, id, "plan.checkpoint_rejected")).toHaveLength(1);
  });

  it("OI-026 a checkpoint can be approved or rejected once by its own call, by people only", async () => {
    await using oi = await openIntentServer();
    const { id, plan, now, checkpoint } = await reached(oi);
    const resolve = (word: string, as: "operator" | "agent" = "operator", cp = checkpoint.id) =>
      oi.call("POST", `checkpoints/${cp}/${word}`, { as, body: {} });
    expect((await resolve("approve", "agent")).status).toBe(403);
    expect((await resolve("approve")).body).toMatchObject({ status: "approved", approved_by: "ada" });
    expect((await resolve("reject")).status).toBe(409);
    expect((await now()).state).toBe("active");
    expect((await oi.get(id)).status).toBe("active");
    expect((await oi.call("GET", `plans/${plan.id}/checkpoints`)).body).toHaveLength(1);
    const other = await reached(oi);
    expect((await resolve("reject", "operator", other.checkpoint.id)).body.status).toBe("rejected");
    expect((await resolve("approve", "operator", "none")).status).toBe(404);
  });

  it("OI-141 only the named approvers of a checkpoint can decide it, through any door", async () => {
    await using oi = await openIntentServer();
    const { id, checkpoint, now } = await reached(oi, { approvers: ["grace"] });
    const { state } = await oi.get(id);
    expect((await oi.respond(id, state._suspension.id, "approve")).status).toBe(403);
    const path = `/v1/holds/${checkpoint.hold_id}/answer`;
    const answered = await oi.call("POST", path, {
      as: "otherOperator",
      body: { action: "select", data: { selected: ["approve"] } },
    });
    expect(answered.status).toBe(200);
    expect((await now()).checkpoints[0]).toMatchObject({ status: "approved", approved_by: "grace" });
  });

  it.each([
    ["auto_approve", "active", "approved", "active"],
    ["fail", "failed", "rejected", "abandoned"],
    ["escalate", "paused", "waiting", SUSPENDED],
  ])(
    "OI-141 a checkpoint that times out under on_timeout %s leaves the plan %s",
    async (on_timeout, state, status, intent) => {
      await using oi = await openIntentServer();
      const { id, now } = await reached(oi, { timeout_hours: 1, on_timeout });
      await oi.test.clock.advance(3_600_000);
      expect(await now()).toMatchObject({ state, checkpoints: [{ status }] });
      expect((await oi.get(id)).status).toBe(intent);
    },
  );

  it("OI-141 after its question was cancelled a checkpoint can still be decided by its own call", async () => {
    await using oi = await openIntentServer();
    const { id, now, checkpoint } = await reached(oi);
    const { state } = await oi.get(id);
    const body = { suspension_id: state._suspension.id };
    expect((await oi.call("POST", `intents/${id}/suspend/cancel`, { as: "operator", body })).status).toBe(
      200,
    );
    expect(await now()).toMatchObject({
      state: "paused",
      checkpoints: [{ status: "waiting", hold_id: null }],
    });
    const approve = (as: "agent" | "operator") =>
      oi.call("POST", `checkpoints/${checkpoint.id}/approve`, { as, body: { reason: "fine" } });
    expect((await approve("agent")).status).toBe(403);
    expect((await approve("operator")).body.status).toBe("approved");
    expect((await now()).state).toBe("active");
  });

  it("OI-141 G12 a checkpoint that is being asked cannot be changed, and an ended plan asks nothing", async () => {
    await using oi = await openIntentServer();
    const { id, plan, now } = await reached(oi);
    const { version } = await now();
    const erased = await oi.call("PATCH", `plans/${plan.id}`, {
      ifMatch: version,
      body: { checkpoints: [] },
    });
    expect(erased.body).toMatchObject({ state: "paused", checkpoints: [{ status: "waiting" }] });
    expect((await oi.call("POST", `plans/${plan.id}/resume`, { body: {} })).status).toBe(409);
    expect((await oi.call("POST", `plans/${plan.id}/cancel`, { body: {} })).body.state).toBe("cancelled");
    const { status, state } = await oi.get(id);
    expect([status, state._suspension.resolution]).toEqual(["active", "cancelled"]);
    expect((await oi.respond(id, state._suspension.id, "approve")).status).toBe(409);
    expect((await now()).state).toBe("cancelled");
  });

  it("OI-141 a checkpoint without approval is logged and passed, and the last one completes the plan", async () => {
    await using oi = await openIntentServer();
    const { id, now } = await reached(oi, { requires_approval: false });
    expect(await now()).toMatchObject({ state: "active", checkpoints: [{ status: "reached" }] });
    expect((await oi.get(id)).status).toBe("active");
    const last = await oi.create();
    const plan = await begun(oi, last.id, {
      tasks: [{ name: "only" }],
      checkpoints: [{ name: "sign", after: "only" }],
    });
    await act(oi, plan.tasks[0], "claim");
    await act(oi, plan.tasks[0], "complete");
    const { state } = await oi.get(last.id);
    await oi.respond(last.id, state._suspension.id, "approve");
    expect((await oi.call("GET", `plans/${plan.id}`)).body.state).toBe("completed");
  });

  it("OI-141 a checkpoint reached by a person's task is asked in the name of the intent's agent", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const plan = await begun(oi, id, {
      tasks: [{ name: "audit" }],
      checkpoints: [{ id: "cp_mine", name: "sign", after: "audit" }],
    });
    await act(oi, plan.tasks[0], "claim");
    await oi.call("POST", `tasks/${plan.tasks[0]}/complete`, { as: "operator", body: {} });
    expect((await oi.get(id)).status).toBe(SUSPENDED);
  });

  it("finding 11: two plans have a checkpoint with the same id, and approving names the one that waits", async () => {
    await using oi = await openIntentServer();
    const make = async () => {
      const { id } = await oi.create();
      const checkpoints = [{ id: "cp_01", name: "sign", after: "audit" }];
      const plan = await begun(oi, id, { tasks: [{ name: "audit" }], checkpoints });
      return { id, plan, reach: () => finish(oi, plan.tasks[0]) };
    };
    const [one, two] = [await make(), await make()];
    const approve = (body: object = {}) =>
      oi.call("POST", "checkpoints/cp_01/approve", { as: "operator", body });
    expect((await approve()).body.error).toBe("invalid_transition");
    await two.reach();
    expect((await approve()).body).toMatchObject({ plan_id: two.plan.id, status: "approved" });
    expect((await oi.call("GET", `plans/${one.plan.id}`)).body.checkpoints[0].status).toBe("pending");
    const three = await make();
    await one.reach();
    await three.reach();
    const both = await approve();
    expect(both).toMatchObject({ status: 409, body: { error: "ambiguous_checkpoint" } });
    expect(both.body.plan_ids.toSorted()).toEqual([one.plan.id, three.plan.id].toSorted());
    expect((await approve({ plan_id: one.plan.id })).body).toMatchObject({ plan_id: one.plan.id });
    expect((await approve({ plan_id: three.plan.id })).status).toBe(200);
    expect((await oi.call("POST", "checkpoints/cp_none/approve", { as: "operator", body: {} })).status).toBe(
      404,
    );
  });

  it("finding 11: a plan whose checkpoint an earlier version registered under its bare id is still found", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const plan = await begun(oi, id, {
      tasks: [{ name: "audit" }],
      checkpoints: [{ id: "cp_old", name: "sign", after: "audit" }],
    });
    await finish(oi, plan.tasks[0]);
    await asEarlierVersionsStored(oi, plan.id, "cp_old");
    const approved = await oi.call("POST", "checkpoints/cp_old/approve", { as: "operator", body: {} });
    expect(approved).toMatchObject({ status: 200, body: { plan_id: plan.id, status: "approved" } });
  });

  it("every checkpoint after one task asks by itself, and the plan goes on when all have been approved", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const plan = await begun(oi, id, {
      tasks: [{ name: "audit" }, { name: "ship", depends_on: ["audit"] }],
      checkpoints: [
        { name: "legal", after: "audit" },
        { name: "money", after: "audit", approvers: ["ada"], timeout_hours: 2, on_timeout: "auto_approve" },
        { name: "note", after: "audit", requires_approval: false },
        { name: "safety", after: "audit", timeout_hours: 1 },
      ],
    });
    await finish(oi, plan.tasks[0]);
    const now = async () => (await oi.call("GET", `plans/${plan.id}`)).body;
    const [legal, money, note, safety] = (await now()).checkpoints;
    expect([legal, money, safety].map(({ status }) => status)).toEqual(["waiting", "waiting", "waiting"]);
    expect(note.status).toBe("reached");
    const open = (await oi.call("GET", "/v1/holds?status=open", { as: "operator" })).body.holds;
    expect(open).toHaveLength(3);
    for (const hold of open)
      expect(hold.prompt).toMatch(
        /^The plan has reached the checkpoint (legal|money|safety)\. Should it continue\?$/,
      );
    await oi.call("POST", `/v1/holds/${safety.hold_id}/answer`, {
      as: "operator",
      body: { action: "select", data: { selected: ["approve"] } },
    });
    expect((await now()).checkpoints[3]).toMatchObject({ status: "approved", approved_by: "ada" });
    const { state } = await oi.get(id);
    await oi.respond(id, state._suspension.id, "approve");
    expect((await now()).state).toBe("paused");
    await oi.test.clock.advance(2 * 3_600_000);
    expect(await now()).toMatchObject({ state: "active", checkpoints: { 1: { status: "approved" } } });
  });

  it("a denied checkpoint beside others fails the plan, and a cancelled one waits to be resolved by hand", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const plan = await begun(oi, id, {
      tasks: [{ name: "audit" }],
      checkpoints: [
        { name: "legal", after: "audit" },
        { name: "money", after: "audit" },
        { name: "safety", after: "audit" },
      ],
    });
    await finish(oi, plan.tasks[0]);
    const now = async () => (await oi.call("GET", `plans/${plan.id}`)).body;
    const [, money, safety] = (await now()).checkpoints;
    const cancelled = await oi.call("POST", `/v1/holds/${money.hold_id}/cancel`, {
      as: "operator",
      body: {},
    });
    expect(cancelled.status).toBe(200);
    expect((await now()).checkpoints[1]).toMatchObject({ status: "waiting", hold_id: null });
    const path = `checkpoints/${safety.id}/reject`;
    expect((await oi.call("POST", path, { as: "operator", body: {} })).body.status).toBe("rejected");
    expect((await now()).state).toBe("failed");
  });

  it("cancelling a plan withdraws every question of its checkpoints", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const checkpoints = [
      { name: "legal", after: "audit" },
      { name: "money", after: "audit" },
    ];
    const plan = await begun(oi, id, { tasks: [{ name: "audit" }], checkpoints });
    await finish(oi, plan.tasks[0]);
    await oi.call("POST", `plans/${plan.id}/cancel`, { body: {} });
    expect((await oi.call("GET", "/v1/holds?status=open", { as: "operator" })).body.holds).toEqual([]);
    expect((await oi.get(id)).status).toBe("active");
  });
});

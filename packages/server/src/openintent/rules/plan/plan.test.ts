import { describe, expect, test } from "vitest";
import { SYSTEM } from "../../../kernel/principal.ts";
import { AGENT, DEV, OPERATOR, OTHER_AGENT } from "../../../testing/core-samples.ts";
import { type Given, given } from "../../../testing/given.ts";
import { closedFor, INTENT_ID, intentBody, intentRow, MADE } from "../../../testing/intent-samples.ts";
import { planIn, taskIn } from "../../../testing/plan-samples.ts";
import type { PlanIn, TaskIn } from "./commands.ts";
import { TASKS_MAX } from "./plan.ts";

const OTHER = "intent_00000000000000000000000002";

const checkpoint = (id: string, part: object = {}) => ({
  id,
  name: id,
  afterTask: "t1",
  requiresApproval: true,
  approvers: [],
  timeoutHours: null,
  onTimeout: "escalate" as const,
  ...part,
});

const create = (task: Partial<TaskIn> = {}) =>
  ({ kind: "create_task", intentId: INTENT_ID, task: taskIn(task) }) as const;
const plan = (part: Partial<PlanIn> = {}) =>
  ({ kind: "create_plan", intentId: INTENT_ID, plan: planIn(part) }) as const;
const move = (to: "claimed" | "running" | "completed" | "failed" | "cancelled", taskId = "t1") =>
  ({ kind: "change_task", taskId, to, patch: {}, made: [MADE] }) as const;
const change = (part: object) => ({ kind: "change_plan", planId: "p1", patch: {}, ...part }) as const;
const by = { by: DEV };
/** An intent that strangers may not write. */
const CLOSED = intentRow({ acl: closedFor(["refunder", "admin"]) });

/** Runs every command and expects each to be accepted. */
function after(start: Given, ...commands: readonly Parameters<Given["when"]>[0][]): Given {
  return commands.reduce<Given>((state, command) => {
    const { step } = state.when(command, by);
    expect(step.decision.reply.ok, JSON.stringify(step.decision.reply)).toBe(true);
    return state.when(command, by).then(...step.decision.facts.map(({ fact }) => fact.type));
  }, start);
}

describe("the agent of a task that executes another intent", () => {
  const agents = (start: Given) => ({
    helpers: start.get("intent", INTENT_ID)?.helpers,
    workers: start.get("intent", OTHER)?.workers,
  });
  const failed = () =>
    after(
      given(intentRow(), intentRow({ id: OTHER })),
      create({ assignedAgent: "auditor", metadata: { executes_intent_id: OTHER } }),
      move("running"),
      move("failed"),
    );

  test("is named on the executed intent from the claim on, and not while the task waits for its next attempt", () => {
    const once = failed();
    expect(agents(once)).toEqual({ helpers: { t1: "auditor" }, workers: { t1: "auditor" } });
    const waiting = after(once, { kind: "change_task", taskId: "t1", to: "ready", patch: {}, made: [MADE] });
    expect(agents(waiting)).toEqual({ helpers: { t1: "auditor" }, workers: {} });
    expect(agents(after(waiting, move("claimed")))).toEqual(agents(once));
  });

  test("loses access to both intents when the task names nobody any more", () => {
    const patch = { assignedAgent: null };
    const freed = after(failed(), { kind: "change_task", taskId: "t1", patch, made: [MADE] });
    expect(agents(freed)).toEqual({ helpers: {}, workers: {} });
  });
});

describe("commands on tasks that are refused", () => {
  test("a plan with 500 tasks takes no further one, created or found", () => {
    const newTasks = Array.from({ length: TASKS_MAX }, (_, n) => taskIn({ id: `n${n}` }));
    const full = after(given(intentRow()), plan({ newTasks }), create());
    full.when({ ...create({ id: "t2" }), planId: "p1" }, by).refused("too_many");
    full.when(change({ patch: { tasks: ["t1"] } }), by).refused("too_many");
    after(full, change({ patch: { onFailure: "fail" } }));
  });

  test("a task is not claimed while 500 others of its intent are under way, because suspending it moves all of them (G13)", () => {
    const live = Array.from({ length: 500 }, (_, n) => `live${n}`);
    const full = after(given(intentRow({ tasks: live })), create());
    full.when(move("claimed"), by).refused("too_many");
    full.when(move("running"), by).refused("too_many");
    const almost = after(given(intentRow({ tasks: live.slice(1) })), create(), move("claimed"));
    expect(almost.get("intent", INTENT_ID)?.tasks).toHaveLength(500);
    after(almost, move("running"), move("completed"));
  });

  test("a task or plan is refused if its intent is unknown or read-only for the caller, or if it depends on unknown tasks", () => {
    given().when(create(), by).refused("not_found");
    given().when(plan(), by).refused("not_found");
    given(CLOSED).when(create(), { by: OTHER_AGENT }).refused("not_allowed");
    given(CLOSED).when(plan(), { by: OTHER_AGENT }).refused("not_allowed");
    given(intentRow())
      .when(create({ dependsOn: ["t0"] }), by)
      .refused("unknown_dependency");
    given(intentRow())
      .when(create({ metadata: { executes_intent_id: OTHER } }), by)
      .refused("unknown_dependency");
    given(intentRow())
      .when({ ...create(), planId: "p0" }, by)
      .refused("unknown_dependency");
    given(intentRow())
      .when(create({ parentTaskId: "t0" }), by)
      .refused("unknown_dependency");
    given(intentRow())
      .when(plan({ newTasks: [taskIn({ dependsOn: ["t0"] })] }), by)
      .refused("unknown_dependency");
  });

  test("commands on an unknown task are refused as not_found, and a tick before its due time does nothing", () => {
    given().when(move("claimed"), by).refused("not_found");
    given().when({ kind: "tick_task", taskId: "t1" }, { by: SYSTEM }).refused("not_found");
    given().when({ kind: "progress_task", taskId: "t1", percent: 1, message: "" }, by).refused("not_found");
    given()
      .when({ kind: "delegate_task", taskId: "t1", subTask: taskIn({ id: "t2" }) }, by)
      .refused("not_found");
    given().when({ kind: "escalate_task", taskId: "t1", reason: "r", context: {} }, by).refused("not_found");
    const made = after(given(CLOSED), create());
    made.when(move("claimed"), { by: OTHER_AGENT }).refused("not_allowed");
    made.when({ kind: "tick_task", taskId: "t1" }, { by: SYSTEM }).then();
  });

  test("escalating, delegating or reporting progress on a claimed task starts it", () => {
    const claimed = after(given(intentRow()), create(), move("claimed"));
    const escalated = after(claimed, { kind: "escalate_task", taskId: "t1", reason: "r", context: {} });
    expect(escalated.get("task", "t1")).toMatchObject({ status: "blocked", startedAt: expect.any(Number) });
    const delegated = after(claimed, { kind: "delegate_task", taskId: "t1", subTask: taskIn({ id: "t2" }) });
    expect(delegated.get("task", "t1")).toMatchObject({ blockedReason: "delegation" });
    const worked = after(claimed, move("running"), {
      kind: "progress_task",
      taskId: "t1",
      percent: 5,
      message: "",
    });
    expect(worked.get("task", "t1")).toMatchObject({ percent: 5 });
  });
});

describe("effects of a task's change", () => {
  test("repeating a task's claim or completion changes nothing, and a different second claim or result is refused", () => {
    const claim = (assignedAgent: string) => ({ ...move("claimed"), patch: { assignedAgent } });
    const claimed = after(given(intentRow()), create(), claim("refunder"), claim("refunder"));
    expect(claimed.get("task", "t1")).toMatchObject({ version: 2, assignedAgent: "refunder" });
    claimed.when(claim("other"), by).refused("invalid_transition");
    const handedOver = { ...claim("other"), ifVersion: 2 };
    expect(after(claimed, handedOver).get("task", "t1")?.assignedAgent).toBe("other");
    const complete = (sum: number) =>
      ({ ...move("completed"), patch: { output: { sum } }, started: true }) as const;
    const done = after(claimed, complete(1), complete(1));
    done.when(complete(2), by).refused("invalid_transition");
    expect(done.get("task", "t1")?.output).toEqual({ sum: 1 });
  });

  test("a task with two dependencies becomes ready after both complete, and a cancelled task never does", () => {
    const made = after(
      given(intentRow()),
      create(),
      create({ id: "t2" }),
      create({ id: "t3", dependsOn: ["t1", "t2"] }),
      create({ id: "t4", dependsOn: ["t1"] }),
      move("cancelled", "t4"),
      move("running"),
      move("completed"),
    );
    expect(made.get("task", "t3")).toMatchObject({ status: "pending", open: ["t2"] });
    expect(made.get("task", "t4")?.status).toBe("cancelled");
    const both = after(made, move("running", "t2"), move("completed", "t2"));
    expect(both.get("task", "t3")?.status).toBe("ready");
    const late = after(both, create({ id: "t5", dependsOn: ["t1"] }));
    expect(late.get("task", "t5")?.status).toBe("ready");
  });

  test("a condition that names a task outside the plan is false, so its task is skipped", () => {
    const conditions = [{ id: "c", taskId: "t2", when: "tasks['nobody'].output.n", otherwise: "skip" }];
    const made = after(
      given(intentRow()),
      plan({ newTasks: [taskIn(), taskIn({ id: "t2", dependsOn: ["t1"] })], conditions }),
      change({ state: "active" }),
      move("running"),
      move("completed"),
    );
    expect(made.get("task", "t2")?.status).toBe("skipped");
  });

  test("abandoning an intent without a reason cancels its tasks", () => {
    const made = after(given(intentRow()), create(), move("running"), {
      kind: "set_status",
      intentId: INTENT_ID,
      status: "abandoned",
      ifVersion: 1,
      made: MADE,
    });
    expect(made.get("task", "t1")?.status).toBe("cancelled");
    made.when(move("claimed"), by).refused("invalid_transition");
  });

  test("abandoning the intent that a task executes cancels the task in the intent that planned it", () => {
    const body = intentBody({ id: OTHER });
    const made = after(
      given(intentRow(), { kind: "intent", id: OTHER, body }),
      create({ metadata: { executes_intent_id: OTHER } }),
      move("running"),
      { kind: "set_status", intentId: OTHER, status: "suspended_awaiting_input", ifVersion: 1, made: MADE },
      { kind: "set_status", intentId: OTHER, status: "abandoned", ifVersion: 2, made: MADE },
    );
    expect(made.get("task", "t1")?.status).toBe("cancelled");
    expect(made.get("intent", OTHER)?.tasks).toEqual([]);
  });
});

describe("plans", () => {
  test("an unknown plan can be neither changed nor approved, and a plan refuses stale versions and invalid transitions", () => {
    given().when(change({}), by).refused("not_found");
    given()
      .when({ kind: "resolve_checkpoint", planId: "p1", checkpointId: "c1", approve: true }, by)
      .refused("not_found");
    const made = after(given(CLOSED), plan());
    made.when(change({}), { by: OTHER_AGENT }).refused("not_allowed");
    made.when(change({ ifVersion: 9 }), by).refused("version_conflict");
    made.when(change({ state: "completed" }), by).refused("invalid_transition");
    after(made, change({ state: "cancelled" }))
      .when(change({}), by)
      .refused("invalid_transition");
  });

  test("a plan limits its tasks and the checkpoints after one task, and refuses a checkpoint id that it uses twice", () => {
    const newTasks = Array.from({ length: 1001 }, (_, n) => taskIn({ id: `t${n}` }));
    given(intentRow()).when(plan({ newTasks }), by).refused("too_many");
    const twice = [checkpoint("c1"), checkpoint("c1")];
    given(intentRow())
      .when(plan({ checkpoints: twice }), by)
      .refused("already_exists");
    const many = Array.from({ length: 21 }, (_, n) => checkpoint(`c${n}`));
    given(intentRow())
      .when(plan({ checkpoints: many }), by)
      .refused("too_many");
  });

  test("finding 11: the id of a checkpoint is unique within its plan only", () => {
    const made = after(given(intentRow()), plan({ checkpoints: [checkpoint("c1")] }));
    const both = after(made, { ...plan(), plan: planIn({ id: "p2", checkpoints: [checkpoint("c1")] }) });
    expect(both.get("plan", "p2")?.checkpoints).toMatchObject([{ id: "c1", status: "pending" }]);
    expect(both.get("plan_checkpoint", "p1\nc1")).toEqual({ planId: "p1", checkpointId: "c1" });
    expect(both.get("plan_checkpoint", "p2\nc1")).toEqual({ planId: "p2", checkpointId: "c1" });
  });

  test("patching a plan can add checkpoints but cannot change those that were reached or approved", () => {
    const approved = after(
      given(CLOSED),
      plan({ newTasks: [taskIn(), taskIn({ id: "t2" })], checkpoints: [checkpoint("c1")] }),
      change({ state: "active" }),
      move("running"),
      move("completed"),
      { kind: "resolve_checkpoint", planId: "p1", checkpointId: "c1", approve: true },
    );
    const known = approved.get("plan", "p1");
    expect(known).toMatchObject({ state: "active", checkpoints: [{ status: "approved" }] });
    const checkpoints = [checkpoint("c1", { name: "renamed" }), checkpoint("c2", { afterTask: null })];
    const waiting = after(
      given(intentRow()),
      plan({ newTasks: [taskIn()], checkpoints: [checkpoint("c1")] }),
      change({ state: "active" }),
      move("running"),
      move("completed"),
    );
    for (const given of [[], [checkpoint("c1", { name: "n", requiresApproval: false })]]) {
      const kept = after(waiting, change({ patch: { checkpoints: given } }));
      expect(kept.get("plan", "p1")?.checkpoints).toMatchObject([
        { name: "c1", requiresApproval: true, status: "waiting", holdId: "h1" },
      ]);
      kept.when(change({ state: "active" }), by).refused("suspension_pending");
    }
    const changed = after(approved, change({ patch: { checkpoints } }));
    expect(changed.get("plan", "p1")?.checkpoints).toMatchObject([
      { name: "c1", status: "approved", approvedBy: "dev" },
      { status: "pending" },
    ]);
    const cancelled = after(changed, change({ state: "cancelled" }));
    expect(cancelled.get("task", "t1")?.status).toBe("completed");
    expect(cancelled.get("task", "t2")?.status).toBe("cancelled");
    cancelled
      .when({ kind: "resolve_checkpoint", planId: "p1", checkpointId: "c1", approve: true }, by)
      .refused("invalid_transition");
    cancelled
      .when(
        { kind: "resolve_checkpoint", planId: "p1", checkpointId: "c1", approve: true },
        { by: OTHER_AGENT },
      )
      .refused("not_allowed");
  });

  test("a checkpoint for which no hold can be made waits for resolve_checkpoint, and the plan for both", () => {
    const waiting = after(
      given(intentRow()),
      plan({
        newTasks: [taskIn(), taskIn({ id: "t2" })],
        checkpoints: [checkpoint("c1"), checkpoint("c2"), checkpoint("c3", { afterTask: "audit x" })],
      }),
      change({ state: "active" }),
      move("running"),
      move("completed"),
    );
    expect(waiting.get("plan", "p1")?.checkpoints).toMatchObject([
      { holdId: "h1" },
      { status: "waiting" },
      { status: "pending" },
    ]);
    const second = after(waiting, {
      kind: "resolve_checkpoint",
      planId: "p1",
      checkpointId: "c2",
      approve: true,
      reason: "r",
    });
    expect(second.get("plan", "p1")?.state).toBe("paused");
    const first = after(second, {
      kind: "resolve_checkpoint",
      planId: "p1",
      checkpointId: "c1",
      approve: true,
    });
    expect(first.get("plan", "p1")?.state).toBe("active");
    waiting
      .when({ kind: "resolve_checkpoint", planId: "p1", checkpointId: "c1", approve: true }, { by: AGENT })
      .refused("not_found");
    const rejected = waiting.when(
      { kind: "resolve_checkpoint", planId: "p1", checkpointId: "c1", approve: false },
      { by: OPERATOR },
    );
    expect(rejected.step.decision.reply.ok).toBe(true);
  });

  test("a checkpoint of an intent that cannot be suspended asks beside it", () => {
    const reached = after(
      given(intentRow({ status: "blocked" })),
      plan({ newTasks: [taskIn()], checkpoints: [checkpoint("c1")] }),
      change({ state: "active" }),
      move("running"),
      move("completed"),
    );
    expect(reached.get("plan", "p1")?.checkpoints[0]).toMatchObject({ holdId: "h1", status: "waiting" });
    expect(reached.get("intent", INTENT_ID)?.status).toBe("blocked");
    const done = after(reached, {
      kind: "resolve_checkpoint",
      planId: "p1",
      checkpointId: "c1",
      approve: true,
    });
    expect(done.get("plan", "p1")?.state).toBe("completed");
  });

  test("a checkpoint that comes when too many questions wait is resolved by hand", () => {
    const requests = Array.from({ length: 100 }, (_, n) => ({
      ...{ id: `approval_${n}`, holdId: `hx${n}`, type: "approval" as const, action: "pay" },
    }));
    const reached = after(
      given(intentRow({ status: "blocked", requests })),
      plan({ newTasks: [taskIn()], checkpoints: [checkpoint("c1")] }),
      change({ state: "active" }),
      move("running"),
      move("completed"),
    );
    expect(reached.get("plan", "p1")?.checkpoints[0]).not.toHaveProperty("holdId");
    const done = after(reached, {
      kind: "resolve_checkpoint",
      planId: "p1",
      checkpointId: "c1",
      approve: true,
    });
    expect(done.get("plan", "p1")?.state).toBe("completed");
  });

  /** A plan with two tasks. The first is complete, and its checkpoint waits for approval. */
  function asked(part: Partial<PlanIn> = {}, named: object = {}): Given {
    return after(
      given(intentRow()),
      plan({ newTasks: [taskIn(), taskIn({ id: "t2" })], checkpoints: [checkpoint("c1", named)], ...part }),
      change({ state: "active" }),
      move("running"),
      move("running", "t2"),
      move("completed"),
    );
  }
  const resolve = (approve: boolean) =>
    ({ kind: "resolve_checkpoint", planId: "p1", checkpointId: "c1", approve }) as const;
  const answer = (word: string) =>
    ({
      kind: "answer_hold",
      holdId: "h1",
      door: "rest",
      action: "select",
      data: { selected: [word] },
    }) as const;
  function abandoned(start: Given, intentId = INTENT_ID): Given {
    const ifVersion = start.get("intent", intentId)?.version ?? 0;
    return after(start, { kind: "set_status", intentId, status: "abandoned", ifVersion, made: MADE });
  }
  const cancelHold = { kind: "cancel_hold", holdId: "h1" } as const;

  test("cancelling or failing a plan cancels its checkpoint's hold and resumes its intent", () => {
    for (const state of ["cancelled", "failed"] as const) {
      const over = after(asked(), change({ state }));
      expect(over.get("hold", "h1")?.status).toBe("cancelled");
      expect(over.get("intent", INTENT_ID)).toMatchObject({ status: "active" });
      expect(over.get("intent", INTENT_ID)).not.toHaveProperty("checkpoint");
      expect(over.get("plan", "p1")).toMatchObject({ state, checkpoints: [{ status: "waiting" }] });
      over.when(resolve(true), by).refused("invalid_transition");
    }
  });

  test("rejecting a checkpoint whose hold was cancelled ends its plan and leaves the intent's other questions open", () => {
    const request = { id: "r1", type: "approval", action: "pay", reason: "", context: {} } as const;
    const made = { holdId: "h2", salt: "salt-2" };
    const pay = { kind: "ask_about_intent", intentId: INTENT_ID, request, made } as const;
    const over = after(asked(), cancelHold, pay, resolve(false));
    expect(over.get("plan", "p1")).toMatchObject({ state: "failed", checkpoints: [{ status: "rejected" }] });
    expect(over.get("hold", "h2")?.status).toBe("open");
  });

  test("cancelling one plan leaves another plan's checkpoint hold open", () => {
    const two = after(asked(), plan({ id: "p2" }), change({ planId: "p2", state: "cancelled" }));
    expect(two.get("hold", "h1")?.status).toBe("open");
    expect(two.get("intent", INTENT_ID)?.status).toBe("suspended_awaiting_input");
  });

  test("an answer that arrives after the plan failed is recorded on the checkpoint and does not resume the plan", () => {
    for (const [word, status] of [
      ["approve", "approved"],
      ["deny", "rejected"],
    ] as const) {
      const done = taskIn({ id: "t2", metadata: { executes_intent_id: OTHER } });
      const rows = [intentRow(), intentRow({ id: OTHER })];
      const failed = after(
        given(...rows),
        plan({ onFailure: "fail", newTasks: [taskIn(), done], checkpoints: [checkpoint("c1")] }),
        change({ state: "active" }),
        move("running"),
        move("running", "t2"),
        move("completed"),
        move("failed", "t2"),
      );
      expect(failed.get("plan", "p1")?.state).toBe("failed");
      const late = after(failed, answer(word));
      expect(late.get("plan", "p1")).toMatchObject({ state: "failed", checkpoints: [{ status }] });
    }
  });

  test("a checkpoint whose hold was cancelled is resolved only by its named approvers, and by nobody after its intent ended", () => {
    const open = after(asked({}, { approvers: ["grace"] }), cancelHold);
    open.when(resolve(true), { by: OPERATOR }).refused("not_allowed");
    const grace = { ...OPERATOR, name: "grace" };
    expect(open.when(resolve(true), { by: grace }).step.decision.reply.ok).toBe(true);
    expect(after(open, resolve(true)).get("plan", "p1")?.state).toBe("active");
    const over = abandoned(open);
    over.when(resolve(true), by).refused("invalid_transition");
    const left = abandoned(asked());
    expect(after(left, change({ state: "cancelled" })).get("plan", "p1")?.state).toBe("cancelled");
  });

  test("abandoning an intent closes its tasks in other intents' plans, and does not complete a plan of its own", () => {
    const phase = taskIn({ id: "t2", metadata: { executes_intent_id: OTHER } });
    const both = after(
      given(intentRow(), intentRow({ id: OTHER })),
      plan({ newTasks: [taskIn(), phase] }),
      change({ state: "active" }),
      move("running"),
      move("completed"),
      move("running", "t2"),
    );
    expect(both.get("plan", "p1")).toMatchObject({ state: "active", open: 1 });
    expect(abandoned(both, OTHER).get("plan", "p1")).toMatchObject({ state: "completed", open: 0 });
    const own = abandoned(
      after(given(intentRow()), plan({ newTasks: [taskIn()] }), change({ state: "active" }), move("running")),
    );
    expect(own.get("plan", "p1")).toMatchObject({ state: "active", open: 0 });
  });

  test("a task that fails after its plan failed leaves the plan unchanged", () => {
    const made = after(
      given(intentRow()),
      plan({ newTasks: [taskIn(), taskIn({ id: "t2" })], onFailure: "fail" }),
      change({ state: "active" }),
      move("running"),
      move("running", "t2"),
      move("failed"),
      move("failed", "t2"),
    );
    expect(made.get("plan", "p1")?.state).toBe("failed");
  });
});

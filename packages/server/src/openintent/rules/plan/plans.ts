/** Commands on plans and their checkpoints. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { answerHold } from "../../../kernel/hold/answer.ts";
import { must } from "../../../kernel/must.ts";
import { mayOperate, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import { hasLoaded } from "../graph/small-batches.ts";
import { type Intent, isEnded, openSuspension } from "../intent/intent.ts";
import { begin, type IntentLog } from "../intent/intent-log.ts";
import { whyTooManyEvents } from "../intent/listeners.ts";
import { actorOf, whyNot } from "../intent/who.ts";
import { pendingOf } from "../request/place.ts";
import type { Change, Draft, Need, World } from "../world.ts";
import { ASKS_MAX, decideCheckpoint } from "./checkpoint.ts";
import type {
  ChangePlan,
  CheckpointIn,
  CreatePlan,
  PlanIn,
  ResolveCheckpoint,
  TickPlan,
} from "./commands.ts";
import { readCondition } from "./conditions.ts";
import { newTask, whyNoTasks } from "./new-task.ts";
import {
  type Checkpoint,
  checkpointPlaceId,
  isPlanOver,
  type Plan,
  type PlanState,
  whyFull,
  whyTooManyCheckpoints,
} from "./plan.ts";
import { changeRows, logPlan, moveTask } from "./plan-log.ts";
import { isTaskOver } from "./task.ts";
import { withdrawQuestions } from "./withdraw.ts";

export function createPlan(command: CreatePlan, draft: Draft, { now }: Context): Reply {
  const { by, plan: given } = command;
  const intent = draft.get("intent", command.intentId);
  if (intent === undefined) return refuse(failure("not_found", "There is no intent with this id."));
  const denied =
    whyNot(intent, by, "write", now) ??
    whyTooManyCheckpoints(given.checkpoints.map(pending)) ??
    whyNoPlan(given, command.intentId, draft);
  if (denied !== null) return refuse(denied);
  const made = given.newTasks.map(({ id }) => id);
  const wrong = whyNoTasks(given.newTasks, intent, { world: draft, by, now });
  if (wrong !== null) return refuse(wrong);
  const { newTasks, tasks, checkpoints, ...rest } = given;
  const plan: Plan = {
    ...rest,
    intentId: intent.id,
    version: 1,
    state: "draft",
    tasks: [...tasks, ...made],
    open:
      made.length +
      tasks.filter((id) => !isTaskOver(must(draft.get("task", id), "a task of the plan"))).length,
    checkpoints: checkpoints.map(pending),
    createdAt: now,
    updatedAt: now,
  };
  const start = begin(intent, draft, now, by);
  const tooMany = whyTooManyEvents(
    1 + made.length,
    start,
    "Create the plan with fewer tasks and add the others to it",
  );
  if (tooMany !== null) return refuse(tooMany);
  const log = logPlan(start, plan, "plan.created", { tasks: plan.tasks.length });
  const placed = changeRows(log, [...placesOf(plan), ...adoptTasks(tasks, plan.id, draft)]);
  newTasks.reduce((log, task) => newTask(log, task, plan.id), placed);
  return accept(plan.id);
}

function pending(checkpoint: CheckpointIn): Checkpoint {
  return { ...checkpoint, status: "pending" };
}

function placesOf({ id: planId, checkpoints }: Plan, before?: Plan): readonly Change[] {
  const known = new Set(before?.checkpoints.map(({ id }) => id));
  return checkpoints
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => ({
      kind: "plan_checkpoint",
      id: checkpointPlaceId(planId, id),
      body: { planId, checkpointId: id },
    }));
}

function adoptTasks(ids: readonly string[], planId: string, world: World): readonly Change[] {
  return ids.map((id) => {
    const task = must(world.get("task", id), `task ${id} of plan ${planId}`);
    return { kind: "task", id, body: { ...task, planId } };
  });
}

function whyNoPlan(
  { tasks, newTasks, checkpoints, conditions }: PlanIn,
  intentId: string,
  world: World,
): Failure | null {
  const full = whyFull(tasks.length + newTasks.length);
  if (full !== null) return full;
  const free = tasks.every((id) => {
    const task = world.get("task", id);
    return task?.intentId === intentId && task.planId === undefined;
  });
  if (!free)
    return failure(
      "unknown_dependency",
      "a task of the plan does not exist in this intent, or belongs to another plan",
    );
  return whyNoCheckpoints(checkpoints) ?? whyNoConditions(conditions);
}

/** Ids are unique within the plan: agents number the checkpoints of each plan from one. */
function whyNoCheckpoints(checkpoints: readonly CheckpointIn[]): Failure | null {
  const ids = checkpoints.map(({ id }) => id);
  if (new Set(ids).size < ids.length)
    return failure("already_exists", "two checkpoints of the plan have the same id");
  const asking = checkpoints.filter(
    ({ requiresApproval, afterTask }) => requiresApproval && afterTask !== null,
  );
  const most = Math.max(
    0,
    ...Map.groupBy(asking, ({ afterTask }) => afterTask)
      .values()
      .map((same) => same.length),
  );
  return most > ASKS_MAX
    ? failure("too_many", `at most ${ASKS_MAX} checkpoints that require approval can follow one task`)
    : null;
}

/** Names the first condition that cannot be parsed; the others are not looked at. */
function whyNoConditions(conditions: Plan["conditions"]): Failure | null {
  const index = conditions.findIndex(({ when }) => readCondition(when) === null);
  if (index < 0) return null;
  const problem = {
    key: `/conditions/${index}/when`,
    rule: "condition",
    message: "is not a condition of the form tasks['name'].output.path <operator> <literal>",
  };
  return failure("invalid_patch", "the plan has a condition that cannot be parsed", { problems: [problem] });
}

const NEXT: Readonly<Record<PlanState, readonly PlanState[]>> = {
  draft: ["active", "cancelled"],
  active: ["paused", "completed", "failed", "cancelled"],
  paused: ["active", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};

/** OpenIntent has no event type for a cancelled plan, so `plan.failed` stands in; its payload says `plan.cancelled`. */
function planEvent(from: PlanState, to: PlanState): string {
  switch (to) {
    case "active":
      return from === "draft" ? "plan.activated" : "plan.resumed";
    case "paused":
    case "completed":
      return `plan.${to}`;
    default:
      return "plan.failed";
  }
}

export function changePlan(command: ChangePlan, draft: Draft, { now }: Context): Reply {
  const plan = draft.get("plan", command.planId);
  const intent = plan === undefined ? undefined : draft.get("intent", plan.intentId);
  if (plan === undefined || intent === undefined)
    return refuse(failure("not_found", "There is no plan with this id."));
  const denied = whyNot(intent, command.by, "write", now) ?? whyNotChange(command, plan, draft);
  if (denied !== null) return refuse(denied);
  const intentLog = begin(intent, draft, now, command.by);
  const patched = patchedPlan(plan, command);
  const rows = [...placesOf(patched, plan), ...adoptTasks(addedTasks(plan, command), plan.id, draft)];
  const { state, reason } = command;
  if (state === undefined || state === plan.state) {
    const body = { ...patched, updatedAt: now };
    changeRows(intentLog, [{ kind: "plan", id: plan.id, body }, ...rows]);
    return accept(plan.id);
  }
  const ends = state === "cancelled" ? patched.open : 0;
  const tooMany = whyTooManyEvents(1 + ends, intentLog, "Cancel tasks of the plan one by one first");
  if (tooMany !== null) return refuse(tooMany);
  const payload = {
    ...(reason === undefined ? {} : { reason }),
    ...(state === "cancelled" ? { event: "plan.cancelled" } : {}),
  };
  const log = logPlan(intentLog, { ...patched, state }, planEvent(plan.state, state), payload);
  const kept = rows.length === 0 ? log : changeRows(log, rows);
  const left = state === "cancelled" ? cancelTasks(kept, plan.id, patched.tasks) : kept;
  if (isPlanOver({ state })) withdrawQuestions(left, plan.id, command.by);
  return accept(plan.id);
}

function addedTasks(plan: Plan, { patch }: ChangePlan): readonly string[] {
  const known = new Set(plan.tasks);
  return (patch.tasks ?? []).filter((id) => !known.has(id));
}

function patchedPlan(plan: Plan, command: ChangePlan): Plan {
  const { tasks, checkpoints, ...patch } = command.patch;
  const added = addedTasks(plan, command);
  return {
    ...plan,
    ...patch,
    version: plan.version + 1,
    tasks: [...plan.tasks, ...added],
    open: plan.open + added.length,
    ...(checkpoints === undefined ? {} : { checkpoints: patchedCheckpoints(plan, checkpoints) }),
  };
}

/** Checkpoints that were reached are kept as they are: a patch cannot change what people are asked or have decided. */
function patchedCheckpoints(plan: Plan, given: readonly CheckpointIn[]): readonly Checkpoint[] {
  const reached = plan.checkpoints.filter(({ status }) => status !== "pending");
  const known = new Set(reached.map(({ id }) => id));
  const others = given.filter(({ id }) => !known.has(id));
  return [...reached, ...others.map(pending)];
}

function whyNotChange(command: ChangePlan, plan: Plan, world: World): Failure | null {
  const { ifVersion, state, patch } = command;
  if (ifVersion !== undefined && ifVersion !== plan.version) {
    const detail = { current_version: plan.version };
    return failure("version_conflict", "the plan has changed since you read it", { detail });
  }
  if (state !== undefined && state !== plan.state) {
    const detail = { from: plan.state, to: state };
    const waits = state === "active" && plan.checkpoints.some(({ status }) => status === "waiting");
    if (waits)
      return failure(
        "suspension_pending",
        "the plan waits for approval at a checkpoint; resolve the checkpoint first",
        { detail },
      );
    if (!NEXT[plan.state].includes(state))
      return failure("invalid_transition", `a plan with state ${plan.state} cannot change to ${state}`, {
        detail,
      });
  } else if (isPlanOver(plan)) {
    return failure("invalid_transition", "the plan has ended and cannot be changed", {
      detail: { from: plan.state, to: plan.state },
    });
  }
  const added = addedTasks(plan, command);
  const full = added.length === 0 ? null : whyFull(plan.tasks.length + added.length);
  if (full !== null) return full;
  const patched = patchedCheckpoints(plan, patch.checkpoints ?? []);
  const isMore = patched.some(({ status }) => status === "pending");
  const tooMany = isMore ? whyTooManyCheckpoints(patched) : null;
  if (tooMany !== null) return tooMany;
  const known = new Set(plan.checkpoints.map(({ id }) => id));
  const checkpoints = (patch.checkpoints ?? []).filter(({ id }) => !known.has(id));
  return whyNoPlan(
    { ...plan, tasks: added, newTasks: [], checkpoints, conditions: patch.conditions ?? [] },
    plan.intentId,
    world,
  );
}

/** A task of a plan that ends, and the intent that it executes. */
export function* taskOfPlanNeeds(id: string, world: World): Iterable<Need> {
  yield { kind: "task", id };
  const task = world.get("task", id);
  if (task !== undefined) yield { kind: "intent", id: task.executes };
}

/** Those for which the commit has no room are noted on the plan, and follow at once. */
function cancelTasks(start: IntentLog, planId: string, ids: readonly string[]): IntentLog {
  const { draft, at } = start;
  const { now = [], later = [] } = Object.groupBy(ids, (id) =>
    hasLoaded(taskOfPlanNeeds(id, draft), draft) ? "now" : "later",
  );
  const tasks = now.map((id) => must(draft.get("task", id), `task ${id}`));
  const log = tasks
    .filter((task) => !isTaskOver(task))
    .reduce((intentLog, task) => {
      const change = { version: task.version + 1 };
      return moveTask(intentLog, task, "cancelled", { change, payload: { reason: "plan_cancelled" } });
    }, start);
  const { behind, ...plan } = must(draft.get("plan", planId), `plan ${planId}`);
  if (later.length === 0 && behind === undefined) return log;
  const body = later.length === 0 ? plan : { ...plan, behind: { at, tasks: later } };
  return changeRows(log, [{ kind: "plan", id: planId, body }]);
}

/** Goes on with cancelling the plan's tasks. */
export function tickPlan({ planId, by }: TickPlan, draft: Draft, { now }: Context): Reply {
  const plan = draft.get("plan", planId);
  const intent = plan === undefined ? undefined : draft.get("intent", plan.intentId);
  if (plan === undefined || intent === undefined)
    return refuse(failure("not_found", "There is no plan with this id."));
  if (plan.behind !== undefined) cancelTasks(begin(intent, draft, now, by), planId, plan.behind.tasks);
  return accept(planId);
}

/** If a hold asks for approval, this answers that hold. Otherwise the checkpoint is decided here. */
export function resolveCheckpoint(command: ResolveCheckpoint, draft: Draft, context: Context): Reply {
  const { workspace, by, planId, checkpointId, approve, reason } = command;
  const plan = draft.get("plan", planId);
  const intent = plan === undefined ? undefined : draft.get("intent", plan.intentId);
  const checkpoint = plan?.checkpoints.find(({ id }) => id === checkpointId);
  if (plan === undefined || intent === undefined || checkpoint === undefined) {
    return refuse(failure("not_found", "There is no checkpoint with this id."));
  }
  const denied = whyNot(intent, by, "write", context.now);
  if (denied !== null) return refuse(denied);
  if (checkpoint.status !== "waiting") {
    const detail = { from: checkpoint.status, to: approve ? "approved" : "rejected" };
    return refuse(failure("invalid_transition", `the checkpoint is ${checkpoint.status}`, { detail }));
  }
  const { holdId } = checkpoint;
  if (holdId !== undefined && isAsking(intent, holdId)) {
    const data = { selected: [approve ? "approve" : "deny"] };
    const answer = {
      kind: "answer_hold",
      workspace,
      by,
      holdId,
      door: "openintent",
      action: "select",
      data,
    } as const;
    const reply = answerHold(answer, draft, context);
    return reply.ok ? accept(plan.id) : reply;
  }
  const stopped = whyNotApprove(checkpoint, by) ?? whyTooLate(plan, intent);
  if (stopped !== null) return refuse(stopped);
  const intentLog = begin(intent, draft, context.now, by);
  const verdict = { approve, by: actorOf(by), ...(reason === undefined ? {} : { reason }) };
  const decided = decideCheckpoint(intentLog, plan, checkpoint, verdict);
  if (!approve) withdrawQuestions(decided, planId, by);
  return accept(plan.id);
}

/** Whether the hold still asks: it suspends the intent, or waits beside it. */
function isAsking(intent: Intent, holdId: string): boolean {
  return openSuspension(intent)?.holdId === holdId || pendingOf(intent).some((ref) => ref.holdId === holdId);
}

/** The checkpoint's approvers bind this door like any other. */
function whyNotApprove({ approvers }: Checkpoint, by: Principal): Failure | null {
  if (!mayOperate(by))
    return failure("not_allowed", `Role '${by.role}' cannot approve checkpoints. Use an operator key.`);
  const isNamed = approvers.length === 0 || approvers.includes(by.name) || by.role === "dev";
  return isNamed ? null : failure("not_allowed", "only the people named on the checkpoint may decide it");
}

function whyTooLate(plan: Plan, intent: Intent): Failure | null {
  const over = isPlanOver(plan) ? plan.state : isEnded(intent) ? intent.status : undefined;
  if (over === undefined) return null;
  const detail = { from: over, to: "active" };
  return failure(
    "invalid_transition",
    "the plan or its intent has already ended, so the checkpoint cannot be decided",
    { detail },
  );
}

/** Plans and their checkpoints. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { EntityOf } from "../../../domains.ts";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import { indexed } from "../../reads/graphs.ts";
import { may } from "../../rules/intent/who.ts";
import type { CheckpointIn, TaskIn } from "../../rules/plan/commands.ts";
import type { Condition, PlanState } from "../../rules/plan/plan.ts";
import { isDone, TASK_STATUSES, type Task } from "../../rules/plan/task.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, fresh, ifMatch } from "../enter.ts";
import { intentFailure } from "../errors.ts";
import type { operations, Routes } from "../operations/index.ts";
import { presentPlan, presentPlanCheckpoint } from "../present-plan.ts";
import { waitOf } from "../progress.ts";
import { runPlan, taskIn } from "./tasks.ts";

export const plans = {
  createPlan: (call, deps) => create(call, call.body.intent_id, deps),

  createIntentPlan: (call, deps) => create(call, call.params.id, deps),

  async getIntentPlan(call, deps) {
    const last = (await plansOf(call, deps)).at(-1);
    if (last === undefined) throw fail("not_found", "the intent has no plan");
    return shown(last, deps);
  },

  async listPlans(call, deps) {
    return { status: 200, body: (await plansOf(call, deps)).map(({ body }) => presentPlan(body)) };
  },

  async getPlan(call, deps) {
    return shown(await enterPlan(call.params.id, call, deps), deps);
  },

  async getPlanProgress(call, deps) {
    return { status: 200, body: await progressOf(await enterPlan(call.params.id, call, deps), deps) };
  },

  async changePlan(call, deps) {
    const { workspace, by, params, body } = call;
    const ifVersion = ifMatch(call);
    if (ifVersion === undefined)
      throw intentFailure("precondition_required", "If-Match with the plan's version is required");
    await enterPlan(params.id, call, deps);
    const state = body.state ?? body.status ?? undefined;
    const same = (name: string) => name;
    const patch = {
      ...(body.tasks == null ? {} : { tasks: body.tasks }),
      ...(body.checkpoints == null ? {} : { checkpoints: checkpointsIn(body.checkpoints, same, deps) }),
      ...(body.conditions == null ? {} : { conditions: conditionsIn(body.conditions, same, deps) }),
      ...(body.on_failure == null ? {} : { onFailure: body.on_failure }),
      ...(body.on_complete == null ? {} : { onComplete: body.on_complete }),
      ...(body.metadata == null ? {} : { metadata: body.metadata }),
    };
    const wanted = state === undefined ? {} : { state };
    const command = {
      kind: "change_plan",
      workspace,
      by,
      planId: params.id,
      ...wanted,
      patch,
      ifVersion,
    } as const;
    return shown(await runPlan(command, deps), deps);
  },

  activatePlan: (call, deps) => move(call, "active", deps),

  pausePlan: (call, deps) => move(call, "paused", deps),

  resumePlan: (call, deps) => move(call, "active", deps),

  cancelPlan: (call, deps) => move(call, "cancelled", deps),

  async listPlanCheckpoints(call, deps) {
    const { body } = await enterPlan(call.params.id, call, deps);
    return { status: 200, body: body.checkpoints.map((each) => presentPlanCheckpoint(body.id, each)) };
  },

  approveCheckpoint: (call, deps) => resolve(call, true, deps),

  rejectCheckpoint: (call, deps) => resolve(call, false, deps),
} satisfies Routes;

type From = Pick<Call, "workspace" | "by">;
type Found = EntityOf<"plan">;

async function shown(found: Found, deps: OpenIntentDeps) {
  const body = { ...presentPlan(found.body), progress: await progressOf(found, deps) };
  return { status: 200, body, headers: { etag: `"${found.body.version}"` } };
}

type CreateCall = From & Pick<Call<typeof operations.createIntentPlan>, "body">;

/** New tasks may depend on each other by name, because they have no ids yet. */
async function create(call: CreateCall, intentId: string, deps: OpenIntentDeps) {
  const { workspace, by, body } = call;
  await enter(intentId, call, deps);
  const given = body.tasks ?? [];
  const ids = given.filter((task) => typeof task === "string");
  const made = given
    .filter((task) => typeof task !== "string")
    .map((task) => taskIn(task, fresh("task", deps)));
  const named = new Map(made.map(({ name, id }) => [name, id]));
  const idOf = (name: string) => named.get(name) ?? name;
  const newTasks = inOrder(made.map((task) => ({ ...task, dependsOn: task.dependsOn.map(idOf) })));
  const plan = {
    id: fresh("plan", deps),
    tasks: [...new Set(ids)],
    newTasks,
    checkpoints: checkpointsIn(body.checkpoints ?? [], idOf, deps),
    conditions: conditionsIn(body.conditions ?? [], idOf, deps),
    onFailure: body.on_failure ?? ("pause_and_escalate" as const),
    onComplete: body.on_complete ?? "notify",
    metadata: body.metadata ?? {},
  };
  return shown(await runPlan({ kind: "create_plan", workspace, by, intentId, plan }, deps), deps);
}

/** Sorts the tasks so that each comes after the tasks it depends on: level by level, in linear time, because a plan may be one chain. */
function inOrder(tasks: readonly TaskIn[]): readonly TaskIn[] {
  const places = new Map(tasks.map(({ id }, at) => [id, at]));
  const open = tasks.map(({ dependsOn }) => new Set(dependsOn.filter((id) => places.has(id))).size);
  const dependents = tasks.map((): number[] => []);
  for (const [at, { dependsOn }] of tasks.entries())
    for (const id of new Set(dependsOn)) dependents[places.get(id) ?? -1]?.push(at);
  const order: number[] = [];
  let level = [...tasks.keys()].filter((at) => open[at] === 0);
  while (level.length > 0) {
    order.push(...level);
    const freed = level.flatMap((at) => dependents[at] ?? []);
    for (const at of freed) open[at] = (open[at] ?? 0) - 1;
    level = [...new Set(freed)].filter((at) => open[at] === 0).sort((one, other) => one - other);
  }
  if (order.length < tasks.length)
    throw intentFailure("dependency_cycle", "these tasks depend on each other in a cycle");
  return order.map((at) => tasks[at] as TaskIn);
}

type GivenCheckpoints = NonNullable<CreateCall["body"]["checkpoints"]>;
type GivenConditions = NonNullable<CreateCall["body"]["conditions"]>;

function checkpointsIn(
  given: GivenCheckpoints,
  idOf: (name: string) => string,
  deps: OpenIntentDeps,
): readonly CheckpointIn[] {
  return given.map((each) => {
    const after = each.after_task ?? each.after ?? null;
    return {
      id: each.id === null || each.id === undefined || each.id === "" ? fresh("cp", deps) : each.id,
      name: each.name ?? "checkpoint",
      afterTask: after === null ? null : idOf(after),
      requiresApproval: each.requires_approval ?? true,
      approvers: each.approvers ?? [],
      timeoutHours: each.timeout_hours ?? null,
      onTimeout: each.on_timeout ?? "escalate",
    };
  });
}

function conditionsIn(
  given: GivenConditions,
  idOf: (name: string) => string,
  deps: OpenIntentDeps,
): readonly Condition[] {
  return given.map(({ id, task_id: taskId, when, otherwise }) => ({
    id: id ?? fresh("cond", deps),
    taskId: idOf(taskId),
    when,
    otherwise: otherwise ?? "skip",
  }));
}

async function enterPlan(id: string, call: From, deps: OpenIntentDeps): Promise<Found> {
  const want = { workspace: call.workspace, kind: "plan", id, read: true } as const;
  const [found] = await deps.engine.store.load([want]);
  if (found === undefined)
    throw fail("not_found", "there is no plan with this id, or this key may not read its intent");
  // A timer of the intent may have to settle one of the plan's checkpoints first.
  await enter(found.body.intentId, call, deps);
  const [now] = await deps.engine.store.load([want]);
  return now ?? found;
}

async function plansOf(call: From & { readonly params: { readonly id: string } }, deps: OpenIntentDeps) {
  await enter(call.params.id, call, deps);
  const index = { name: "intent", value: call.params.id };
  const found: Found[] = [];
  for await (const page of indexed(deps.engine.store, call.workspace, "plan", index)) found.push(...page);
  return found;
}

type WithReason = From & Pick<Call<typeof operations.pausePlan>, "params" | "body">;

async function move(call: WithReason, state: PlanState, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  await enterPlan(params.id, call, deps);
  const reason = body.reason == null ? {} : { reason: body.reason };
  const command = {
    kind: "change_plan",
    workspace,
    by,
    planId: params.id,
    state,
    patch: {},
    ...reason,
  } as const;
  return shown(await runPlan(command, deps), deps);
}

type ResolveCall = From & Pick<Call<typeof operations.approveCheckpoint>, "params" | "body">;

async function resolve(call: ResolveCall, approve: boolean, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const planId = body.plan_id ?? (await planWaitingAt(params.id, call, deps));
  await enterPlan(planId, call, deps);
  const reason = body.reason == null ? {} : { reason: body.reason };
  const command = {
    kind: "resolve_checkpoint",
    workspace,
    by,
    planId,
    checkpointId: params.id,
    approve,
    ...reason,
  } as const;
  const { body: plan } = await runPlan(command, deps);
  const checkpoint = plan.checkpoints.find(({ id }) => id === params.id);
  if (checkpoint === undefined)
    throw new Error("Invariant: a checkpoint that was decided is not in its plan");
  return { status: 200, body: presentPlanCheckpoint(plan.id, checkpoint) };
}

/** How many plans with a checkpoint of this id are looked at, the newest first. */
const PLANS_MAX = 500;

/**
 * The address names a checkpoint without its plan, and ids are unique within their plan only: the plan is the one that waits
 * there. Plans of earlier versions are found by a row whose id is the checkpoint's.
 */
async function planWaitingAt(id: string, call: From, deps: OpenIntentDeps): Promise<string> {
  const { workspace, by } = call;
  const { store, clock } = deps.engine;
  const index = { name: "checkpoint", value: id };
  const found = await store.query({
    ...{ workspace, kind: "plan_checkpoint", index, newestFirst: true, limit: PLANS_MAX },
  } as const);
  const old = await store.load([{ workspace, kind: "plan_checkpoint", id, read: true }]);
  const ids = [...new Set([...found, ...old].map(({ body }) => body.planId))];
  const plans = await loadAll(workspace, "plan", ids, deps);
  const intents = await loadAll(
    workspace,
    "intent",
    [...new Set(plans.map(({ body }) => body.intentId))],
    deps,
  );
  const readable = new Set(
    intents.filter(({ body }) => may(body, by, "read", clock.now())).map((intent) => intent.id),
  );
  const seen = plans.map(({ body }) => body).filter(({ intentId }) => readable.has(intentId));
  const waiting = seen.filter(({ checkpoints }) =>
    checkpoints.some((each) => each.id === id && each.status === "waiting"),
  );
  const [plan, another] = waiting.length === 0 ? seen.slice(0, 1) : waiting;
  if (plan === undefined) throw fail("not_found", "no plan has a checkpoint with this id");
  if (another === undefined) return plan.id;
  throw intentFailure(
    "ambiguous_checkpoint",
    "several plans wait at a checkpoint with this id; send `plan_id`",
    {
      detail: { plan_ids: waiting.map((each) => each.id) },
    },
  );
}

async function loadAll<K extends "plan" | "intent">(
  workspace: string,
  kind: K,
  ids: readonly string[],
  { engine }: OpenIntentDeps,
): Promise<readonly EntityOf<K>[]> {
  return ids.length === 0 ? [] : engine.store.load(ids.map((id) => ({ workspace, kind, id, read: true })));
}

async function progressOf({ workspace, id, body }: Found, deps: OpenIntentDeps): Promise<JsonObject> {
  const wants = body.tasks.map((task) => ({ workspace, kind: "task", id: task, read: true }) as const);
  const found = wants.length === 0 ? [] : await deps.engine.store.load(wants);
  const tasks = found.map((entity) => entity.body);
  const done = tasks.filter(isDone).length;
  const counts = TASK_STATUSES.map((status) => [
    status,
    tasks.filter((task) => task.status === status).length,
  ]);
  const waiting = await Promise.all(tasks.map((task) => suspendedTask(task, workspace, deps)));
  return {
    plan_id: id,
    total: tasks.length,
    by_status: Object.fromEntries(counts),
    completion_percentage: tasks.length === 0 ? 0 : Math.floor((done * 100) / tasks.length),
    suspended_tasks: waiting.filter((each) => each !== undefined),
  };
}

async function suspendedTask(
  { id, suspendedIntentId }: Task,
  workspace: string,
  deps: OpenIntentDeps,
): Promise<JsonObject | undefined> {
  if (suspendedIntentId === null) return undefined;
  const seen = await deps.intents.get(workspace, suspendedIntentId);
  const wait = seen === undefined ? undefined : waitOf(seen);
  return wait === undefined ? undefined : { task_id: id, intent_id: suspendedIntentId, ...wait };
}

/** Tasks: create, read, change status. */

import type { Json } from "@holdpoint/protocol/rules";
import type { AboutOf, EntityOf } from "../../../domains.ts";
import { fail, HttpFailure } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { collect } from "../../reads/collect.ts";
import { indexed } from "../../reads/graphs.ts";
import { actingAgent } from "../../rules/intent/who.ts";
import { ASKS_MAX } from "../../rules/plan/checkpoint.ts";
import type { PlanCommand, TaskCommand, TaskIn, TaskPatch } from "../../rules/plan/commands.ts";
import type { Task, TaskStatus } from "../../rules/plan/task.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, fresh, ifMatch, madeHold } from "../enter.ts";
import { intentFailure, refusedIntent } from "../errors.ts";
import { followUp } from "../follow-up.ts";
import type { operations, Routes } from "../operations/index.ts";
import { presentTask } from "../present-plan.ts";

export const tasks = {
  createTask: (call, deps) => create(call, call.body.intent_id, deps),

  createIntentTask: (call, deps) => create(call, call.params.id, deps),

  async listTasks(call, deps) {
    const { workspace, params, query } = call;
    const { limit = PAGE, offset = 0, status } = query;
    await enter(params.id, call, deps);
    const pages = indexed(deps.engine.store, workspace, "task", { name: "intent", value: params.id });
    const isWanted = ({ body }: EntityOf<"task">) => (status ?? body.status) === body.status;
    const found = await collect(pages, isWanted, { offset, limit });
    return { status: 200, body: found.map(({ body }) => presentTask(body)) };
  },

  async getTask(call, deps) {
    await enterTask(call.params.id, call, deps);
    const task = await enterTask(call.params.id, call, deps);
    return { status: 200, body: presentTask(task), headers: { etag: `"${task.version}"` } };
  },

  async changeTask(call, deps) {
    const { body } = call;
    const ifVersion = ifMatch(call);
    if (ifVersion === undefined)
      throw intentFailure("precondition_required", "If-Match with the task's version is required");
    const { name, description, priority, input, output, artifacts, error, metadata } = body;
    const { assigned_agent: assignedAgent, lease_id: leaseId, blocked_reason: blockedReason } = body;
    const patch: TaskPatch = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(priority === undefined ? {} : { priority: String(priority) }),
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
      ...(artifacts === undefined ? {} : { artifacts }),
      ...(assignedAgent === undefined ? {} : { assignedAgent }),
      ...(leaseId === undefined ? {} : { leaseId }),
      ...(error === undefined ? {} : { error }),
      ...(blockedReason === undefined ? {} : { blockedReason }),
      ...(metadata === undefined ? {} : { metadata }),
    };
    return move(call, body.status ?? body.state ?? undefined, patch, deps, { ifVersion });
  },

  claimTask(call, deps) {
    const assignedAgent = actingAgent(call.by, call.body.agent_id ?? undefined);
    if (typeof assignedAgent !== "string") throw new HttpFailure(assignedAgent);
    return move(call, "claimed", { assignedAgent }, deps);
  },

  completeTask(call, deps) {
    const { output, artifacts } = call.body;
    const patch: TaskPatch = {
      ...(output === undefined ? {} : { output }),
      ...(artifacts == null ? {} : { artifacts }),
    };
    return move(call, "completed", patch, deps, { started: true });
  },

  failTask(call, deps) {
    const error: Json = call.body.error ?? null;
    return move(call, "failed", { error }, deps, { started: true });
  },

  async progressTask(call, deps) {
    const { workspace, by, params, body } = call;
    await enterTask(params.id, call, deps);
    const percent = body.percentage ?? body.percent ?? 0;
    const message = body.message ?? "";
    return taskReply({ kind: "progress_task", workspace, by, taskId: params.id, percent, message }, deps);
  },

  async delegateTask(call, deps) {
    const { workspace, by, params, body } = call;
    const task = await enterTask(params.id, call, deps);
    const { capability, agent_id: agent, payload } = body;
    const subTask = taskIn(
      {
        name: body.name ?? `${task.name}: ${capability ?? "delegated"}`,
        input: payload ?? {},
        assigned_agent: agent ?? null,
        capabilities_required: capability == null ? [] : [capability],
        parent_task_id: task.id,
      },
      fresh("task", deps),
    );
    return taskReply({ kind: "delegate_task", workspace, by, taskId: params.id, subTask }, deps);
  },

  async escalateTask(call, deps) {
    const { workspace, by, params, body } = call;
    await enterTask(params.id, call, deps);
    const { reason, context } = body;
    const command = { kind: "escalate_task", workspace, by, taskId: params.id } as const;
    return taskReply({ ...command, reason: reason ?? "", context: context ?? {} }, deps);
  },
} satisfies Routes;

type From = Pick<Call, "workspace" | "by">;

export async function runPlan<C extends PlanCommand>(
  command: C,
  deps: OpenIntentDeps,
): Promise<EntityOf<AboutOf<C>>> {
  const result = await deps.engine.run(command);
  if (!result.ok) throw refusedIntent(result.failure);
  await allFollow(result.entity, deps);
  return result.entity;
}

async function allFollow(changed: EntityOf<"task" | "plan">, { engine }: OpenIntentDeps): Promise<void> {
  const { workspace, id } = changed;
  const by = SYSTEM;
  const tick =
    changed.kind === "task"
      ? ({ kind: "tick_task", workspace, by, taskId: id } as const)
      : ({ kind: "tick_plan", workspace, by, planId: id } as const);
  await followUp(changed, engine.clock, async () => {
    const result = await engine.run(tick).catch(() => undefined);
    return result?.ok === true ? result.entity : undefined;
  });
}

async function taskReply(command: TaskCommand, deps: OpenIntentDeps) {
  const { body } = await runPlan(command, deps);
  return { status: 200, body: presentTask(body), headers: { etag: `"${body.version}"` } };
}

type TaskFields = Call<typeof operations.createIntentTask>["body"];

export function taskIn(body: TaskFields, id: string): TaskIn {
  return {
    id,
    name: body.name,
    description: body.description ?? null,
    priority: String(body.priority ?? "normal"),
    input: body.input ?? {},
    assignedAgent: body.assigned_agent ?? null,
    capabilitiesRequired: body.capabilities_required ?? [],
    dependsOn: [...new Set(body.depends_on ?? [])],
    parentTaskId: body.parent_task_id ?? null,
    retryPolicy: body.retry_policy ?? null,
    timeoutMs: body.timeout_seconds == null ? null : Math.ceil(body.timeout_seconds * 1000),
    maxAttempts: body.max_attempts ?? 3,
    permissions: body.permissions ?? "inherit",
    memoryPolicy: body.memory_policy ?? null,
    requiresTools: body.requires_tools ?? [],
    metadata: body.metadata ?? {},
  };
}

type CreateCall = From & Pick<Call<typeof operations.createIntentTask>, "body">;

async function create(call: CreateCall, intentId: string, deps: OpenIntentDeps) {
  const { workspace, by, body } = call;
  await enter(intentId, call, deps);
  const planId = body.plan_id ?? undefined;
  const task = taskIn(body, fresh("task", deps));
  const plan = planId === undefined ? {} : { planId };
  return taskReply({ kind: "create_task", workspace, by, intentId, ...plan, task }, deps);
}

/** Loads a task after its intents were brought forward to the current time. */
export async function enterTask(id: string, call: From, deps: OpenIntentDeps): Promise<Task> {
  const want = { workspace: call.workspace, kind: "task", id, read: true } as const;
  const [found] = await deps.engine.store.load([want]);
  if (found === undefined)
    throw fail("not_found", "there is no task with this id, or this key may not read its intent");
  const { intentId, executes } = found.body;
  await enter(intentId, call, deps);
  if (executes === intentId) return found.body;
  await deps.intents.get(call.workspace, executes);
  const [now] = await deps.engine.store.load([want]);
  return (now ?? found).body;
}

const PAGE = 100;

type OnTask = From & { readonly params: { readonly id: string } };

async function move(
  call: OnTask,
  to: TaskStatus | undefined,
  patch: TaskPatch,
  deps: OpenIntentDeps,
  more: { readonly ifVersion?: number; readonly started?: true } = {},
) {
  const { workspace, by, params } = call;
  await enterTask(params.id, call, deps);
  const wanted = to === undefined ? {} : { to };
  const command = {
    kind: "change_task",
    workspace,
    by,
    taskId: params.id,
    ...wanted,
    patch,
    ...more,
  } as const;
  const asks = to === "completed" ? ASKS_MAX : 0;
  return taskReply({ ...command, made: Array.from({ length: asks }, () => madeHold(deps)) }, deps);
}

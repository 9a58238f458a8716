/** Tasks: making, reading, moving. */

import type { Json } from "@holdpoint/protocol/rules";
import type { Hono } from "hono";
import type { AboutOf, EntityOf } from "../../domains.ts";
import { type Call, type MountOptions, mount } from "../../faces/http/mount.ts";
import { HttpTrouble } from "../../faces/http/respond.ts";
import { indexed } from "../reads/graphs.ts";
import type {
  ChangePlan,
  CreatePlan,
  PlanCommand,
  ResolveCheckpoint,
  TaskIn,
  TaskPatch,
} from "../rules/plan/commands.ts";
import type { Task, TaskStatus } from "../rules/plan/task.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { agentOf, enter, fresh, ifMatch, madeHold } from "./enter.ts";
import { intentTrouble, refusedIntent } from "./errors.ts";
import { operations } from "./operations/index.ts";
import { presentTask } from "./present-plan.ts";

export function mountTasks(app: Hono, deps: OpenIntentDeps, options: MountOptions): void {
  mount(app, operations.createTask, (call) => create(call, call.body.intent_id, deps), options);
  mount(app, operations.createIntentTask, (call) => create(call, call.params.id, deps), options);
  mount(app, operations.listTasks, (call) => list(call, deps), options);
  mount(app, operations.getTask, (call) => read(call, deps), options);
  mount(app, operations.changeTask, (call) => change(call, deps), options);
  mount(app, operations.claimTask, (call) => claim(call, deps), options);
  mount(app, operations.completeTask, (call) => complete(call, deps), options);
  mount(app, operations.failTask, (call) => fail(call, deps), options);
  mount(app, operations.progressTask, (call) => progress(call, deps), options);
  mount(app, operations.delegateTask, (call) => delegate(call, deps), options);
  mount(app, operations.escalateTask, (call) => escalate(call, deps), options);
}

type From = Pick<Call, "workspace" | "by">;

export async function runPlan<C extends PlanCommand>(
  command: C,
  { engine }: OpenIntentDeps,
): Promise<EntityOf<AboutOf<C>>> {
  const result = await engine.run(command);
  if (!result.ok) throw refusedIntent(result.failure);
  return result.entity;
}

async function taskReply(
  command: Exclude<PlanCommand, CreatePlan | ChangePlan | ResolveCheckpoint>,
  deps: OpenIntentDeps,
) {
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

/** A task whose intents are as the clock has them by now. */
export async function enterTask(id: string, call: From, deps: OpenIntentDeps): Promise<Task> {
  const want = { workspace: call.workspace, kind: "task", id, read: true } as const;
  const [found] = await deps.engine.store.load([want]);
  if (found === undefined) throw new HttpTrouble({ code: "not_found", detail: "no such task" });
  const { intentId, executes } = found.body;
  await enter(intentId, call, deps);
  if (executes === intentId) return found.body;
  await deps.intents.get(call.workspace, executes);
  const [now] = await deps.engine.store.load([want]);
  return (now ?? found).body;
}

async function read(call: Call<typeof operations.getTask>, deps: OpenIntentDeps) {
  await enterTask(call.params.id, call, deps);
  const task = await enterTask(call.params.id, call, deps);
  return { status: 200, body: presentTask(task), headers: { etag: `"${task.version}"` } };
}

const PAGE = 100;

async function list(call: Call<typeof operations.listTasks>, deps: OpenIntentDeps) {
  const { workspace, params, query } = call;
  const { limit = PAGE, offset = 0, status } = query;
  await enter(params.id, call, deps);
  const found: Task[] = [];
  for await (const page of indexed(deps.engine.store, workspace, "task", {
    name: "intent",
    value: params.id,
  })) {
    found.push(...page.map(({ body }) => body).filter((task) => (status ?? task.status) === task.status));
    if (found.length >= offset + limit) break;
  }
  return { status: 200, body: found.slice(offset, offset + limit).map(presentTask) };
}

async function change(call: Call<typeof operations.changeTask>, deps: OpenIntentDeps) {
  const { body } = call;
  const ifVersion = ifMatch(call);
  if (ifVersion === undefined)
    throw intentTrouble("precondition_required", "If-Match with the task's version is required");
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
}

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
  return taskReply({ ...command, made: madeHold(deps) }, deps);
}

function claim(call: Call<typeof operations.claimTask>, deps: OpenIntentDeps) {
  return move(call, "claimed", { assignedAgent: agentOf(call.by, call.body.agent_id) }, deps);
}

function complete(call: Call<typeof operations.completeTask>, deps: OpenIntentDeps) {
  const { output, artifacts } = call.body;
  const patch: TaskPatch = {
    ...(output === undefined ? {} : { output }),
    ...(artifacts == null ? {} : { artifacts }),
  };
  return move(call, "completed", patch, deps, { started: true });
}

function fail(call: Call<typeof operations.failTask>, deps: OpenIntentDeps) {
  const error: Json = call.body.error ?? null;
  return move(call, "failed", { error }, deps, { started: true });
}

async function progress(call: Call<typeof operations.progressTask>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  await enterTask(params.id, call, deps);
  const percent = body.percentage ?? body.percent ?? 0;
  const message = body.message ?? "";
  return taskReply({ kind: "progress_task", workspace, by, taskId: params.id, percent, message }, deps);
}

async function delegate(call: Call<typeof operations.delegateTask>, deps: OpenIntentDeps) {
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
}

async function escalate(call: Call<typeof operations.escalateTask>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  await enterTask(params.id, call, deps);
  const { reason, context } = body;
  const command = { kind: "escalate_task", workspace, by, taskId: params.id } as const;
  return taskReply({ ...command, reason: reason ?? "", context: context ?? {} }, deps);
}

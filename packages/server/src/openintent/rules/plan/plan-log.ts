/** Logs tasks and plans in their intent's log. Each entry is stated with the rows it changes, so the next entry sees them. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { must } from "../../../kernel/must.ts";
import type { Intent } from "../intent/intent.ts";
import { append, changeIntent, type IntentLog } from "../intent/intent-log.ts";
import type { Change, World } from "../world.ts";
import type { Plan } from "./plan.ts";
import { clocked, isLive, type Task, type TaskStatus, taskEvent } from "./task.ts";

/** Changes rows without a log entry. */
export function changeRows(intentLog: IntentLog, rows: readonly Change[]): IntentLog {
  return changeIntent(intentLog, {}, rows);
}

export interface TaskMove {
  readonly change?: Partial<Task>;
  readonly payload?: JsonObject;
}

/** Moves one task by one status. The executed intent lists the task while it is claimed, running or blocked. */
export function moveTask(intentLog: IntentLog, task: Task, to: TaskStatus, more: TaskMove = {}): IntentLog {
  const { status: from } = task;
  const free = to === "blocked" ? {} : { blockedReason: null, suspendedIntentId: null };
  const moved = clocked(
    { ...task, ...free, ...stamps(to, intentLog.at), ...more.change, status: to },
    from,
    intentLog.at,
  );
  return logTask(intentLog, task, moved, taskEvent(from, to), more.payload);
}

function stamps(to: TaskStatus, at: number): Partial<Task> {
  if (to === "running") return { startedAt: at };
  return to === "completed" || to === "failed" || to === "cancelled" ? { completedAt: at } : {};
}

export function logTask(
  intentLog: IntentLog,
  before: Task | undefined,
  task: Task,
  type: string,
  payload: JsonObject = {},
): IntentLog {
  const { change, also } = taskRows(intentLog, before, task);
  return append(intentLog, {
    type,
    payload: { task_id: task.id, name: task.name, status: task.status, ...payload },
    also,
    change,
  });
}

/** Changes a task without a log entry. */
export function changeTaskRow(intentLog: IntentLog, before: Task, task: Task): IntentLog {
  const { change, also } = taskRows(intentLog, before, task);
  return changeIntent(intentLog, change, also);
}

interface TaskRows {
  readonly change: Partial<Intent>;
  readonly also: readonly Change[];
}

/** The rows that change with a task: the task, the intent that planned it, and the intent that it executes. */
function taskRows({ intent, draft }: IntentLog, before: Task | undefined, task: Task): TaskRows {
  const row = { kind: "task", id: task.id, body: task } as const;
  if (task.executes === intent.id) {
    const named = naming(intent, "workers", before, task, plannedAgent);
    return { change: { ...named, ...listing(intent, before, task) }, also: [row] };
  }
  const change = naming(intent, "helpers", before, task, plannedAgent);
  if (!isSeenWhereExecuted(before, task)) return { change, also: [row] };
  const executed = must(draft.get("intent", task.executes), "the intent that a task executes");
  const named = naming(executed, "workers", before, task, startedAgent);
  const body = { ...executed, ...named, ...listing(executed, before, task) };
  return { change, also: [row, { kind: "intent", id: executed.id, body }] };
}

/** Whether the executed intent names the task's agent, or lists the task, differently now. Otherwise it need not be loaded. */
function isSeenWhereExecuted(before: Task | undefined, task: Task): boolean {
  const isNamedAnew = !isNeverStarted(before, task) && startedAgent(task) !== startedAgent(before);
  return isNamedAnew || isListedAnew(before, task);
}

type AgentOf = (task: Task | undefined) => string | null;

/** An agent keeps access while a task names it: also to learn that the task was cancelled, and why. */
const plannedAgent: AgentOf = (task) => (task?.access === "own" ? null : (task?.assignedAgent ?? null));

/** The executed intent names the agent from the moment the task is claimed. */
const startedAgent: AgentOf = (task) => (isWaiting(task) ? null : plannedAgent(task));

function isWaiting(task: Task | undefined): boolean {
  return task?.status === "pending" || task?.status === "ready";
}

/** The task ended before anybody claimed it. */
function isNeverStarted(before: Task | undefined, task: Task): boolean {
  return isWaiting(before) && (task.status === "skipped" || task.status === "cancelled");
}

/** Names the task's agent on an intent, which gives the agent access to it; see `who.ts`. */
function naming(
  intent: Intent,
  field: "workers" | "helpers",
  before: Task | undefined,
  task: Task,
  agentOf: AgentOf,
): Partial<Intent> {
  const agent = agentOf(task);
  if (agent === agentOf(before)) return {};
  const { [task.id]: _before, ...others } = intent[field] ?? {};
  return { [field]: agent === null ? others : { ...others, [task.id]: agent } };
}

function isListedAnew(before: Task | undefined, task: Task): boolean {
  const wasLive = before !== undefined && isLive(before);
  return wasLive !== isLive(task);
}

/** The executed intent lists its live tasks. */
function listing({ tasks = [] }: Intent, before: Task | undefined, task: Task): Partial<Intent> {
  if (!isListedAnew(before, task)) return {};
  const others = tasks.filter((id) => id !== task.id);
  return { tasks: isLive(task) ? [...others, task.id] : others };
}

export function logPlan(intentLog: IntentLog, plan: Plan, type: string, payload: JsonObject = {}): IntentLog {
  const body = { ...plan, updatedAt: intentLog.at };
  return append(intentLog, {
    type,
    payload: { plan_id: plan.id, state: plan.state, ...payload },
    also: [{ kind: "plan", id: plan.id, body }],
  });
}

export function planOf(world: World, task: Task): Plan | undefined {
  return task.planId === undefined ? undefined : world.get("plan", task.planId);
}

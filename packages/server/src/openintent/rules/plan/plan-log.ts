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
  const listed = listing(intentLog, before, task);
  return append(intentLog, {
    type,
    payload: { task_id: task.id, name: task.name, status: task.status, ...payload },
    also: [{ kind: "task", id: task.id, body: task }, ...listed.also],
    ...(listed.change === undefined ? {} : { change: listed.change }),
  });
}

/** The change to the executed intent's list of live tasks, if the list changes. */
function listing(
  { intent, draft }: IntentLog,
  before: Task | undefined,
  task: Task,
): { readonly change?: Partial<Intent>; readonly also: readonly Change[] } {
  const wasLive = before !== undefined && isLive(before);
  if (wasLive === isLive(task)) return { also: [] };
  const executed =
    task.executes === intent.id
      ? intent
      : must(draft.get("intent", task.executes), "the intent that the task executes");
  const others = (executed.tasks ?? []).filter((id) => id !== task.id);
  const tasks = isLive(task) ? [...others, task.id] : others;
  if (executed === intent) return { change: { tasks }, also: [] };
  return { also: [{ kind: "intent", id: executed.id, body: { ...executed, tasks } }] };
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

/**
 * Tasks follow the intent they execute: they are blocked while it is suspended, run again when it resumes, and are cancelled
 * when it is abandoned. Those for which a commit has no room follow in the next one. The reverse does not hold: blocking a task by
 * hand does not suspend its intent.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { must } from "../../../kernel/must.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { hasLoaded, needsInBatches } from "../graph/small-batches.ts";
import { leaveBehind } from "../intent/behind.ts";
import { type Behind, type Intent, SUSPENDED } from "../intent/intent.ts";
import { begin, type IntentLog } from "../intent/intent-log.ts";
import type { Need, World } from "../world.ts";
import { completePlan, countDown } from "./count.ts";
import { moveTask, type TaskMove } from "./plan-log.ts";
import { INTENT_SUSPENDED, isMirrored, isTaskOver, type Task, type TaskStatus } from "./task.ts";

/** Its claimed, running and blocked tasks, and what changes with them, as far as there is room. */
export function mirrorNeeds({ id, tasks = [], checkpoint }: Intent, world: World): readonly Need[] {
  const needs = liveNeeds(tasks, id, world);
  return checkpoint === undefined ? needs : [...needs, { kind: "plan", id: checkpoint.planId }];
}

function liveNeeds(tasks: readonly string[], intentId: string, world: World): readonly Need[] {
  return needsInBatches(tasks, (taskId) => taskNeeds(taskId, intentId, world));
}

/** The task, its plan, and the intent whose log records the task, with the portfolios that are told. */
function* taskNeeds(taskId: string, intentId: string, world: World): Iterable<Need> {
  yield { kind: "task", id: taskId };
  const task = world.get("task", taskId);
  if (task !== undefined && task.intentId !== intentId) {
    yield { kind: "intent", id: task.intentId };
    for (const id of world.get("intent", task.intentId)?.portfolios ?? [])
      yield { kind: "portfolio", id, read: true };
  }
  if (task?.planId !== undefined) yield { kind: "plan", id: task.planId };
}

/** What the tasks need that have not followed the intent yet. */
export function tasksBehindNeeds(intent: Intent, behind: Behind, world: World): readonly Need[] {
  return liveNeeds(stillLive(behind.tasks, intent), intent.id, world);
}

/** A task that ended meanwhile does not follow. */
function stillLive(ids: readonly string[], { tasks = [] }: Intent): readonly string[] {
  const live = new Set(tasks);
  return ids.filter((id) => live.has(id));
}

interface Step {
  readonly to: TaskStatus;
  readonly change?: Partial<Task>;
  readonly payload?: JsonObject;
}

interface Mirroring {
  readonly tasks?: readonly string[] | undefined;
  readonly stepOf: (task: Task) => Step | undefined;
  readonly resolution?: string;
}

/** Logs each task's step in the log of the intent that planned it, which may be another intent. */
function mirror(
  start: IntentLog,
  { stepOf, tasks = start.intent.tasks ?? [], ...left }: Mirroring,
): IntentLog {
  const { id } = start.intent;
  const { draft } = start;
  const isLoaded = (taskId: string) => hasLoaded(taskNeeds(taskId, id, draft), draft);
  const { now = [], later = [] } = Object.groupBy(tasks, (taskId) => (isLoaded(taskId) ? "now" : "later"));
  let intentLog = start;
  for (const taskId of now) {
    const task = must(draft.get("task", taskId), "a live task of the intent");
    const step = stepOf(task);
    if (step !== undefined)
      intentLog = task.intentId === id ? moveOwn(intentLog, task, step) : moveOther(intentLog, task, step);
  }
  return leaveBehind(intentLog, { tasks: later, ...left });
}

function moveOf(task: Task, { change, payload = {} }: Step): TaskMove {
  return { change: { ...change, version: task.version + 1 }, payload };
}

/** A cancelled task lowers its own plan's count but does not complete that plan. */
function moveOwn(intentLog: IntentLog, task: Task, step: Step): IntentLog {
  return countDown(moveTask(intentLog, task, step.to, moveOf(task, step)), { ...task, status: step.to });
}

/** The task may be the last open one of another intent's plan, so that plan may complete. */
function moveOther(intentLog: IntentLog, task: Task, step: Step): IntentLog {
  const { draft, at, intent } = intentLog;
  const over = { ...task, status: step.to };
  const other = must(draft.get("intent", task.intentId), "the intent that planned the task");
  const moved = moveTask(begin(other, draft, at, SYSTEM), task, step.to, moveOf(task, step));
  if (isTaskOver(over)) completePlan(countDown(moved, over), over);
  // moveTask may have changed this intent's list of live tasks; read it again.
  const { tasks = [] } = must(draft.get("intent", intent.id), "the intent whose tasks are mirrored");
  return { ...intentLog, intent: { ...intent, tasks } };
}

/** `tasks`: only these, instead of all live tasks of the intent. */
export function blockTasks(intentLog: IntentLog, tasks?: readonly string[]): IntentLog {
  const { id } = intentLog.intent;
  const blocked: Step = {
    to: "blocked",
    change: { blockedReason: INTENT_SUSPENDED, suspendedIntentId: id },
    payload: { reason: INTENT_SUSPENDED, blocked_by: id, suspended_intent_id: id },
  };
  const stepOf = ({ status }: Task) => (status === "running" || status === "claimed" ? blocked : undefined);
  return mirror(intentLog, { tasks, stepOf });
}

export function unblockTasks(intentLog: IntentLog, resolution: string, tasks?: readonly string[]): IntentLog {
  const { id } = intentLog.intent;
  const stepOf = (task: Task): Step | undefined =>
    isMirrored(task, id) ? { to: "running", payload: { resolution } } : undefined;
  return mirror(intentLog, { tasks, stepOf, resolution });
}

export function endTasks(intentLog: IntentLog, tasks?: readonly string[]): IntentLog {
  const reason = intentLog.intent.abandonmentReason ?? "intent_abandoned";
  return mirror(intentLog, { tasks, stepOf: () => ({ to: "cancelled", payload: { reason } }) });
}

/** Tasks that have not followed the intent yet follow its status as it is now. */
export function followTasks(intentLog: IntentLog, behind: Behind): IntentLog {
  const { intent } = intentLog;
  const tasks = stillLive(behind.tasks, intent);
  switch (intent.status) {
    case SUSPENDED:
      return blockTasks(intentLog, tasks);
    case "abandoned":
      return endTasks(intentLog, tasks);
    default:
      return unblockTasks(intentLog, behind.resolution ?? "cancelled", tasks);
  }
}

/**
 * Tasks follow the intent they execute: they are blocked while it is suspended, run again when it resumes, and are cancelled
 * when it is abandoned. The reverse does not hold: blocking a task by hand does not suspend its intent.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { must } from "../../../kernel/must.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import type { Intent } from "../intent/intent.ts";
import { begin, type IntentLog } from "../intent/intent-log.ts";
import type { Need, World } from "../world.ts";
import { completePlan, countDown } from "./count.ts";
import { moveTask, type TaskMove } from "./plan-log.ts";
import { INTENT_SUSPENDED, isMirrored, isTaskOver, type Task, type TaskStatus } from "./task.ts";

/** Its claimed, running and blocked tasks, and the intents whose logs record those tasks. */
export function mirrorNeeds({ id, tasks = [], checkpoint }: Intent, world: World): readonly Need[] {
  const needs = tasks.flatMap((taskId): readonly Need[] => {
    const task = world.get("task", taskId);
    const planned = task === undefined || task.intentId === id ? [] : otherNeeds(task.intentId, world);
    const plan = task?.planId === undefined ? [] : [{ kind: "plan", id: task.planId } as const];
    return [{ kind: "task", id: taskId }, ...planned, ...plan];
  });
  return checkpoint === undefined ? needs : [...needs, { kind: "plan", id: checkpoint.planId }];
}

function otherNeeds(intentId: string, world: World): readonly Need[] {
  const portfolios = world.get("intent", intentId)?.portfolios ?? [];
  return [
    { kind: "intent", id: intentId },
    ...portfolios.map((id) => ({ kind: "portfolio", id, read: true }) as const),
  ];
}

interface Step {
  readonly to: TaskStatus;
  readonly change?: Partial<Task>;
  readonly payload?: JsonObject;
}

/** Logs each task's step in the log of the intent that planned it, which may be another intent. */
function mirror(start: IntentLog, stepOf: (task: Task) => Step | undefined): IntentLog {
  const { id, tasks = [] } = start.intent;
  let intentLog = start;
  for (const taskId of tasks) {
    const task = must(intentLog.draft.get("task", taskId), "a live task of the intent");
    const step = stepOf(task);
    if (step !== undefined)
      intentLog = task.intentId === id ? moveOwn(intentLog, task, step) : moveOther(intentLog, task, step);
  }
  return intentLog;
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

export function blockTasks(intentLog: IntentLog): IntentLog {
  const { id } = intentLog.intent;
  return mirror(intentLog, ({ status }) =>
    status === "running" || status === "claimed"
      ? {
          to: "blocked",
          change: { blockedReason: INTENT_SUSPENDED, suspendedIntentId: id },
          payload: { reason: INTENT_SUSPENDED, blocked_by: id, suspended_intent_id: id },
        }
      : undefined,
  );
}

export function unblockTasks(intentLog: IntentLog, resolution: string): IntentLog {
  const { id } = intentLog.intent;
  return mirror(intentLog, (task) =>
    isMirrored(task, id) ? { to: "running", payload: { resolution } } : undefined,
  );
}

export function endTasks(intentLog: IntentLog, reason: string): IntentLog {
  return mirror(intentLog, () => ({ to: "cancelled", payload: { reason } }));
}

/**
 * Tasks mirror the intent they execute: they are blocked while it waits for a person, run again when it goes on and end when
 * it is given up. The other way round nothing is mirrored: blocking a task by hand suspends nobody.
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

/** Its live tasks, and the intents in whose logs they are told. */
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

/** Each told where it was planned: in this intent's own story, or in another's beside it. */
function mirror(start: IntentLog, stepOf: (task: Task) => Step | undefined): IntentLog {
  const { id, tasks = [] } = start.intent;
  let intentLog = start;
  for (const taskId of tasks) {
    const task = must(intentLog.draft.get("task", taskId), `live task ${taskId} of intent ${id}`);
    const step = stepOf(task);
    if (step !== undefined)
      intentLog = task.intentId === id ? moveOwn(intentLog, task, step) : moveOther(intentLog, task, step);
  }
  return intentLog;
}

function moveOf(task: Task, { change, payload = {} }: Step): TaskMove {
  return { change: { ...change, version: task.version + 1 }, payload };
}

/** A task that is given up does not complete its own plan. */
function moveOwn(intentLog: IntentLog, task: Task, step: Step): IntentLog {
  return countDown(moveTask(intentLog, task, step.to, moveOf(task, step)), { ...task, status: step.to });
}

/** It may be the last thing that another intent's plan waited for. */
function moveOther(intentLog: IntentLog, task: Task, step: Step): IntentLog {
  const { draft, at, intent } = intentLog;
  const over = { ...task, status: step.to };
  const other = must(draft.get("intent", task.intentId), `intent ${task.intentId} of task ${task.id}`);
  const moved = moveTask(begin(other, draft, at, SYSTEM), task, step.to, moveOf(task, step));
  if (isTaskOver(over)) completePlan(countDown(moved, over), over);
  // The list of live tasks may have changed with the other intent.
  const { tasks = [] } = must(draft.get("intent", intent.id), `intent ${intent.id}`);
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

/** Counts the open tasks of a plan, and completes the plan when none is left. */

import type { IntentLog } from "../intent/intent-log.ts";
import { isPlanOver, isWaiting } from "./plan.ts";
import { changeRows, logPlan, planOf } from "./plan-log.ts";
import { isTaskOver, type Task } from "./task.ts";

/** `task` is the task in its new state. */
export function countDown(intentLog: IntentLog, task: Task): IntentLog {
  const plan = planOf(intentLog.draft, task);
  if (plan === undefined || !isTaskOver(task)) return intentLog;
  const counted = { ...plan, open: Math.max(plan.open - 1, 0) };
  return changeRows(intentLog, [{ kind: "plan", id: plan.id, body: counted }]);
}

export function completePlan(intentLog: IntentLog, task: Task): IntentLog {
  const plan = planOf(intentLog.draft, task);
  if (plan === undefined || isPlanOver(plan) || plan.state === "draft") return intentLog;
  return plan.open > 0 || isWaiting(plan)
    ? intentLog
    : logPlan(intentLog, { ...plan, state: "completed" }, "plan.completed");
}

/** Applies the plan's `onFailure` policy when one of its tasks fails. */

import { must } from "../../../kernel/must.ts";
import type { IntentLog } from "../intent/intent-log.ts";
import { afterTask, type CommandContext } from "./advance.ts";
import { isPlanOver } from "./plan.ts";
import { logPlan, logTask, moveTask, planOf } from "./plan-log.ts";

/** The task's status on the draft is already `failed`. */
export function failTask(intentLog: IntentLog, taskId: string, commandContext: CommandContext): IntentLog {
  const handed = afterTask(intentLog, taskId, commandContext);
  const task = must(handed.draft.get("task", taskId), "the task that failed");
  const plan = planOf(handed.draft, task);
  if (plan === undefined || isPlanOver(plan)) return handed;
  switch (plan.onFailure) {
    case "notify":
      return handed;
    case "fail":
      return logPlan(handed, { ...plan, state: "failed" }, "plan.failed", { task_id: task.id });
    case "retry":
      if (task.attempt < task.maxAttempts) {
        const change = { attempt: task.attempt + 1, version: task.version + 1 };
        return moveTask(handed, task, "ready", { change, payload: { attempt: change.attempt } });
      }
      return logPlan(handed, { ...plan, state: "failed" }, "plan.failed", { task_id: task.id });
    case "pause_and_escalate": {
      const paused = logPlan(handed, { ...plan, state: "paused" }, "plan.paused", { task_id: task.id });
      return logTask(paused, task, task, "task.escalated", { reason: "task_failed" });
    }
  }
}

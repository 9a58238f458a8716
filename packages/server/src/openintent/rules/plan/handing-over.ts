/** Hands a task over: delegates it to another agent, or escalates it to a person. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { must } from "../../../kernel/must.ts";
import { failure } from "../failure.ts";
import { begin, type IntentLog } from "../intent/intent-log.ts";
import type { Draft } from "../world.ts";
import type { DelegateTask, EscalateTask } from "./commands.ts";
import { newTask, whyNoTasks } from "./new-task.ts";
import { logTask, moveTask } from "./plan-log.ts";
import type { Task } from "./task.ts";
import { knownTask } from "./tasks.ts";

function asRunning(intentLog: IntentLog, task: Task): IntentLog | null {
  if (task.status === "running") return intentLog;
  return task.status === "claimed" ? moveTask(intentLog, task, "running") : null;
}

function notRunning({ status: from }: Task): Reply {
  const detail = { from, to: "blocked" };
  return refuse(
    failure("invalid_transition", `a task with status ${from} cannot be handed over`, { detail }),
  );
}

/** Splits off a sub-task and blocks this task until the sub-task is over. */
export function delegateTask(command: DelegateTask, draft: Draft, { now }: Context): Reply {
  const known = knownTask(command, draft, now);
  if ("code" in known) return refuse(known);
  const { task, intent } = known;
  const { subTask, by } = command;
  const denied = whyNoTasks([subTask], intent, { world: draft, by, now });
  if (denied !== null) return refuse(denied);
  const begun = asRunning(begin(intent, draft, now, by), task);
  if (begun === null) return notRunning(task);
  const made = newTask(begun, subTask);
  const running = must(made.draft.get("task", task.id), "the delegated task");
  const metadata = { ...running.metadata, delegated_to: subTask.id };
  const delegated = logTask(made, running, { ...running, metadata }, "task.delegated", {
    sub_task_id: subTask.id,
    agent_id: subTask.assignedAgent,
  });
  moveTask(delegated, { ...running, metadata }, "blocked", {
    change: { blockedReason: "delegation", version: task.version + 1 },
    payload: { reason: "delegation", blocked_by: subTask.id },
  });
  return accept(subTask.id);
}

export function escalateTask(command: EscalateTask, draft: Draft, { now }: Context): Reply {
  const known = knownTask(command, draft, now);
  if ("code" in known) return refuse(known);
  const { task, intent } = known;
  const begun = asRunning(begin(intent, draft, now, command.by), task);
  if (begun === null) return notRunning(task);
  const running = must(begun.draft.get("task", task.id), "the escalated task");
  const { reason, context } = command;
  const blocked = moveTask(begun, running, "blocked", {
    change: { blockedReason: "escalation", version: task.version + 1 },
    payload: { reason: "escalation" },
  });
  const escalated = must(blocked.draft.get("task", task.id), "the escalated task");
  logTask(blocked, escalated, escalated, "task.escalated", { reason, context });
  return accept(task.id);
}

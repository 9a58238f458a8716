/** Handing work over: to another agent, or to a person. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { begin, type Story } from "../intent/story.ts";
import { must } from "../must.ts";
import { refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import type { DelegateTask, EscalateTask } from "./commands.ts";
import { newTask } from "./new-task.ts";
import { moveTask, tellTask } from "./story.ts";
import type { Task } from "./task.ts";
import { knownTask } from "./tasks.ts";

function inHand(story: Story, task: Task): Story | null {
  if (task.status === "running") return story;
  return task.status === "claimed" ? moveTask(story, task, "running") : null;
}

function notInHand({ status: from }: Task): Decision {
  const detail = { from, to: "blocked" };
  return refuse(refusal("invalid_transition", `a task that is ${from} cannot be handed over`, { detail }));
}

/** A part of it becomes a task of its own, and it waits for that. */
export function delegateTask(command: DelegateTask, world: World, { now }: Context): Decision {
  const known = knownTask(command, world, now);
  if ("code" in known) return refuse(known);
  const { task, intent } = known;
  const begun = inHand(begin(intent, world, now, command.by), task);
  if (begun === null) return notInHand(task);
  const { subTask } = command;
  const made = newTask(begun, subTask);
  const running = must(made.world.get("task", task.id), "the task");
  const metadata = { ...running.metadata, delegated_to: subTask.id };
  const delegated = tellTask(made, running, { ...running, metadata }, "task.delegated", {
    sub_task_id: subTask.id,
    agent_id: subTask.assignedAgent,
  });
  const told = moveTask(delegated, { ...running, metadata }, "blocked", {
    change: { blockedReason: "delegation", version: task.version + 1 },
    payload: { reason: "delegation", blocked_by: subTask.id },
  });
  return accept("task", subTask.id, told.facts);
}

export function escalateTask(command: EscalateTask, world: World, { now }: Context): Decision {
  const known = knownTask(command, world, now);
  if ("code" in known) return refuse(known);
  const { task, intent } = known;
  const begun = inHand(begin(intent, world, now, command.by), task);
  if (begun === null) return notInHand(task);
  const running = must(begun.world.get("task", task.id), "the task");
  const { reason, context } = command;
  const blocked = moveTask(begun, running, "blocked", {
    change: { blockedReason: "escalation", version: task.version + 1 },
    payload: { reason: "escalation" },
  });
  const now_ = must(blocked.world.get("task", task.id), "the task");
  return accept("task", task.id, tellTask(blocked, now_, now_, "task.escalated", { reason, context }).facts);
}

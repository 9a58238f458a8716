/** New tasks, by themselves, with a plan, or split off another. */

import { member } from "@holdpoint/protocol/rules";
import { must } from "../../../kernel/must.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { Intent } from "../intent/intent.ts";
import type { IntentLog } from "../intent/intent-log.ts";
import { may } from "../intent/who.ts";
import type { World } from "../world.ts";
import type { TaskIn } from "./commands.ts";
import { changeRows, logTask } from "./plan-log.ts";
import { isDone, type Task } from "./task.ts";

export function executesOf({ metadata }: Pick<TaskIn, "metadata">, intentId: string): string {
  const named = member(metadata, "executes_intent_id");
  return typeof named === "string" ? named : intentId;
}

/** What it depends on, and whose part it is, belongs to the same intent. */
export function whyNoTask(
  task: TaskIn,
  intent: Intent,
  { world, by, now }: { readonly world: World; readonly by: Principal; readonly now: number },
  with_: readonly string[] = [],
): Failure | null {
  const related = [...task.dependsOn, ...(task.parentTaskId === null ? [] : [task.parentTaskId])];
  const known = (id: string) => with_.includes(id) || world.get("task", id)?.intentId === intent.id;
  if (!related.every(known)) return failure("unknown_dependency", "a task that it depends on is not there");
  const executesId = executesOf(task, intent.id);
  const executed = world.get("intent", executesId);
  // Whoever does its work hears when it waits, so that they must be allowed to read it.
  if (executesId !== intent.id && (executed === undefined || !may(executed, by, "read", now))) {
    return failure("unknown_dependency", "the intent that it executes is not there");
  }
  return null;
}

export function newTask(intentLog: IntentLog, given: TaskIn, planId?: string): IntentLog {
  const { draft } = intentLog;
  const open = given.dependsOn.filter(
    (id) => !isDone(must(draft.get("task", id), `task ${id}, a dependency of task ${given.id},`)),
  );
  const task: Task = {
    ...given,
    intentId: intentLog.intent.id,
    executes: executesOf(given, intentLog.intent.id),
    ...(planId === undefined ? {} : { planId }),
    version: 1,
    status: open.length === 0 ? "ready" : "pending",
    output: null,
    artifacts: [],
    leaseId: null,
    open,
    dependents: [],
    attempt: 1,
    blockedReason: null,
    suspendedIntentId: null,
    error: null,
    createdAt: intentLog.at,
  };
  const told = logTask(intentLog, undefined, task, "task.created");
  const dependencies = open.map((id) =>
    must(told.draft.get("task", id), `task ${id}, a dependency of task ${task.id},`),
  );
  if (dependencies.length === 0) return told;
  return changeRows(
    told,
    dependencies.map((dependency) => ({
      kind: "task",
      id: dependency.id,
      body: { ...dependency, dependents: [...dependency.dependents, task.id] },
    })),
  );
}

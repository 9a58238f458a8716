/** Creates tasks: alone, with a plan, or as a sub-task. */

import { member } from "@holdpoint/protocol/rules";
import { must } from "../../../kernel/must.ts";
import { type Failure, failure } from "../failure.ts";
import type { Intent } from "../intent/intent.ts";
import type { IntentLog } from "../intent/intent-log.ts";
import { mayHaveExecuted } from "../intent/who.ts";
import type { TaskIn } from "./commands.ts";
import { type NamingContext, whyNotAllNamed, whyNotNamed } from "./naming.ts";
import { changeRows, logTask } from "./plan-log.ts";
import { isDone, type Task } from "./task.ts";

/** A task's row lists the tasks that depend on it, and its end reaches all of them (G13). */
const DEPENDENTS_MAX = 1_000;

export function executesOf({ metadata }: Pick<TaskIn, "metadata">, intentId: string): string {
  const named = member(metadata, "executes_intent_id");
  return typeof named === "string" ? named : intentId;
}

/** Tasks that one command creates may depend on each other, and count together. */
export function whyNoTasks(tasks: readonly TaskIn[], intent: Intent, context: NamingContext): Failure | null {
  const together = new Set(tasks.map(({ id }) => id));
  for (const task of tasks) {
    const wrong = whyNoTask(task, intent, context, together);
    if (wrong !== null) return wrong;
  }
  const named = tasks.map((task) => ({ ...task, executes: executesOf(task, intent.id) }));
  return whyCrowded(tasks, context) ?? whyNotAllNamed(named, intent);
}

function whyCrowded(tasks: readonly TaskIn[], { world }: NamingContext): Failure | null {
  const more = new Map<string, number>();
  for (const { dependsOn } of tasks)
    for (const id of new Set(dependsOn)) more.set(id, (more.get(id) ?? 0) + 1);
  for (const [id, count] of more) {
    const dependents = world.get("task", id)?.dependents ?? [];
    if (dependents.length + count > DEPENDENTS_MAX)
      return failure("too_many", `at most ${DEPENDENTS_MAX} tasks can depend on one task`);
  }
  return null;
}

/** Its dependencies and its parent must belong to the same intent. `with_`: tasks created by the same command. */
function whyNoTask(
  task: TaskIn,
  intent: Intent,
  { world, by, now }: NamingContext,
  with_: ReadonlySet<string>,
): Failure | null {
  const related = [...task.dependsOn, ...(task.parentTaskId === null ? [] : [task.parentTaskId])];
  const known = (id: string) => with_.has(id) || world.get("task", id)?.intentId === intent.id;
  if (!related.every(known))
    return failure("unknown_dependency", "A task that this task depends on does not exist in this intent.");
  const executesId = executesOf(task, intent.id);
  const executed = world.get("intent", executesId);
  // The executing agent is notified when that intent is suspended and may work on it.
  if (executesId !== intent.id && (executed === undefined || !mayHaveExecuted(executed, by, now))) {
    return failure(
      "unknown_dependency",
      "The intent named in executes_intent_id does not exist, or this key may not work on it.",
    );
  }
  return whyNotNamed({ ...task, intentId: intent.id, executes: executesId }, { world, by, now });
}

export function newTask(intentLog: IntentLog, given: TaskIn, planId?: string): IntentLog {
  const { draft } = intentLog;
  const open = given.dependsOn.filter((id) => !isDone(must(draft.get("task", id), "a task's dependency")));
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
  const log = logTask(intentLog, undefined, task, "task.created");
  const dependencies = open.map((id) => must(log.draft.get("task", id), "a task's dependency"));
  if (dependencies.length === 0) return log;
  return changeRows(
    log,
    dependencies.map((dependency) => ({
      kind: "task",
      id: dependency.id,
      body: { ...dependency, dependents: [...dependency.dependents, task.id] },
    })),
  );
}

/** The effects of a task's end: dependents become ready or are skipped, checkpoints are reached, the plan completes. */

import type { Context } from "../../../kernel/context.ts";
import { must } from "../../../kernel/must.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { hasLoaded } from "../graph/small-batches.ts";
import type { MadeHold } from "../intent/commands.ts";
import { SUSPENDED } from "../intent/intent.ts";
import type { IntentLog } from "../intent/intent-log.ts";
import type { Draft, Need, World } from "../world.ts";
import { reachCheckpoints } from "./checkpoint.ts";
import { completePlan, countDown } from "./count.ts";
import { type IsNeeded, neededIn } from "./needed.ts";
import type { Plan } from "./plan.ts";
import { changeRows, logTask, moveTask, planOf } from "./plan-log.ts";
import { INTENT_SUSPENDED, isDone, isTaskOver, type Task, type TasksBehind } from "./task.ts";

export interface CommandContext {
  readonly by: Principal;
  /** Ids and salts for the holds that checkpoints may place, one for each. */
  readonly made: readonly MadeHold[];
  readonly context: Context;
}

/** `taskId` names the task in its new state, already on the draft. */
export function afterTask(intentLog: IntentLog, taskId: string, commandContext: CommandContext): IntentLog {
  const task = must(intentLog.draft.get("task", taskId), "the task that just changed");
  const handed = handBack(intentLog, task);
  const freed = isDone(task) ? freeTasks(handed, task, task.dependents) : handed;
  const counted = countDown(freed, task);
  const reached = task.status === "completed" ? reachCheckpoints(counted, task, commandContext) : counted;
  return completePlan(reached, task);
}

/** Unblocks the parent task that delegated this one, and passes the output on. */
function handBack(intentLog: IntentLog, { parentTaskId, id, status, output }: Task): IntentLog {
  const parent = parentTaskId === null ? undefined : intentLog.draft.get("task", parentTaskId);
  const isOver = isTaskOver({ status }) || status === "failed";
  if (!isOver || parent?.blockedReason !== "delegation" || parent.metadata["delegated_to"] !== id)
    return intentLog;
  const metadata = { ...parent.metadata, delegation_output: output };
  const isWaitingToo = intentLog.draft.get("intent", parent.executes)?.status === SUSPENDED;
  if (isWaitingToo) {
    const mirrored = {
      ...parent,
      metadata,
      blockedReason: INTENT_SUSPENDED,
      suspendedIntentId: parent.executes,
    };
    return logTask(intentLog, parent, mirrored, "task.blocked", { reason: INTENT_SUSPENDED });
  }
  const resolution = status === "completed" ? "delegation_completed" : "delegation_failed";
  return moveTask(intentLog, parent, "running", {
    change: { metadata, version: parent.version + 1 },
    payload: { resolution, sub_task_id: id },
  });
}

/** What a dependent of a task that is done needs: the plan whose conditions may skip it is not always that of the task. */
export function* dependentNeeds(id: string, world: World): Iterable<Need> {
  yield { kind: "task", id };
  const planId = world.get("task", id)?.planId;
  if (planId !== undefined) yield { kind: "plan", id: planId };
}

/** The tasks whose outputs the plan's conditions may name. */
export function conditionNeeds(plan: Plan | undefined): readonly Need[] {
  if (plan === undefined || plan.conditions.length === 0) return [];
  return plan.tasks.map((id) => ({ kind: "task", id, read: true }));
}

/** Whether everything was loaded that says if these dependents are ready or skipped. */
function freeable(draft: Draft): (id: string) => boolean {
  const plans = new Map<string, boolean>();
  return (id) => {
    if (!hasLoaded(dependentNeeds(id, draft), draft)) return false;
    const task = must(draft.get("task", id), "a dependent task");
    const plan = planOf(draft, task);
    if (plan === undefined) return true;
    const isKnown = plans.get(plan.id) ?? hasLoaded(conditionNeeds(plan), draft);
    plans.set(plan.id, isKnown);
    return isKnown;
  };
}

/** Tasks that conditions of their plan name, by plan. */
function conditionalIn(draft: Draft): (task: Task) => boolean {
  const plans = new Map<string, ReadonlySet<string>>();
  return (task) => {
    const plan = planOf(draft, task);
    if (plan === undefined) return false;
    const named = plans.get(plan.id) ?? new Set(plan.conditions.map(({ taskId }) => taskId));
    plans.set(plan.id, named);
    return named.has(task.id) || named.has(task.name);
  };
}

/**
 * At most so many of the tasks that were loaded become ready or are skipped when this one is done. Only a task with a condition may be
 * skipped.
 */
export function freedBy(task: Task, draft: Draft): number {
  const [isFreeable, isConditional] = [freeable(draft), conditionalIn(draft)];
  const [ended, freed] = [new Set<string>(), new Set<string>()];
  const queue = [task];
  for (let done = queue.shift(); done !== undefined; done = queue.shift()) {
    ended.add(done.id);
    for (const id of done.dependents.filter((other) => !freed.has(other))) {
      if (!isFreeable(id)) continue;
      const dependent = must(draft.get("task", id), "a dependent task");
      const waitsForOthers = dependent.open.some((other) => !ended.has(other));
      if (dependent.status !== "pending" || waitsForOthers) continue;
      freed.add(id);
      if (isConditional(dependent)) queue.push(dependent);
    }
  }
  return freed.size;
}

/**
 * A queue, because a skipped task can make further tasks ready. Dependents for which the commit has no room are noted on the task
 * that is done, and follow at once.
 */
function freeTasks(start: IntentLog, done: Task, dependents: readonly string[]): IntentLog {
  const { draft, at } = start;
  let intentLog = start;
  const [isFreeable, isNeeded] = [freeable(draft), neededIn(draft)];
  const queue: { readonly id: string; readonly dependents: readonly string[] }[] = [
    { id: done.id, dependents },
  ];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { id } = next;
    const { now = [], later = [] } = Object.groupBy(next.dependents, (each) =>
      isFreeable(each) ? "now" : "later",
    );
    for (const dependentId of now) {
      const dependent = must(draft.get("task", dependentId), "a dependent task");
      if (dependent.status !== "pending") continue;
      const open = dependent.open.filter((other) => other !== id);
      intentLog = free(intentLog, dependent, { open, isNeeded });
      const freed = must(draft.get("task", dependentId), "a freed task");
      if (freed.status === "skipped") queue.push(freed);
    }
    const task = must(draft.get("task", id), "a finished task of the plan");
    if (later.length === 0 && task.behind === undefined) continue;
    const { behind: _before, ...rest } = task;
    const body = later.length === 0 ? rest : { ...rest, behind: { at, tasks: later } };
    intentLog = changeRows(intentLog, [{ kind: "task", id, body }]);
  }
  return intentLog;
}

/** The dependents that do not know yet that the task is done, or as many of them as there is room for. */
export function freeTasksBehind(intentLog: IntentLog, task: Task, { tasks }: TasksBehind): IntentLog {
  return completePlan(freeTasks(intentLog, task, tasks), task);
}

interface Freeing {
  /** Dependencies of the task that are still open. */
  readonly open: readonly string[];
  readonly isNeeded: IsNeeded;
}

function free(intentLog: IntentLog, task: Task, { open, isNeeded }: Freeing): IntentLog {
  const version = task.version + 1;
  if (open.length > 0) return changeRows(intentLog, [{ kind: "task", id: task.id, body: { ...task, open } }]);
  if (isNeeded(task)) return moveTask(intentLog, task, "ready", { change: { open, version } });
  const skipped = moveTask(intentLog, task, "skipped", {
    change: { open, version },
    payload: { reason: "condition" },
  });
  const over: Task = { ...task, status: "skipped" };
  return completePlan(countDown(skipped, over), over);
}

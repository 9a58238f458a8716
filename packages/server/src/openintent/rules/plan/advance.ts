/** What follows when a task is over: others become ready or are not needed, a checkpoint is reached, the plan is complete. */

import type { Context } from "../../../kernel/context.ts";
import { must } from "../../../kernel/must.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { MadeHold } from "../intent/commands.ts";
import { SUSPENDED } from "../intent/intent.ts";
import type { Story } from "../intent/intent-log.ts";
import type { World } from "../world.ts";
import { reachCheckpoints } from "./checkpoint.ts";
import { holds, readCondition } from "./conditions.ts";
import { completePlan, countDown } from "./count.ts";
import { moveTask, noteRows, planOf, tellTask } from "./plan-log.ts";
import { INTENT_SUSPENDED, isDone, isTaskOver, type Task } from "./task.ts";

export interface Hand {
  readonly by: Principal;
  /** For a hold that may have to be placed; absent: none can be. */
  readonly made?: MadeHold;
  readonly context: Context;
}

/** The task as it now stands in the story's world. */
export function afterTask(story: Story, taskId: string, hand: Hand): Story {
  const task = must(story.draft.get("task", taskId), "the task");
  const handed = handBack(story, task);
  const freed = isDone(task) ? freeTasks(handed, [task.id]) : handed;
  const counted = countDown(freed, task);
  const reached = task.status === "completed" ? reachCheckpoints(counted, task, hand) : counted;
  return completePlan(reached, task);
}

/** Whoever delegated it goes on with what came of it. */
function handBack(story: Story, { parentTaskId, id, status, output }: Task): Story {
  const parent = parentTaskId === null ? undefined : story.draft.get("task", parentTaskId);
  const isOver = isTaskOver({ status }) || status === "failed";
  if (!isOver || parent?.blockedReason !== "delegation" || parent.metadata["delegated_to"] !== id)
    return story;
  const metadata = { ...parent.metadata, delegation_output: output };
  const isWaitingToo = story.draft.get("intent", parent.executes)?.status === SUSPENDED;
  if (isWaitingToo) {
    const mirrored = {
      ...parent,
      metadata,
      blockedReason: INTENT_SUSPENDED,
      suspendedIntentId: parent.executes,
    };
    return tellTask(story, parent, mirrored, "task.blocked", { reason: INTENT_SUSPENDED });
  }
  const resolution = status === "completed" ? "delegation_completed" : "delegation_failed";
  return moveTask(story, parent, "running", {
    change: { metadata, version: parent.version + 1 },
    payload: { resolution, sub_task_id: id },
  });
}

/** One after another, because what is skipped frees others in turn. */
function freeTasks(start: Story, done: readonly string[]): Story {
  let story = start;
  const queue = [...done];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const dependentId of must(story.draft.get("task", id), "the task").dependents) {
      const dependent = must(story.draft.get("task", dependentId), "a dependent");
      if (dependent.status !== "pending") continue;
      const open = dependent.open.filter((other) => other !== id);
      story = free(story, dependent, open);
      if (story.draft.get("task", dependentId)?.status === "skipped") queue.push(dependentId);
    }
  }
  return story;
}

function free(story: Story, task: Task, open: readonly string[]): Story {
  const version = task.version + 1;
  if (open.length > 0) return noteRows(story, [{ kind: "task", id: task.id, body: { ...task, open } }]);
  if (isNeeded(task, story.draft)) return moveTask(story, task, "ready", { change: { open, version } });
  const skipped = moveTask(story, task, "skipped", {
    change: { open, version },
    payload: { reason: "condition" },
  });
  return countDown(skipped, { ...task, status: "skipped" });
}

/** Conditions name tasks by id or, where a plan was written by hand, by name. */
function isNeeded(task: Task, world: World): boolean {
  const plan = planOf(world, task);
  if (plan === undefined) return true;
  const conditions = plan.conditions.filter(({ taskId }) => taskId === task.id || taskId === task.name);
  return conditions.every(({ when }) => {
    const read = must(readCondition(when), "a condition that can be read");
    const tasks = plan.tasks.map((id) => must(world.get("task", id), "a task of the plan"));
    const found = tasks.find((other) => other.id === read.task || other.name === read.task);
    return holds(read, found?.output ?? null);
  });
}

/**
 * Tasks mirror the intent they execute: they are blocked while it waits for a person, run again when it goes on and end when
 * it is given up. The other way round nothing is mirrored: blocking a task by hand suspends nobody.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Intent } from "../intent/intent.ts";
import { begin, type Story } from "../intent/story.ts";
import { must } from "../must.ts";
import { SYSTEM } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { completePlan, countDown } from "./count.ts";
import { among, moveTask } from "./story.ts";
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
function mirror(story: Story, stepOf: (task: Task) => Step | undefined): Story {
  const { id, tasks = [] } = story.intent;
  return tasks.reduce((so, taskId) => {
    const task = must(so.world.get("task", taskId), "a live task");
    const step = stepOf(task);
    if (step === undefined) return so;
    const { to, payload = {} } = step;
    const more = { change: { ...step.change, version: task.version + 1 }, payload };
    const over = { ...task, status: to };
    // What is given up does not complete its own plan; it may be the last thing that another's waited for.
    if (task.intentId === id) return countDown(moveTask(so, task, to, more), over);
    const other = must(so.world.get("intent", task.intentId), "the intent of a task");
    const moved = moveTask(begin(other, so.world, so.at, SYSTEM), task, to, more);
    const told = isTaskOver(over) ? completePlan(countDown(moved, over), over) : moved;
    const listed = among(so, told.facts);
    // Its list of live tasks may have changed with the other's story.
    const { tasks: now = [] } = must(listed.world.get("intent", id), "the intent");
    return { ...listed, intent: { ...listed.intent, tasks: now } };
  }, story);
}

export function blockTasks(story: Story): Story {
  const { id } = story.intent;
  return mirror(story, ({ status }) =>
    status === "running" || status === "claimed"
      ? {
          to: "blocked",
          change: { blockedReason: INTENT_SUSPENDED, suspendedIntentId: id },
          payload: { reason: INTENT_SUSPENDED, blocked_by: id, suspended_intent_id: id },
        }
      : undefined,
  );
}

export function unblockTasks(story: Story, resolution: string): Story {
  const { id } = story.intent;
  return mirror(story, (task) =>
    isMirrored(task, id) ? { to: "running", payload: { resolution } } : undefined,
  );
}

export function endTasks(story: Story, reason: string): Story {
  return mirror(story, () => ({ to: "cancelled", payload: { reason } }));
}

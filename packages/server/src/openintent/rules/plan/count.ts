/** How many tasks of a plan are open, and that none means that it is complete. */

import type { Story } from "../intent/intent-log.ts";
import { isPlanOver, isWaiting } from "./plan.ts";
import { noteRows, planOf, tellPlan } from "./plan-log.ts";
import { isTaskOver, type Task } from "./task.ts";

/** `task`: as it is by now. */
export function countDown(story: Story, task: Task): Story {
  const plan = planOf(story.draft, task);
  if (plan === undefined || !isTaskOver(task)) return story;
  const counted = { ...plan, open: Math.max(plan.open - 1, 0) };
  return noteRows(story, [{ kind: "plan", id: plan.id, body: counted }]);
}

export function completePlan(story: Story, task: Task): Story {
  const plan = planOf(story.draft, task);
  if (plan === undefined || isPlanOver(plan) || plan.state === "draft") return story;
  return plan.open > 0 || isWaiting(plan)
    ? story
    : tellPlan(story, { ...plan, state: "completed" }, "plan.completed");
}

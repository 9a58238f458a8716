/**
 * Whether the conditions of a plan let a task run. Completing one task may free hundreds, which name hundreds of conditions, so
 * each condition is parsed and evaluated once: the outputs that they read do not change while tasks are freed (G13).
 */

import { must } from "../../../kernel/must.ts";
import type { World } from "../world.ts";
import { holds, readCondition } from "./conditions.ts";
import type { Condition, Plan } from "./plan.ts";
import { planOf } from "./plan-log.ts";
import type { Task } from "./task.ts";

export type IsNeeded = (task: Task) => boolean;

/** Valid until a task of these plans changes its output. */
export function neededIn(world: World): IsNeeded {
  const plans = new Map<string, IsNeeded>();
  return (task) => {
    const plan = planOf(world, task);
    if (plan === undefined || plan.conditions.length === 0) return true;
    const isNeeded = plans.get(plan.id) ?? neededInPlan(plan, world);
    plans.set(plan.id, isNeeded);
    return isNeeded(task);
  };
}

function neededInPlan({ conditions, tasks }: Plan, world: World): IsNeeded {
  const sources = byIdAndName(tasks, world);
  const about = Map.groupBy(conditions, ({ taskId }) => taskId);
  const met = new Map<string, boolean>();
  const isMet = ({ when }: Condition) => {
    const read = must(readCondition(when), "the parsed form of a plan's condition");
    return holds(read, sources.get(read.task)?.output ?? null);
  };
  const areMet = (target: string) => {
    const known = met.get(target) ?? (about.get(target) ?? []).every(isMet);
    met.set(target, known);
    return known;
  };
  return ({ id, name }) => areMet(id) && areMet(name);
}

/** Conditions name tasks by id or by name; of several tasks with one name the plan's first one counts. */
function byIdAndName(ids: readonly string[], world: World): ReadonlyMap<string, Task> {
  const found = new Map<string, Task>();
  for (const id of ids) {
    const task = must(world.get("task", id), "a task of the plan");
    for (const known of [id, task.name]) if (!found.has(known)) found.set(known, task);
  }
  return found;
}

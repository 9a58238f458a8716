/** Tasks and plans in their intent's story: each entry is told with the rows that change, and the next one sees them. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { must } from "../../../kernel/must.ts";
import type { Intent } from "../intent/intent.ts";
import { note, type Story, tell } from "../intent/intent-log.ts";
import type { Change, World } from "../world.ts";
import type { Plan } from "./plan.ts";
import { clocked, isLive, type Task, type TaskStatus, taskEvent } from "./task.ts";

/** Rows that change with nothing to read about. */
export function noteRows(story: Story, rows: readonly Change[]): Story {
  return note(story, {}, rows);
}

export interface TaskMove {
  readonly change?: Partial<Task>;
  readonly payload?: JsonObject;
}

/** One step of one task. Whoever executes it knows it for as long as somebody has it in hand. */
export function moveTask(story: Story, task: Task, to: TaskStatus, more: TaskMove = {}): Story {
  const { status: from } = task;
  const free = to === "blocked" ? {} : { blockedReason: null, suspendedIntentId: null };
  const moved = clocked(
    { ...task, ...free, ...stamps(to, story.at), ...more.change, status: to },
    from,
    story.at,
  );
  return tellTask(story, task, moved, taskEvent(from, to), more.payload);
}

function stamps(to: TaskStatus, at: number): Partial<Task> {
  if (to === "running") return { startedAt: at };
  return to === "completed" || to === "failed" || to === "cancelled" ? { completedAt: at } : {};
}

export function tellTask(
  story: Story,
  before: Task | undefined,
  task: Task,
  type: string,
  payload: JsonObject = {},
): Story {
  const listed = listing(story, before, task);
  return tell(story, {
    type,
    payload: { task_id: task.id, name: task.name, status: task.status, ...payload },
    also: [{ kind: "task", id: task.id, body: task }, ...listed.also],
    ...(listed.change === undefined ? {} : { change: listed.change }),
  });
}

/** The list of live tasks on the intent they execute, where it changes. */
function listing(
  { intent, draft }: Story,
  before: Task | undefined,
  task: Task,
): { readonly change?: Partial<Intent>; readonly also: readonly Change[] } {
  const wasLive = before !== undefined && isLive(before);
  if (wasLive === isLive(task)) return { also: [] };
  const executed =
    task.executes === intent.id ? intent : must(draft.get("intent", task.executes), "the executed intent");
  const others = (executed.tasks ?? []).filter((id) => id !== task.id);
  const tasks = isLive(task) ? [...others, task.id] : others;
  if (executed === intent) return { change: { tasks }, also: [] };
  return { also: [{ kind: "intent", id: executed.id, body: { ...executed, tasks } }] };
}

export function tellPlan(story: Story, plan: Plan, type: string, payload: JsonObject = {}): Story {
  const body = { ...plan, updatedAt: story.at };
  return tell(story, {
    type,
    payload: { plan_id: plan.id, state: plan.state, ...payload },
    also: [{ kind: "plan", id: plan.id, body }],
  });
}

export function planOf(world: World, task: Task): Plan | undefined {
  return task.planId === undefined ? undefined : world.get("plan", task.planId);
}

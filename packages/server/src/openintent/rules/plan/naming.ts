/**
 * Names the agent of a task. A task gives its agent access to the intents that it belongs to (see `who.ts`), and that access stays
 * while the task names the agent. So only a caller that may share those intents names agents. An agent may still take a task itself:
 * then it works with the access that it has, and the task gives it none.
 */

import { must } from "../../../kernel/must.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { Intent } from "../intent/intent.ts";
import { actorOf, whyNotName } from "../intent/who.ts";
import type { World } from "../world.ts";
import type { Task } from "./task.ts";

export interface NamingContext {
  readonly world: World;
  readonly by: Principal;
  readonly now: number;
}

type Named = Pick<Task, "id" | "assignedAgent" | "intentId" | "executes">;

/** The intent's row lists the agents by their tasks, also of tasks that are over (G13). */
const NAMED_MAX = 1_000;

export function whyNotNamed(
  { id: taskId, assignedAgent: agent, intentId, executes }: Named,
  { world, by, now }: NamingContext,
): Failure | null {
  if (agent === null) return null;
  for (const id of new Set([intentId, executes])) {
    const intent = must(world.get("intent", id), `intent ${id} of a task`);
    const listed = (id === executes ? intent.workers : intent.helpers) ?? {};
    const denied = whyNotName(intent, agent, by, now) ?? whyCrowded(listed, taskId);
    if (denied !== null) return denied;
  }
  return null;
}

function whyCrowded(listed: Readonly<Record<string, string>>, taskId: string): Failure | null {
  return Object.hasOwn(listed, taskId) ? null : whyNoRoom(listed, 1);
}

function whyNoRoom(listed: Readonly<Record<string, string>> = {}, more: number): Failure | null {
  if (more === 0 || Object.keys(listed).length + more <= NAMED_MAX) return null;
  const message = `at most ${NAMED_MAX} tasks of one intent can name an agent. Set assigned_agent to null on tasks that are over.`;
  return failure("too_many", message);
}

/** Why the intent that plans them must not get all these tasks together; each alone was looked at by `whyNotNamed`. */
export function whyNotAllNamed(
  tasks: readonly Pick<Named, "assignedAgent" | "executes">[],
  { id, workers, helpers }: Intent,
): Failure | null {
  const named = tasks.filter(({ assignedAgent }) => assignedAgent !== null);
  const own = named.filter(({ executes }) => executes === id).length;
  return whyNoRoom(workers, own) ?? whyNoRoom(helpers, named.length - own);
}

/** Claiming a task lists its agent on the intent that it executes, also if the name was given when the task was planned. */
function whyNotStart({ id, executes, access }: Task, world: World): Failure | null {
  const executed = must(world.get("intent", executes), `intent ${executes} of a task`);
  return access === "own" ? null : whyCrowded(executed.workers ?? {}, id);
}

interface Naming {
  readonly before: Task;
  /** The caller names an agent, or nobody; the name may be the same as before. */
  readonly isNamed: boolean;
  /** The command claims the task. */
  readonly isClaim: boolean;
}

/** The changed task, with the access that it gives to its agent. */
export function withAgent(
  task: Task,
  { before, isNamed, isClaim }: Naming,
  context: NamingContext,
): Task | Failure {
  const isSame = task.assignedAgent === before.assignedAgent;
  if (isSame && !isNamed) return (isClaim ? whyNotStart(task, context.world) : null) ?? task;
  const denied = whyNotNamed(task, context);
  if (denied === null) return task.access === undefined ? task : { ...task, access: "given" };
  if (isSame) return task;
  return isClaim && task.assignedAgent === actorOf(context.by) ? { ...task, access: "own" } : denied;
}

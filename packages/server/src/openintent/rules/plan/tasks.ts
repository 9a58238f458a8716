/** Commands on one task. */

import { isObject, type Json, type JsonObject, sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { must } from "../../../kernel/must.ts";
import { type Failure, failure } from "../failure.ts";
import { type Intent, isEnded, SUSPENDED } from "../intent/intent.ts";
import { begin, type IntentLog } from "../intent/intent-log.ts";
import { whyTooManyEvents } from "../intent/listeners.ts";
import { actorOf, whyNot } from "../intent/who.ts";
import { whyNoInputs } from "../workflow/inputs.ts";
import { whyNoOutputs } from "../workflow/outputs.ts";
import type { Draft, World } from "../world.ts";
import { afterTask, type CommandContext, freedBy, freeTasksBehind } from "./advance.ts";
import type { ChangeTask, CreateTask, ProgressTask, TickTask } from "./commands.ts";
import { failTask } from "./failure.ts";
import { withAgent } from "./naming.ts";
import { newTask, whyNoTasks } from "./new-task.ts";
import { whyFull } from "./plan.ts";
import { changeRows, changeTaskRow, logTask, moveTask, planOf } from "./plan-log.ts";
import { isDone, isMirrored, isTaskOver, type Task, type TaskStatus, taskWay } from "./task.ts";

/** The tasks that are under way move with the intent that they execute, in one commit (G13). */
const LIVE_MAX = 500;

export function createTask(command: CreateTask, draft: Draft, { now }: Context): Reply {
  const { by, planId } = command;
  const intent = draft.get("intent", command.intentId);
  if (intent === undefined) return refuse(failure("not_found", "There is no intent with this id."));
  const denied =
    whyNot(intent, by, "write", now) ?? whyNoTasks([command.task], intent, { world: draft, by, now });
  if (denied !== null) return refuse(denied);
  const plan = planId === undefined ? undefined : draft.get("plan", planId);
  if (planId !== undefined && plan?.intentId !== intent.id) {
    return refuse(failure("unknown_dependency", "the plan does not exist, or belongs to another intent"));
  }
  const full = plan === undefined ? null : whyFull(plan.tasks.length + 1);
  if (full !== null) return refuse(full);
  const intentLog = newTask(begin(intent, draft, now, by), command.task, planId);
  if (plan !== undefined) {
    const body = { ...plan, tasks: [...plan.tasks, command.task.id], open: plan.open + 1 };
    changeRows(intentLog, [{ kind: "plan", id: plan.id, body }]);
  }
  return accept(command.task.id);
}

interface Known {
  readonly task: Task;
  readonly intent: Intent;
}

/** A task has the same access rules as the intent that planned it. */
export function knownTask(
  command: { readonly taskId: string; readonly by: ChangeTask["by"] },
  world: World,
  now: number,
): Known | Failure {
  const task = world.get("task", command.taskId);
  const intent = task === undefined ? undefined : world.get("intent", task.intentId);
  if (task === undefined || intent === undefined)
    return failure("not_found", "There is no task with this id.");
  return whyNot(intent, command.by, "write", now) ?? { task, intent };
}

export function changeTask(command: ChangeTask, draft: Draft, context: Context): Reply {
  const known = knownTask(command, draft, context.now);
  if ("code" in known) return refuse(known);
  const { task, intent } = known;
  const { to, patch, by, ifVersion } = command;
  if (ifVersion !== undefined && ifVersion !== task.version) {
    const detail = { current_version: task.version };
    return refuse(failure("version_conflict", "the task has changed since you read it", { detail }));
  }
  const start = begin(intent, draft, context.now, by);
  const patched: Task = { ...task, ...patchOf(task, patch), version: task.version + 1 };
  if (ifVersion === undefined && to === task.status) return again(task, to, patch);
  const naming = { before: task, isNamed: patch.assignedAgent !== undefined };
  const names = { world: draft, by, now: context.now };
  if (to === undefined || to === task.status) {
    const named = withAgent(patched, { ...naming, isClaim: false }, names);
    if ("code" in named) return refuse(named);
    changeTaskRow(start, task, named);
    return accept(task.id);
  }
  const way = taskWay(task, to, command.started === true ? { started: true } : {});
  if (way === null) return refuse(whyNoWay(task, to));
  const wrong = whyNotNow(task, way, draft) ?? whyNotDone(patched, to, draft);
  if (wrong !== null) return refuse(wrong);
  const tooMany = isDone({ status: to })
    ? whyTooManyEvents(way.length + freedBy(task, draft), start, "Cancel tasks that depend on this one first")
    : null;
  if (tooMany !== null) return refuse(tooMany);
  const isClaim = way.includes("claimed");
  // The caller that starts the task becomes its agent, unless the patch names another.
  const assignedAgent = patched.assignedAgent ?? task.assignedAgent ?? actorOf(by);
  const started = isClaim ? { ...patched, assignedAgent } : patched;
  const named = withAgent(started, { ...naming, isClaim }, names);
  if ("code" in named) return refuse(named);
  const commandContext: CommandContext = { by, made: command.made, context };
  const moved = walk(start, task.id, way, named);
  to === "failed" ? failTask(moved, task.id, commandContext) : afterTask(moved, task.id, commandContext);
  return accept(task.id);
}

/** Callers cannot change the blocked reason while the executed intent is suspended. */
function patchOf(task: Task, { blockedReason, ...patch }: ChangeTask["patch"]): ChangeTask["patch"] {
  const isMirror = isMirrored(task, task.executes) || blockedReason === undefined;
  return isMirror ? patch : { ...patch, blockedReason };
}

/**
 * A repeated call, for example after a lost reply. It is accepted if it says what the first call repeated. A different claim or
 * result is refused, because the first one counts.
 */
function again(task: Task, to: TaskStatus, patch: ChangeTask["patch"]): Reply {
  const repeated = patch as JsonObject;
  const known = task as JsonObject;
  const isSame = Object.entries(repeated).every(([name, value]) => sameJson(known[name] as Json, value));
  return isSame ? accept(task.id) : refuse(whyNoWay(task, to));
}

function whyNoWay({ status: from, open }: Task, to: TaskStatus): Failure {
  const waits = open.length === 0 ? "" : "; its dependencies are not complete";
  const detail = { from, to };
  return failure("invalid_transition", `a task with status ${from} cannot change to ${to}${waits}`, {
    detail,
  });
}

/** A task cannot start while its intent is suspended or ended, or while its plan is not active. */
function whyNotNow(task: Task, way: readonly TaskStatus[], world: World): Failure | null {
  const begins = way.includes("claimed") || way.includes("running");
  if (!begins) return null;
  const executed = world.get("intent", task.executes);
  const detail = { from: task.status, to: way.at(-1) as TaskStatus };
  if (executed?.status === SUSPENDED) {
    return failure(
      "suspension_pending",
      "the intent that this task executes is suspended until its hold is answered",
      {
        detail,
      },
    );
  }
  if (executed !== undefined && isEnded(executed)) {
    return failure("invalid_transition", "the intent that this task executes has ended", { detail });
  }
  if (way.includes("claimed") && (executed?.tasks?.length ?? 0) >= LIVE_MAX) {
    const message = `at most ${LIVE_MAX} tasks of one intent can be claimed, running or blocked at a time. Finish or cancel one first.`;
    return failure("too_many", message);
  }
  const plan = planOf(world, task);
  if (plan !== undefined && plan.state !== "active" && task.status !== "blocked") {
    return failure("invalid_transition", `the task cannot start because its plan is ${plan.state}`, {
      detail,
    });
  }
  return executed !== undefined && way.includes("claimed") ? whyNoInputs(executed, task.id, world) : null;
}

/** A completed task must have the outputs that its phase declared, unless the phase's state already has them. */
function whyNotDone({ id, executes, output }: Task, to: TaskStatus, world: World): Failure | null {
  const executed = world.get("intent", executes);
  if (to !== "completed" || executed === undefined) return null;
  return whyNoOutputs(executed, id, { ...executed.state, ...(isObject(output) ? output : {}) });
}

/** Logs every status on the way. The caller's patch applies to the last one. */
function walk(start: IntentLog, taskId: string, way: readonly TaskStatus[], patched: Task): IntentLog {
  const { status: _from, ...change } = patched;
  return way.reduce((intentLog, to, index) => {
    const task = must(intentLog.draft.get("task", taskId), "the task being moved");
    const isLast = index === way.length - 1;
    const payload = payloadOf(to, patched);
    return moveTask(intentLog, task, to, isLast ? { change: changeFor(to, change), payload } : { payload });
  }, start);
}

function changeFor(to: TaskStatus, change: Omit<Task, "status">): Partial<Task> {
  const {
    blockedReason,
    suspendedIntentId: _mirror,
    dueAt: _due,
    startedAt: _s,
    completedAt: _c,
    ...rest
  } = change;
  return to === "blocked" ? { ...rest, blockedReason: blockedReason ?? "blocked" } : rest;
}

function payloadOf(to: TaskStatus, { assignedAgent, blockedReason, error }: Task) {
  switch (to) {
    case "claimed":
      return { agent_id: assignedAgent };
    case "blocked":
      return { reason: blockedReason ?? "blocked" };
    case "failed":
      return { error };
    default:
      return {};
  }
}

export function progressTask(command: ProgressTask, draft: Draft, { now }: Context): Reply {
  const known = knownTask(command, draft, now);
  if ("code" in known) return refuse(known);
  const { task, intent } = known;
  if (task.status !== "running" && task.status !== "claimed") return refuse(whyNoWay(task, "running"));
  const start = begin(intent, draft, now, command.by);
  const begun = task.status === "claimed" ? moveTask(start, task, "running") : start;
  const running = must(begun.draft.get("task", task.id), "the running task");
  const { percent, message } = command;
  logTask(begun, running, { ...running, percent, version: task.version + 1 }, "task.progress", {
    percentage: percent,
    message,
  });
  return accept(task.id);
}

/** Dependents that were left behind follow. Or the task's timeout has passed: it fails like any other failed task. */
export function tickTask(command: TickTask, draft: Draft, context: Context): Reply {
  const task = draft.get("task", command.taskId);
  const intent = task === undefined ? undefined : draft.get("intent", task.intentId);
  if (task === undefined || intent === undefined)
    return refuse(failure("not_found", "There is no task with this id."));
  if (task.behind !== undefined) {
    freeTasksBehind(begin(intent, draft, context.now, command.by), task, task.behind);
    return accept(task.id);
  }
  if (isTaskOver(task) || task.dueAt === undefined || task.dueAt > context.now) return accept(task.id);
  const error = { code: "timeout", message: "the task did not finish within its timeout" };
  const moved = moveTask(begin(intent, draft, context.now, command.by), task, "failed", {
    change: { error, version: task.version + 1 },
    payload: { error },
  });
  failTask(moved, task.id, { by: command.by, made: [], context });
  return accept(task.id);
}

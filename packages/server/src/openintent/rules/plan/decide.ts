/** The table of commands on tasks and plans. */

import type { CommandSpec, CommandTable } from "../../../kernel/domain.ts";
import { settleNeeds } from "../../../kernel/hold/settle.ts";
import type { KernelFact } from "../../../kernel/kernel.ts";
import type { OpenIntentFact } from "../facts.ts";
import { portfolioReadNeeds } from "../graph/dependents.ts";
import { suspendNeeds } from "../graph/needs.ts";
import { needsInBatches } from "../graph/small-batches.ts";
import type { MadeHold } from "../intent/commands.ts";
import { suspensionLogId } from "../intent/intent.ts";
import { READ_WATCHERS } from "../intent/watchers.ts";
import { SETTINGS } from "../request/decide.ts";
import { INTENT_REQUEST } from "../request/request.ts";
import { inputNeeds } from "../workflow/inputs.ts";
import type { Need, OpenIntentBodies, World } from "../world.ts";
import { conditionNeeds, dependentNeeds } from "./advance.ts";
import { asksAfter } from "./checkpoint.ts";
import type {
  ChangePlan,
  CreatePlan,
  CreateTask,
  OnTask,
  PlanCommand,
  ResolveCheckpoint,
  TaskIn,
  TickPlan,
} from "./commands.ts";
import { delegateTask, escalateTask } from "./handing-over.ts";
import { executesOf } from "./new-task.ts";
import { checkpointPlaceId } from "./plan.ts";
import { planOf } from "./plan-log.ts";
import { changePlan, createPlan, resolveCheckpoint, taskOfPlanNeeds, tickPlan } from "./plans.ts";
import type { Task } from "./task.ts";
import { changeTask, createTask, progressTask, tickTask } from "./tasks.ts";
import { withdrawNeeds } from "./withdraw.ts";

function intentNeed(id: string, world: World): readonly Need[] {
  const intent = world.get("intent", id);
  return [
    { kind: "intent", id },
    ...READ_WATCHERS,
    ...(intent === undefined ? [] : portfolioReadNeeds(intent)),
  ];
}

function newTaskNeeds(task: TaskIn, intentId: string): readonly Need[] {
  const related = [task.id, ...task.dependsOn, ...(task.parentTaskId === null ? [] : [task.parentTaskId])];
  const executed = executesOf(task, intentId);
  return [
    ...related.map((id) => ({ kind: "task", id }) as const),
    ...(executed === intentId ? [] : [{ kind: "intent", id: executed, read: true } as const]),
  ];
}

/** The task, everything its change can affect, and the intent it executes. */
function taskNeeds(taskId: string, made: readonly MadeHold[], world: World): readonly Need[] {
  const self: Need = { kind: "task", id: taskId };
  const task = world.get("task", taskId);
  if (task === undefined) return [self];
  const { intentId, executes, dependents, behind, parentTaskId, planId } = task;
  const plan = planOf(world, task);
  const intent = world.get("intent", intentId);
  const needs: Need[] = [
    self,
    ...intentNeed(intentId, world),
    { kind: "intent", id: executes },
    ...executedNeeds(executes, world),
    ...freeingNeeds(behind?.tasks ?? dependents, task, world),
    ...(parentTaskId === null ? [] : parentNeeds(parentTaskId, world)),
    ...(planId === undefined ? [] : [{ kind: "plan", id: planId } as const]),
  ];
  if (plan !== undefined && plan.conditions.length > 0) {
    // A skipped task can make further tasks ready, so their dependents are needed too.
    const more = plan.tasks.flatMap((id) => world.get("task", id)?.dependents ?? []);
    needs.push(...tasksNeeds([...plan.tasks, ...more]));
  }
  const asking = made.slice(0, asksAfter(plan, task)).map(({ holdId }) => holdId);
  if (intent === undefined || asking.length === 0) return needs;
  const rows = asking.flatMap(
    (holdId) =>
      [
        { kind: "suspension_log", id: suspensionLogId(intentId, `checkpoint-${holdId}`) },
        { kind: INTENT_REQUEST, id: `${INTENT_REQUEST}_${holdId}` },
      ] as const,
  );
  return [...needs, ...suspendNeeds(intent, world), SETTINGS, ...rows];
}

/** Of so many other plans the conditions are evaluated in one commit, because each may have hundreds of tasks (G13). */
const OTHER_PLANS_MAX = 4;

/** The dependents, and once for each of their other plans what its conditions need. */
function freeingNeeds(ids: readonly string[], { planId }: Task, world: World): readonly Need[] {
  const known = new Set([planId]);
  return needsInBatches(ids, function* (id) {
    yield* dependentNeeds(id, world);
    const dependent = world.get("task", id);
    if (dependent === undefined || known.has(dependent.planId) || known.size > OTHER_PLANS_MAX) return;
    known.add(dependent.planId);
    yield* conditionNeeds(planOf(world, dependent));
  });
}

/** The intents that the executed intent takes its inputs from. */
function executedNeeds(id: string, world: World): readonly Need[] {
  const executed = world.get("intent", id);
  return executed === undefined ? [] : inputNeeds(executed, world);
}

function tasksNeeds(ids: readonly string[]): readonly Need[] {
  return ids.map((id) => ({ kind: "task", id }));
}

function parentNeeds(id: string, world: World): readonly Need[] {
  const executed = world.get("task", id)?.executes;
  const self: Need = { kind: "task", id };
  return executed === undefined ? [self] : [self, { kind: "intent", id: executed, read: true }];
}

function createPlanNeeds({ intentId, plan }: CreatePlan, world: World): readonly Need[] {
  return [
    ...intentNeed(intentId, world),
    { kind: "plan", id: plan.id },
    ...plan.tasks.map((id) => ({ kind: "task", id }) as const),
    ...plan.newTasks.flatMap((task) => newTaskNeeds(task, intentId)),
    ...placeNeeds(plan.id, plan.checkpoints),
  ];
}

function placeNeeds(planId: string, checkpoints: readonly { readonly id: string }[]): readonly Need[] {
  return checkpoints.map(({ id }) => ({ kind: "plan_checkpoint", id: checkpointPlaceId(planId, id) }));
}

function changePlanNeeds({ planId, patch, state }: ChangePlan, world: World): readonly Need[] {
  const plan = world.get("plan", planId);
  const self: Need = { kind: "plan", id: planId };
  if (plan === undefined) return [self];
  const cancelled = state === "cancelled" ? plan.tasks : [];
  return [
    self,
    ...intentNeed(plan.intentId, world),
    ...(patch.tasks ?? []).flatMap((id) => [...taskOfPlanNeeds(id, world)]),
    ...needsInBatches(cancelled, (id) => taskOfPlanNeeds(id, world)),
    ...placeNeeds(planId, patch.checkpoints ?? []),
    ...withdrawNeeds(world.get("intent", plan.intentId), planId, world),
  ];
}

/** The plan's tasks that are still to be cancelled. */
function tickPlanNeeds({ planId }: TickPlan, world: World): readonly Need[] {
  const self: Need = { kind: "plan", id: planId };
  const plan = world.get("plan", planId);
  if (plan === undefined) return [self];
  const behind = needsInBatches(plan.behind?.tasks ?? [], (id) => taskOfPlanNeeds(id, world));
  return [self, ...intentNeed(plan.intentId, world), ...behind];
}

function checkpointNeeds({ planId, checkpointId }: ResolveCheckpoint, world: World): readonly Need[] {
  const needs: Need[] = [{ kind: "plan", id: planId }];
  const plan = world.get("plan", planId);
  if (plan === undefined) return needs;
  needs.push(
    ...intentNeed(plan.intentId, world),
    ...withdrawNeeds(world.get("intent", plan.intentId), planId, world),
  );
  const holdId = plan.checkpoints.find(({ id }) => id === checkpointId)?.holdId;
  if (holdId === undefined) return needs;
  const hold = world.get("hold", holdId);
  return [...needs, { kind: "hold", id: holdId }, ...(hold === undefined ? [] : settleNeeds(hold, world))];
}

function createTaskNeeds({ intentId, task, planId }: CreateTask, world: World): readonly Need[] {
  return [
    ...intentNeed(intentId, world),
    ...newTaskNeeds(task, intentId),
    ...(planId === undefined ? [] : [{ kind: "plan", id: planId }]),
  ];
}

type Spec<C> = CommandSpec<C, OpenIntentBodies, KernelFact | OpenIntentFact, "task">;

/** A command on one task. `made` has the ids for the holds that checkpoints may place. */
function onTask<C extends OnTask & { readonly made?: readonly MadeHold[] }>(
  decide: Spec<C>["decide"],
  moreNeeds: (command: C) => readonly Need[] = () => [],
): Spec<C> {
  return {
    about: "task",
    needs: (command, world) => [
      ...taskNeeds(command.taskId, command.made ?? [], world),
      ...moreNeeds(command),
    ],
    decide,
  };
}

export const PLAN_COMMANDS = {
  create_task: { about: "task", needs: createTaskNeeds, decide: createTask },
  change_task: onTask(changeTask),
  progress_task: onTask(progressTask),
  delegate_task: onTask(delegateTask, ({ subTask }) => [{ kind: "task", id: subTask.id }]),
  escalate_task: onTask(escalateTask),
  tick_task: onTask(tickTask),
  create_plan: { about: "plan", needs: createPlanNeeds, decide: createPlan },
  change_plan: { about: "plan", needs: changePlanNeeds, decide: changePlan },
  tick_plan: { about: "plan", needs: tickPlanNeeds, decide: tickPlan },
  resolve_checkpoint: { about: "plan", needs: checkpointNeeds, decide: resolveCheckpoint },
} satisfies CommandTable<PlanCommand, OpenIntentBodies, KernelFact | OpenIntentFact>;

/** Commands about tasks and plans: what each needs to see, and who decides it. */

import type { Context } from "../context.ts";
import type { Decision } from "../decision.ts";
import { hearersNeeds } from "../graph/dependents.ts";
import { suspendNeeds } from "../graph/needs.ts";
import { settleNeeds } from "../hold/settle.ts";
import { suspensionLogId } from "../intent/intent.ts";
import { inputNeeds } from "../workflow/inputs.ts";
import type { Need, World } from "../world.ts";
import { asksAfter, planAt } from "./checkpoint.ts";
import type { ChangePlan, CreatePlan, PlanCommand, ResolveCheckpoint, TaskIn } from "./commands.ts";
import { delegateTask, escalateTask } from "./handing-over.ts";
import { executesOf } from "./new-task.ts";
import { changePlan, createPlan, resolveCheckpoint } from "./plans.ts";
import { planOf } from "./story.ts";
import { changeTask, createTask, progressTask, tickTask } from "./tasks.ts";
import { withdrawNeeds } from "./withdraw.ts";

export function planNeeds(command: PlanCommand, world: World): readonly Need[] {
  switch (command.kind) {
    case "create_task":
      return [
        ...intentNeed(command.intentId, world),
        ...newTaskNeeds(command.task, command.intentId),
        ...(command.planId === undefined ? [] : [{ kind: "plan", id: command.planId } as const]),
      ];
    case "create_plan":
      return createPlanNeeds(command, world);
    case "change_plan":
      return changePlanNeeds(command, world);
    case "resolve_checkpoint":
      return checkpointNeeds(command, world);
    default: {
      const made = "made" in command ? command.made.holdId : undefined;
      const added =
        command.kind === "delegate_task" ? [{ kind: "task", id: command.subTask.id } as const] : [];
      return [...taskNeeds(command.taskId, made, world), ...added];
    }
  }
}

function intentNeed(id: string, world: World): readonly Need[] {
  const intent = world.get("intent", id);
  return [
    { kind: "intent", id },
    { kind: "workspace", id: "settings", read: true },
    ...(intent === undefined ? [] : hearersNeeds(intent)),
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

/** The task, all that may follow from it, and whoever has it in hand. */
function taskNeeds(taskId: string, holdId: string | undefined, world: World): readonly Need[] {
  const self: Need = { kind: "task", id: taskId };
  const task = world.get("task", taskId);
  if (task === undefined) return [self];
  const { intentId, executes, dependents, parentTaskId, planId } = task;
  const plan = planOf(world, task);
  const intent = world.get("intent", intentId);
  const needs: Need[] = [
    self,
    ...intentNeed(intentId, world),
    { kind: "intent", id: executes },
    ...executedNeeds(executes, world),
    ...tasksNeeds(dependents),
    ...(parentTaskId === null ? [] : parentNeeds(parentTaskId, world)),
    ...(planId === undefined ? [] : [{ kind: "plan", id: planId } as const]),
  ];
  if (plan !== undefined && plan.conditions.length > 0) {
    // What is skipped frees others in turn.
    const more = plan.tasks.flatMap((id) => world.get("task", id)?.dependents ?? []);
    needs.push(...tasksNeeds([...plan.tasks, ...more]));
  }
  if (intent === undefined || holdId === undefined || !asksAfter(plan, task)) return needs;
  const log = { kind: "suspension_log", id: suspensionLogId(intentId, `checkpoint-${holdId}`) } as const;
  return [...needs, ...suspendNeeds(intent, world), log];
}

/** Where what the task needs comes from. */
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
    ...plan.checkpoints.map(({ id }) => ({ kind: "plan_checkpoint", id }) as const),
  ];
}

function changePlanNeeds({ planId, patch, state }: ChangePlan, world: World): readonly Need[] {
  const plan = world.get("plan", planId);
  const self: Need = { kind: "plan", id: planId };
  if (plan === undefined) return [self];
  const touched = [...(patch.tasks ?? []), ...(state === "cancelled" ? plan.tasks : [])];
  const executed = touched.flatMap((id): readonly Need[] => {
    const task = world.get("task", id);
    return [
      { kind: "task", id },
      ...(task === undefined ? [] : [{ kind: "intent", id: task.executes } as const]),
    ];
  });
  return [
    self,
    ...intentNeed(plan.intentId, world),
    ...executed,
    ...(patch.checkpoints ?? []).map(({ id }) => ({ kind: "plan_checkpoint", id }) as const),
    ...withdrawNeeds(world.get("intent", plan.intentId), planId, world),
  ];
}

function checkpointNeeds({ checkpointId }: ResolveCheckpoint, world: World): readonly Need[] {
  const place: Need = { kind: "plan_checkpoint", id: checkpointId };
  const planId = world.get("plan_checkpoint", checkpointId)?.planId;
  if (planId === undefined) return [place];
  const needs: Need[] = [place, { kind: "plan", id: planId }];
  const plan = planAt(world, checkpointId);
  if (plan === undefined) return needs;
  needs.push(...intentNeed(plan.intentId, world));
  const holdId = plan.checkpoints.find(({ id }) => id === checkpointId)?.holdId;
  if (holdId === undefined) return needs;
  const hold = world.get("hold", holdId);
  return [...needs, { kind: "hold", id: holdId }, ...(hold === undefined ? [] : settleNeeds(hold, world))];
}

export function decidePlan(command: PlanCommand, world: World, context: Context): Decision {
  switch (command.kind) {
    case "create_task":
      return createTask(command, world, context);
    case "change_task":
      return changeTask(command, world, context);
    case "progress_task":
      return progressTask(command, world, context);
    case "delegate_task":
      return delegateTask(command, world, context);
    case "escalate_task":
      return escalateTask(command, world, context);
    case "tick_task":
      return tickTask(command, world, context);
    case "create_plan":
      return createPlan(command, world, context);
    case "change_plan":
      return changePlan(command, world, context);
    case "resolve_checkpoint":
      return resolveCheckpoint(command, world, context);
  }
}

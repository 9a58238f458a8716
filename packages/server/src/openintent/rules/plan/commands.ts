/** Commands on tasks and plans. The caller supplies ids and salts. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../../../kernel/principal.ts";
import type { MadeHold } from "../intent/commands.ts";
import type { Checkpoint, Condition, Plan, PlanState } from "./plan.ts";
import type { Task, TaskStatus } from "./task.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export type TaskIn = Pick<
  Task,
  | "id"
  | "name"
  | "description"
  | "priority"
  | "input"
  | "assignedAgent"
  | "capabilitiesRequired"
  | "dependsOn"
  | "parentTaskId"
  | "retryPolicy"
  | "timeoutMs"
  | "maxAttempts"
  | "permissions"
  | "memoryPolicy"
  | "requiresTools"
  | "metadata"
>;

export interface CreateTask extends By {
  readonly kind: "create_task";
  readonly intentId: string;
  readonly planId?: string;
  readonly task: TaskIn;
}

/** Fields that can change without a change of status. */
export type TaskPatch = Partial<
  Pick<
    Task,
    | "name"
    | "description"
    | "priority"
    | "input"
    | "output"
    | "artifacts"
    | "assignedAgent"
    | "leaseId"
    | "error"
    | "blockedReason"
    | "metadata"
  >
>;

export interface OnTask extends By {
  readonly taskId: string;
}

export interface ChangeTask extends OnTask {
  readonly kind: "change_task";
  readonly to?: TaskStatus;
  readonly patch: TaskPatch;
  readonly ifVersion?: number;
  /** Set by the protocol's complete and fail calls: a claimed task then passes through `running`. */
  readonly started?: true;
  /** For the holds of the checkpoints that the task reaches, one for each. */
  readonly made: readonly MadeHold[];
}

export interface ProgressTask extends OnTask {
  readonly kind: "progress_task";
  readonly percent: number;
  readonly message: string;
}

export interface DelegateTask extends OnTask {
  readonly kind: "delegate_task";
  readonly subTask: TaskIn;
}

export interface EscalateTask extends OnTask {
  readonly kind: "escalate_task";
  readonly reason: string;
  readonly context: JsonObject;
}

/** Issued by the server's timer, not by a caller. */
export interface TickTask extends OnTask {
  readonly kind: "tick_task";
}

export type CheckpointIn = Omit<Checkpoint, "status" | "holdId" | "approvedBy" | "approvedAt">;

export type PlanIn = Pick<Plan, "id" | "onFailure" | "onComplete" | "metadata"> & {
  /** Ids of existing tasks. */
  readonly tasks: readonly string[];
  /** Tasks created with the plan, ordered so that each depends only on earlier ones. */
  readonly newTasks: readonly TaskIn[];
  readonly checkpoints: readonly CheckpointIn[];
  readonly conditions: readonly Condition[];
};

export interface CreatePlan extends By {
  readonly kind: "create_plan";
  readonly intentId: string;
  readonly plan: PlanIn;
}

export interface OnPlan extends By {
  readonly planId: string;
}

export interface ChangePlan extends OnPlan {
  readonly kind: "change_plan";
  readonly state?: PlanState;
  readonly patch: Partial<Pick<Plan, "onFailure" | "onComplete" | "metadata" | "conditions">> & {
    readonly checkpoints?: readonly CheckpointIn[];
    readonly tasks?: readonly string[];
  };
  readonly ifVersion?: number;
  readonly reason?: string;
}

/** Issued by the server's timer, not by a caller. */
export interface TickPlan extends OnPlan {
  readonly kind: "tick_plan";
}

export interface ResolveCheckpoint extends By {
  readonly kind: "resolve_checkpoint";
  /** Checkpoint ids are unique within their plan only. */
  readonly planId: string;
  readonly checkpointId: string;
  readonly approve: boolean;
  readonly reason?: string;
}

export type TaskCommand = CreateTask | ChangeTask | ProgressTask | DelegateTask | EscalateTask | TickTask;

export type PlanCommand = TaskCommand | CreatePlan | ChangePlan | TickPlan | ResolveCheckpoint;

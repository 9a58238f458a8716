/** The plan: an intent's tasks, the conditions under which they are skipped, and the checkpoints where a person approves. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { type Failure, failure } from "../failure.ts";
import type { TasksBehind } from "./task.ts";

export const PLAN_STATES = ["draft", "active", "paused", "completed", "failed", "cancelled"] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export const ON_FAILURE = ["pause_and_escalate", "notify", "fail", "retry"] as const;
export const ON_TIMEOUT = ["escalate", "auto_approve", "fail"] as const;

export interface Checkpoint {
  readonly id: string;
  readonly name: string;
  /** The id of the task that reaches this checkpoint when it completes. */
  readonly afterTask: string | null;
  readonly requiresApproval: boolean;
  /** Who may approve. Empty: everyone who may answer holds. */
  readonly approvers: readonly string[];
  readonly timeoutHours: number | null;
  readonly onTimeout: (typeof ON_TIMEOUT)[number];
  readonly status: "pending" | "reached" | "waiting" | "approved" | "rejected";
  /** The hold that asks for approval. Absent: `resolve_checkpoint` decides. */
  readonly holdId?: string;
  readonly approvedBy?: string;
  readonly approvedAt?: number;
}

export interface Condition {
  readonly id: string;
  readonly taskId: string;
  readonly when: string;
  readonly otherwise: Json;
}

export interface Plan {
  readonly id: string;
  readonly intentId: string;
  readonly version: number;
  readonly state: PlanState;
  readonly tasks: readonly string[];
  /** Tasks that are still to be cancelled with the plan. */
  readonly behind?: TasksBehind;
  /** The number of tasks that are not over. */
  readonly open: number;
  readonly checkpoints: readonly Checkpoint[];
  readonly conditions: readonly Condition[];
  readonly onFailure: (typeof ON_FAILURE)[number];
  readonly onComplete: string;
  readonly metadata: JsonObject;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Finds the plans that have a checkpoint with this id. In rows of earlier versions the row's own id is the checkpoint's. */
export interface CheckpointPlace {
  readonly planId: string;
  readonly checkpointId?: string;
}

export function checkpointPlaceId(planId: string, checkpointId: string): string {
  return `${planId}\n${checkpointId}`;
}

/** The most tasks of a plan. */
export const TASKS_MAX = 500;

/** `tasks`: how many tasks the plan would have. */
export function whyFull(tasks: number): Failure | null {
  return tasks > TASKS_MAX ? failure("too_many", `a plan can have at most ${TASKS_MAX} tasks`) : null;
}

/** The most checkpoints of a plan, those that were reached included, and their characters. Every change of the plan writes them. */
const CHECKPOINTS_MAX = 500;
const CHECKPOINT_CHARACTERS_MAX = 512 * 1024;

/** `checkpoints`: those that the plan would have. */
export function whyTooManyCheckpoints(checkpoints: readonly Checkpoint[]): Failure | null {
  if (checkpoints.length > CHECKPOINTS_MAX) {
    const message = `a plan can have at most ${CHECKPOINTS_MAX} checkpoints, those that were reached included`;
    return failure("too_many", message);
  }
  if (JSON.stringify(checkpoints).length <= CHECKPOINT_CHARACTERS_MAX) return null;
  const message = `the checkpoints of a plan can have at most ${CHECKPOINT_CHARACTERS_MAX} characters together, those that were reached included`;
  return failure("too_many", message);
}

export function isPlanOver({ state }: Pick<Plan, "state">): boolean {
  return state === "completed" || state === "failed" || state === "cancelled";
}

export function isWaiting({ checkpoints }: Plan): boolean {
  return checkpoints.some(({ status }) => status === "waiting");
}

/** What is left is cancelled at once. */
export function planDueAt({ behind }: Plan): number | null {
  return behind?.at ?? null;
}

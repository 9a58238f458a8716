/** The plan: the tasks of one intent, what decides whether one is needed, and where a person is asked before it goes on. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";

export const PLAN_STATES = ["draft", "active", "paused", "completed", "failed", "cancelled"] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export const ON_FAILURE = ["pause_and_escalate", "notify", "fail", "retry"] as const;
export const ON_TIMEOUT = ["escalate", "auto_approve", "fail"] as const;

export interface Checkpoint {
  readonly id: string;
  readonly name: string;
  /** Id of the task after which it stands. */
  readonly afterTask: string | null;
  readonly requiresApproval: boolean;
  /** Who may approve; empty: whoever may answer. */
  readonly approvers: readonly string[];
  readonly timeoutHours: number | null;
  readonly onTimeout: (typeof ON_TIMEOUT)[number];
  readonly status: "pending" | "reached" | "waiting" | "approved" | "rejected";
  /** The hold that asks; absent: it is approved by its own call. */
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
  /** Tasks of which something may still come. */
  readonly open: number;
  readonly checkpoints: readonly Checkpoint[];
  readonly conditions: readonly Condition[];
  readonly onFailure: (typeof ON_FAILURE)[number];
  readonly onComplete: string;
  readonly metadata: JsonObject;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** (checkpoint) → the plan it belongs to. */
export interface CheckpointPlace {
  readonly planId: string;
}

export function isPlanOver({ state }: Pick<Plan, "state">): boolean {
  return state === "completed" || state === "failed" || state === "cancelled";
}

export function isWaiting({ checkpoints }: Plan): boolean {
  return checkpoints.some(({ status }) => status === "waiting");
}

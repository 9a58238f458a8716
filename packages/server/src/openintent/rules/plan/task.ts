/** The task: one bounded piece of work on an intent, claimed by one agent at a time. The intent's log records its changes. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";

export const TASK_STATUSES = [
  "pending",
  "ready",
  "claimed",
  "running",
  "blocked",
  "completed",
  "failed",
  "cancelled",
  "skipped",
] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The task is blocked because the intent it executes is suspended. Only that intent's resumption unblocks it. */
export const INTENT_SUSPENDED = "intent_suspended";

/** Tasks that have not followed a change yet. Each is a whole row, so few of them follow in one commit (G13). */
export type TasksBehind = {
  /** When the last of them followed. */
  readonly at: number;
  readonly tasks: readonly string[];
};

export type Task = {
  readonly id: string;
  readonly intentId: string;
  /** The intent whose work this task does. It may differ from `intentId`, the intent that planned the task. */
  readonly executes: string;
  readonly planId?: string;
  readonly name: string;
  readonly description: string | null;
  /** The version clients see; it grows by one with each accepted change. */
  readonly version: number;
  readonly status: TaskStatus;
  readonly priority: string;
  readonly input: JsonObject;
  readonly output: Json;
  readonly artifacts: readonly Json[];
  readonly assignedAgent: string | null;
  /** `own`: the agent took the task with the access that it has. `given`, or absent: the task gives its agent access. */
  readonly access?: "own" | "given";
  readonly leaseId: string | null;
  readonly capabilitiesRequired: readonly string[];
  readonly dependsOn: readonly string[];
  /** Dependencies that are not complete or skipped. */
  readonly open: readonly string[];
  readonly dependents: readonly string[];
  /** Dependents that do not know yet that this task is done. */
  readonly behind?: TasksBehind;
  readonly parentTaskId: string | null;
  readonly retryPolicy: string | null;
  readonly timeoutMs: number | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly permissions: Json;
  readonly memoryPolicy: Json;
  readonly requiresTools: readonly Json[];
  readonly blockedReason: string | null;
  readonly suspendedIntentId: string | null;
  /** The remaining time. It runs down only while the task is running. */
  readonly leftMs?: number;
  readonly dueAt?: number;
  readonly percent?: number;
  readonly error: Json;
  readonly metadata: JsonObject;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
};

const NEXT: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pending: ["ready", "skipped", "cancelled"],
  ready: ["claimed", "cancelled"],
  claimed: ["running", "cancelled"],
  running: ["completed", "failed", "blocked", "cancelled"],
  blocked: ["running", "cancelled"],
  failed: ["ready", "cancelled"],
  completed: [],
  cancelled: [],
  skipped: [],
};

/** The intermediate statuses that a direct move to `running` passes through. */
const TOWARDS: Partial<Readonly<Record<TaskStatus, TaskStatus>>> = {
  pending: "ready",
  ready: "claimed",
  claimed: "running",
};

export interface WayOptions {
  /** Set by calls that imply the work has begun, such as completing a claimed task. */
  readonly started?: true;
}

/** The statuses to pass through, including the last one; `null` if the move is not allowed. */
export function taskWay(
  task: Task,
  to: TaskStatus,
  { started }: WayOptions = {},
): readonly TaskStatus[] | null {
  if (NEXT[task.status].includes(to)) return to === "ready" && task.open.length > 0 ? null : [to];
  if (started === true && task.status === "claimed" && NEXT.running.includes(to)) return ["running", to];
  if (to !== "running" || task.open.length > 0) return null;
  const way: TaskStatus[] = [];
  for (let at: TaskStatus | undefined = TOWARDS[task.status]; at !== undefined; at = TOWARDS[at])
    way.push(at);
  return way.at(-1) === "running" ? way : null;
}

/** An agent is working on it, or is blocked on it. */
export function isLive({ status }: Pick<Task, "status">): boolean {
  return status === "claimed" || status === "running" || status === "blocked";
}

/** Its dependents may start. */
export function isDone({ status }: Pick<Task, "status">): boolean {
  return status === "completed" || status === "skipped";
}

/** It can no longer change. */
export function isTaskOver({ status }: Pick<Task, "status">): boolean {
  return isDone({ status }) || status === "cancelled";
}

export function isMirrored(task: Task, intentId: string): boolean {
  return task.status === "blocked" && task.suspendedIntentId === intentId;
}

const EVENTS: Readonly<Record<TaskStatus, string>> = {
  pending: "task.created",
  ready: "task.ready",
  claimed: "task.claimed",
  running: "task.started",
  blocked: "task.blocked",
  completed: "task.completed",
  failed: "task.failed",
  cancelled: "task.cancelled",
  skipped: "task.skipped",
};

export function taskEvent(from: TaskStatus, to: TaskStatus): string {
  if (from === "blocked" && to === "running") return "task.unblocked";
  return from === "failed" && to === "ready" ? "task.retrying" : EVENTS[to];
}

/** Stops the task's timeout while the task is not running. */
export function clocked(task: Task, from: TaskStatus, at: number): Task {
  const { dueAt, leftMs = task.timeoutMs ?? undefined, ...rest } = task;
  if (task.status === "running") {
    return leftMs === undefined ? rest : { ...rest, leftMs, dueAt: at + leftMs };
  }
  if (from !== "running" || dueAt === undefined) return leftMs === undefined ? rest : { ...rest, leftMs };
  // A new attempt starts with the full timeout.
  return task.status === "blocked" ? { ...rest, leftMs: Math.max(dueAt - at, 1) } : rest;
}

/** Dependents that were left behind follow at once. */
export function taskDueAt({ behind, dueAt }: Task): number | null {
  return behind?.at ?? dueAt ?? null;
}

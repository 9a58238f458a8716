/** The task: one bounded piece of work on an intent, claimed by one agent at a time. Its story is told in the intent's log. */

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

/** Blocked because the intent it executes waits for a person; freed with it, and by nothing else. */
export const INTENT_SUSPENDED = "intent_suspended";

export interface Task {
  readonly id: string;
  readonly intentId: string;
  /** The intent whose work it is, where that is another than the one it was planned for. */
  readonly executes: string;
  readonly planId?: string;
  readonly name: string;
  readonly description: string | null;
  /** As clients see it: one up for each accepted change. */
  readonly version: number;
  readonly status: TaskStatus;
  readonly priority: string;
  readonly input: JsonObject;
  readonly output: Json;
  readonly artifacts: readonly Json[];
  readonly assignedAgent: string | null;
  readonly leaseId: string | null;
  readonly capabilitiesRequired: readonly string[];
  readonly dependsOn: readonly string[];
  /** Dependencies that are not done. */
  readonly open: readonly string[];
  readonly dependents: readonly string[];
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
  /** Time it may still take; counted only while it runs. */
  readonly leftMs?: number;
  readonly dueAt?: number;
  readonly percent?: number;
  readonly error: Json;
  readonly metadata: JsonObject;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
}

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

/** What lies between claiming and working goes without saying. */
const TOWARDS: Partial<Readonly<Record<TaskStatus, TaskStatus>>> = {
  pending: "ready",
  ready: "claimed",
  claimed: "running",
};

export interface WayOptions {
  /** Where the protocol has a call of its own for it, a claimed task has begun by then. */
  readonly started?: true;
}

/** The statuses to pass through, the last one included; `null`: there is no way. */
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

/** Somebody has it in hand. */
export function isLive({ status }: Pick<Task, "status">): boolean {
  return status === "claimed" || status === "running" || status === "blocked";
}

/** Whoever depends on it may go on. */
export function isDone({ status }: Pick<Task, "status">): boolean {
  return status === "completed" || status === "skipped";
}

/** Nothing more will come of it. */
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

/** The clock of a task stops while it is not being worked on. */
export function clocked(task: Task, from: TaskStatus, at: number): Task {
  const { dueAt, leftMs = task.timeoutMs ?? undefined, ...rest } = task;
  if (task.status === "running") {
    return leftMs === undefined ? rest : { ...rest, leftMs, dueAt: at + leftMs };
  }
  if (from !== "running" || dueAt === undefined) return leftMs === undefined ? rest : { ...rest, leftMs };
  // Another try has all its time again.
  return task.status === "blocked" ? { ...rest, leftMs: Math.max(dueAt - at, 1) } : rest;
}

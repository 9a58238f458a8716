/** Writes tasks and plans for the wire. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { wireTime } from "../rules/intent/wire-time.ts";
import type { Checkpoint, Plan } from "../rules/plan/plan.ts";
import type { Task } from "../rules/plan/task.ts";
import { timeOrNull } from "./present.ts";

export function presentTask(task: Task): JsonObject {
  return {
    id: task.id,
    intent_id: task.intentId,
    plan_id: task.planId ?? null,
    name: task.name,
    description: task.description,
    version: task.version,
    status: task.status,
    state: task.status,
    priority: task.priority,
    input: task.input,
    output: task.output,
    artifacts: [...task.artifacts],
    assigned_agent: task.assignedAgent,
    lease_id: task.leaseId,
    capabilities_required: [...task.capabilitiesRequired],
    depends_on: [...task.dependsOn],
    blocks: [...task.dependents],
    parent_task_id: task.parentTaskId,
    retry_policy: task.retryPolicy,
    timeout_seconds: task.timeoutMs === null ? null : task.timeoutMs / 1000,
    attempt: task.attempt,
    max_attempts: task.maxAttempts,
    permissions: task.permissions,
    memory_policy: task.memoryPolicy,
    requires_tools: [...task.requiresTools],
    blocked_reason: task.blockedReason,
    suspended_intent_id: task.suspendedIntentId,
    progress_percentage: task.percent ?? null,
    error: task.error,
    metadata: task.metadata,
    created_at: wireTime(task.createdAt),
    started_at: timeOrNull(task.startedAt),
    completed_at: timeOrNull(task.completedAt),
  };
}

export function presentPlan(plan: Plan): JsonObject {
  return {
    id: plan.id,
    intent_id: plan.intentId,
    version: plan.version,
    state: plan.state,
    tasks: [...plan.tasks],
    checkpoints: plan.checkpoints.map((checkpoint) => presentPlanCheckpoint(plan.id, checkpoint)),
    conditions: plan.conditions.map(({ id, taskId, when, otherwise }) => ({
      ...{ id, task_id: taskId, when, otherwise },
    })),
    on_failure: plan.onFailure,
    on_complete: plan.onComplete,
    metadata: plan.metadata,
    created_at: wireTime(plan.createdAt),
    updated_at: wireTime(plan.updatedAt),
  };
}

export function presentPlanCheckpoint(planId: string, checkpoint: Checkpoint): JsonObject {
  return {
    id: checkpoint.id,
    plan_id: planId,
    name: checkpoint.name,
    after_task: checkpoint.afterTask,
    requires_approval: checkpoint.requiresApproval,
    approvers: [...checkpoint.approvers],
    timeout_hours: checkpoint.timeoutHours,
    on_timeout: checkpoint.onTimeout,
    status: checkpoint.status,
    hold_id: checkpoint.holdId ?? null,
    approved_by: checkpoint.approvedBy ?? null,
    approved_at: timeOrNull(checkpoint.approvedAt),
  };
}

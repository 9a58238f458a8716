/** Tasks and plans. */

import { IfMatch, IntentParams } from "../wire/base.ts";
import {
  ClaimIn,
  CompleteIn,
  DelegateIn,
  EscalateIn,
  FailIn,
  IntentPlanIn,
  IntentTaskIn,
  PlanCheckpointListOut,
  PlanCheckpointOut,
  PlanIn,
  PlanListOut,
  PlanOut,
  PlanPatchIn,
  PlanProgressOut,
  ProgressIn,
  ReasonIn,
  ResolveIn,
  TaskIn,
  TaskListOut,
  TaskOut,
  TaskParams,
  TaskPatchIn,
  TaskQuery,
} from "../wire/plan.ts";
import { BODY, FOUND, INTENT, operation, ROOT, reading } from "./shared.ts";

const TASK = `${ROOT}/tasks/{id}`;
const PLAN = `${ROOT}/plans/{id}`;
const tasks = "tasks";
const plans = "plans";

const MAKING = [...FOUND, ...BODY, "unknown_dependency", "already_exists", "too_many"] as const;
const MOVING = [...FOUND, ...BODY, "invalid_transition", "suspension_pending", "too_many"] as const;

const action = {
  method: "POST",
  tag: tasks,
  params: TaskParams,
  replies: { 200: TaskOut },
  errors: MOVING,
} as const;

const PLANNING = [...MAKING, "invalid_patch", "dependency_cycle"] as const;

const moving = {
  method: "POST",
  tag: plans,
  params: TaskParams,
  body: ReasonIn,
  replies: { 200: PlanOut },
  errors: MOVING,
} as const;

const RESOLVING = [...MOVING, "already_resolved", "suspension_expired", "ambiguous_checkpoint"] as const;

export const planOperations = {
  createTask: operation({
    id: "createTask",
    method: "POST",
    path: `${ROOT}/tasks`,
    tag: tasks,
    summary: "Make a task of an intent",
    body: TaskIn,
    replies: { 200: TaskOut },
    errors: MAKING,
  }),

  createIntentTask: operation({
    id: "createIntentTask",
    method: "POST",
    path: `${INTENT}/tasks`,
    tag: tasks,
    summary: "Make a task of this intent",
    params: IntentParams,
    body: IntentTaskIn,
    replies: { 200: TaskOut },
    errors: MAKING,
  }),

  listTasks: reading({
    id: "listTasks",
    path: `${INTENT}/tasks`,
    tag: tasks,
    summary: "An intent's tasks, oldest first",
    params: IntentParams,
    query: TaskQuery,
    reply: TaskListOut,
  }),

  getTask: reading({
    id: "getTask",
    path: TASK,
    tag: tasks,
    summary: "A task",
    params: TaskParams,
    reply: TaskOut,
  }),

  changeTask: operation({
    id: "changeTask",
    method: "PATCH",
    path: TASK,
    tag: tasks,
    summary: "Change a task's status or fields",
    params: TaskParams,
    headers: IfMatch,
    body: TaskPatchIn,
    replies: { 200: TaskOut },
    errors: [
      ...MOVING,
      "precondition_required",
      "version_conflict",
      "UpstreamIntentSuspendedError",
      "UnresolvableInputError",
      "MissingOutputError",
      "OutputTypeMismatchError",
    ],
  }),

  claimTask: operation({
    ...action,
    id: "claimTask",
    path: `${TASK}/claim`,
    summary: "Take a task up; its declared inputs must be there",
    body: ClaimIn,
    errors: [...MOVING, "agent_mismatch", "UpstreamIntentSuspendedError", "UnresolvableInputError"],
  }),

  completeTask: operation({
    ...action,
    id: "completeTask",
    path: `${TASK}/complete`,
    summary: "Finish a task with what came of it",
    body: CompleteIn,
    errors: [...MOVING, "MissingOutputError", "OutputTypeMismatchError"],
  }),

  failTask: operation({
    ...action,
    id: "failTask",
    path: `${TASK}/fail`,
    summary: "Say that a task has failed",
    body: FailIn,
  }),

  progressTask: operation({
    ...action,
    id: "progressTask",
    path: `${TASK}/progress`,
    summary: "Say how far a task is",
    body: ProgressIn,
  }),

  delegateTask: operation({
    ...action,
    id: "delegateTask",
    path: `${TASK}/delegate`,
    summary: "Hand a part over to another agent and wait for it; the new task is the reply",
    body: DelegateIn,
  }),

  escalateTask: operation({
    ...action,
    id: "escalateTask",
    path: `${TASK}/escalate`,
    summary: "Hand a task over to a person",
    body: EscalateIn,
  }),

  createPlan: operation({
    id: "createPlan",
    method: "POST",
    path: `${ROOT}/plans`,
    tag: plans,
    summary: "Make a plan of an intent",
    body: PlanIn,
    replies: { 200: PlanOut },
    errors: PLANNING,
  }),

  createIntentPlan: operation({
    id: "createIntentPlan",
    method: "POST",
    path: `${INTENT}/plan`,
    tag: plans,
    summary: "Make a plan of this intent",
    params: IntentParams,
    body: IntentPlanIn,
    replies: { 200: PlanOut },
    errors: PLANNING,
  }),

  getIntentPlan: reading({
    id: "getIntentPlan",
    path: `${INTENT}/plan`,
    tag: plans,
    summary: "An intent's newest plan",
    params: IntentParams,
    reply: PlanOut,
  }),

  listPlans: reading({
    id: "listPlans",
    path: `${INTENT}/plans`,
    tag: plans,
    summary: "An intent's plans, oldest first",
    params: IntentParams,
    reply: PlanListOut,
  }),

  getPlan: reading({
    id: "getPlan",
    path: PLAN,
    tag: plans,
    summary: "A plan, and how far it is",
    params: TaskParams,
    reply: PlanOut,
  }),

  getPlanProgress: reading({
    id: "getPlanProgress",
    path: `${PLAN}/progress`,
    tag: plans,
    summary: "How far a plan is, and which tasks wait for a person",
    params: TaskParams,
    reply: PlanProgressOut,
  }),

  changePlan: operation({
    id: "changePlan",
    method: "PATCH",
    path: PLAN,
    tag: plans,
    summary: "Change a plan",
    params: TaskParams,
    headers: IfMatch,
    body: PlanPatchIn,
    replies: { 200: PlanOut },
    errors: [
      ...PLANNING,
      "invalid_transition",
      "suspension_pending",
      "precondition_required",
      "version_conflict",
    ],
  }),

  activatePlan: operation({
    ...moving,
    id: "activatePlan",
    path: `${PLAN}/activate`,
    summary: "Begin a plan",
  }),

  pausePlan: operation({
    ...moving,
    id: "pausePlan",
    path: `${PLAN}/pause`,
    summary: "Pause a plan",
  }),

  resumePlan: operation({
    ...moving,
    id: "resumePlan",
    path: `${PLAN}/resume`,
    summary: "Go on with a plan",
  }),

  cancelPlan: operation({
    ...moving,
    id: "cancelPlan",
    path: `${PLAN}/cancel`,
    summary: "Cancel a plan and what is left of its tasks",
  }),

  listPlanCheckpoints: reading({
    id: "listPlanCheckpoints",
    path: `${PLAN}/checkpoints`,
    tag: plans,
    summary: "A plan's checkpoints",
    params: TaskParams,
    reply: PlanCheckpointListOut,
  }),

  approveCheckpoint: operation({
    id: "approveCheckpoint",
    method: "POST",
    path: `${ROOT}/checkpoints/{id}/approve`,
    tag: plans,
    summary: "Let a plan pass a checkpoint; the same as answering its question",
    params: TaskParams,
    body: ResolveIn,
    replies: { 200: PlanCheckpointOut },
    errors: RESOLVING,
  }),

  rejectCheckpoint: operation({
    id: "rejectCheckpoint",
    method: "POST",
    path: `${ROOT}/checkpoints/{id}/reject`,
    tag: plans,
    summary: "Stop a plan at a checkpoint; the same as answering its question",
    params: TaskParams,
    body: ResolveIn,
    replies: { 200: PlanCheckpointOut },
    errors: RESOLVING,
  }),
};

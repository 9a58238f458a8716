/** Tasks and plans on the wire. */

import * as z from "zod";
import { ON_FAILURE, ON_TIMEOUT, PLAN_STATES } from "../../rules/plan/plan.ts";
import { TASK_STATUSES } from "../../rules/plan/task.ts";
import { AnyJson, Id, Name, Open, Text, TimeOut } from "./base.ts";

const TaskStatusWord = z.enum(TASK_STATUSES);
const PlanStateWord = z.enum(PLAN_STATES);
const Ids = z.array(Id).max(200);

const taskFields = {
  name: z.string().min(1).max(1000),
  description: Text.nullish(),
  priority: z.union([z.string().max(60), z.number()]).nullish(),
  input: Open.nullish(),
  assigned_agent: Name.nullish(),
  capabilities_required: z.array(Name).max(100).nullish(),
  depends_on: Ids.nullish(),
  parent_task_id: Id.nullish(),
  retry_policy: z.string().max(200).nullish(),
  timeout_seconds: z
    .number()
    .min(0.001)
    .max(365 * 86_400)
    .nullish(),
  max_attempts: z.int().min(1).max(1000).nullish(),
  permissions: AnyJson.nullish(),
  memory_policy: AnyJson.nullish(),
  requires_tools: z.array(AnyJson).max(100).nullish(),
  metadata: Open.nullish(),
};

export const TaskIn = z.looseObject({
  ...taskFields,
  intent_id: Id,
  plan_id: Id.nullish(),
});

/** The intent is the one in the path. */
export const IntentTaskIn = z.looseObject({ ...taskFields, plan_id: Id.nullish() });

export const TaskPatchIn = z.looseObject({
  status: TaskStatusWord.nullish(),
  state: TaskStatusWord.nullish().describe("The same under the protocol's own name."),
  name: z.string().min(1).max(1000).exactOptional(),
  description: Text.nullish(),
  priority: z.union([z.string().max(60), z.number()]).exactOptional(),
  input: Open.exactOptional(),
  output: AnyJson.exactOptional(),
  artifacts: z.array(AnyJson).max(1000).exactOptional(),
  assigned_agent: Name.nullish(),
  lease_id: Id.nullish(),
  error: AnyJson.exactOptional(),
  blocked_reason: z.string().max(2000).nullish(),
  metadata: Open.exactOptional(),
});

export const ClaimIn = z.looseObject({ agent_id: Name.nullish() });
export const CompleteIn = z.looseObject({
  output: AnyJson.exactOptional(),
  artifacts: z.array(AnyJson).max(1000).nullish(),
});
export const FailIn = z.looseObject({ error: AnyJson.exactOptional() });
export const ProgressIn = z.looseObject({
  percentage: z.number().min(0).max(100).nullish(),
  percent: z.number().min(0).max(100).nullish(),
  message: Text.nullish(),
});
export const DelegateIn = z.looseObject({
  capability: Name.nullish(),
  agent_id: Name.nullish(),
  name: z.string().min(1).max(1000).nullish(),
  payload: Open.nullish(),
});
export const EscalateIn = z.looseObject({ reason: z.string().max(2000).nullish(), context: Open.nullish() });

export const TaskOut = z.looseObject({
  id: Id,
  intent_id: Id,
  plan_id: Id.nullable(),
  name: z.string(),
  version: z.int().min(1),
  status: TaskStatusWord,
  state: TaskStatusWord,
  priority: z.string(),
  input: Open,
  output: AnyJson.nullable(),
  artifacts: z.array(AnyJson),
  assigned_agent: z.string().nullable(),
  depends_on: z.array(Id),
  blocks: z.array(Id),
  attempt: z.int(),
  max_attempts: z.int(),
  requires_tools: z.array(AnyJson),
  blocked_reason: z.string().nullable(),
  suspended_intent_id: Id.nullable(),
  metadata: Open,
  created_at: TimeOut,
  started_at: TimeOut.nullable(),
  completed_at: TimeOut.nullable(),
});

export const TaskListOut = z.array(TaskOut);
export const TaskParams = z.strictObject({ id: Id });
export const TaskQuery = z.object({
  status: TaskStatusWord.exactOptional(),
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  offset: z.coerce.number().int().min(0).max(1_000_000).exactOptional(),
});

const CheckpointIn = z.looseObject({
  id: z.string().max(200).nullish(),
  name: z.string().min(1).max(1000).nullish(),
  after_task: Id.nullish(),
  after: Id.nullish(),
  requires_approval: z.boolean().nullish(),
  approvers: z.array(Name).max(100).nullish(),
  timeout_hours: z.number().min(0.0001).max(8760).nullish(),
  on_timeout: z.enum(ON_TIMEOUT).nullish(),
});

const ConditionIn = z.looseObject({
  id: z.string().max(200).nullish(),
  task_id: Id,
  when: z.string().min(1).max(2000),
  otherwise: AnyJson.nullish(),
});

const planFields = {
  tasks: z
    .array(z.union([Id, IntentTaskIn]))
    .max(1000)
    .nullish()
    .describe("Ids of tasks that are there, or new tasks; these may name each other in `depends_on`."),
  checkpoints: z.array(CheckpointIn).max(100).nullish(),
  conditions: z.array(ConditionIn).max(200).nullish(),
  on_failure: z.enum(ON_FAILURE).nullish(),
  on_complete: z.string().max(200).nullish(),
  metadata: Open.nullish(),
};

export const PlanIn = z.looseObject({ ...planFields, intent_id: Id });
export const IntentPlanIn = z.looseObject(planFields);

export const PlanPatchIn = z.looseObject({
  ...planFields,
  tasks: z.array(Id).max(1000).nullish(),
  state: PlanStateWord.nullish(),
  status: PlanStateWord.nullish(),
});

export const ResolveIn = z.looseObject({
  reason: z.string().max(2000).nullish(),
  plan_id: Id.nullish().describe("Needed where several plans wait at a checkpoint with this id."),
});

export const ReasonIn = z.looseObject({ reason: z.string().max(2000).nullish() });

export const PlanCheckpointOut = z.looseObject({
  id: Id,
  plan_id: Id,
  name: z.string(),
  after_task: Id.nullable(),
  requires_approval: z.boolean(),
  approvers: z.array(z.string()),
  timeout_hours: z.number().nullable(),
  on_timeout: z.enum(ON_TIMEOUT),
  status: z.enum(["pending", "reached", "waiting", "approved", "rejected"]),
  approved_by: z.string().nullable(),
  approved_at: TimeOut.nullable(),
});

export const PlanProgressOut = z.looseObject({
  plan_id: Id,
  total: z.int(),
  by_status: z.record(z.string(), z.int()),
  completion_percentage: z.int(),
  suspended_tasks: z.array(
    z.looseObject({
      task_id: Id,
      intent_id: Id,
      suspended_since: TimeOut,
      expires_at: TimeOut.nullable(),
    }),
  ),
});

export const PlanOut = z.looseObject({
  id: Id,
  intent_id: Id,
  version: z.int().min(1),
  state: PlanStateWord,
  tasks: z.array(Id),
  checkpoints: z.array(PlanCheckpointOut),
  conditions: z.array(Open),
  on_failure: z.enum(ON_FAILURE),
  on_complete: z.string(),
  metadata: Open,
  progress: PlanProgressOut.exactOptional(),
  created_at: TimeOut,
  updated_at: TimeOut,
});

export const PlanListOut = z.array(PlanOut);
export const PlanCheckpointListOut = z.array(PlanCheckpointOut);

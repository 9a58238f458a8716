/** Coordinators on the wire. */

import * as z from "zod";
import {
  COORDINATOR_SCOPES,
  COORDINATOR_STATUSES,
  COORDINATOR_TYPES,
  SUSPENSION_POLICIES,
} from "../../rules/coordinator/coordinator.ts";
import { Id, Name, Open, Text, TimeIn, TimeOut } from "./base.ts";

const PolicyWord = z.enum(SUSPENSION_POLICIES);
const Seconds = z.number().min(1).max(86_400);
const Guardrails = z.looseObject({
  on_exceed: z.enum(["pause", "escalate", "pause_and_escalate", "fail"]).nullish(),
});

export const CoordinatorIn = z
  .looseObject({
    agent_id: Name,
    intent_id: Id.nullish(),
    portfolio_id: Id.nullish(),
    role: z.string().min(1).max(200).nullish(),
    supervisor_id: Name.nullish(),
    coordinator_type: z.enum(COORDINATOR_TYPES).nullish(),
    type: z.enum(COORDINATOR_TYPES).nullish(),
    scope: z.enum(COORDINATOR_SCOPES).nullish(),
    guardrails: Guardrails.nullish(),
    heartbeat_interval_seconds: Seconds.nullish(),
    expires_at: TimeIn.nullish(),
    metadata: Open.nullish(),
    suspension_policy: PolicyWord.nullish().describe("`isolate` unless said otherwise."),
  })
  .refine(
    ({ intent_id, portfolio_id }) => (intent_id ?? portfolio_id ?? null) !== null,
    "Invalid input: expected intent_id or portfolio_id",
  );

export const CoordinatorPatchIn = z.looseObject({
  role: z.string().min(1).max(200).exactOptional(),
  supervisor_id: Name.nullish(),
  guardrails: Guardrails.nullish(),
  heartbeat_interval_seconds: Seconds.exactOptional(),
  expires_at: TimeIn.nullish(),
  metadata: Open.exactOptional(),
  suspension_policy: PolicyWord.exactOptional(),
  status: z.enum(["active", "paused", "completed"]).exactOptional(),
});

export const CoordinatorOut = z.looseObject({
  id: Id,
  intent_id: Id.nullable(),
  portfolio_id: Id.nullable(),
  agent_id: z.string(),
  role: z.string(),
  supervisor_id: z.string().nullable(),
  coordinator_type: z.enum(COORDINATOR_TYPES),
  scope: z.enum(COORDINATOR_SCOPES),
  status: z.enum(COORDINATOR_STATUSES),
  guardrails: Open.nullable(),
  heartbeat_interval_seconds: z.number(),
  last_heartbeat: TimeOut,
  granted_at: TimeOut,
  expires_at: TimeOut.nullable(),
  version: z.int().min(1),
  metadata: Open,
  suspension_policy: PolicyWord,
});

export const CoordinatorListOut = z.array(CoordinatorOut);
export const CoordinatorParams = z.strictObject({ id: Id });
export const HeartbeatOut = z.looseObject({ status: z.literal("ok"), next_heartbeat_at: TimeOut });

export const CoordinatorDecisionIn = z.looseObject({
  coordinator_id: Id,
  intent_id: Id,
  decision_type: z.string().min(1).max(200),
  summary: Text.nullish(),
  rationale: Text.nullish(),
});

export const CoordinatorDecisionOut = z.looseObject({
  id: Id,
  coordinator_id: Id,
  intent_id: Id,
  decision_type: z.string(),
  summary: z.string(),
  rationale: z.string(),
  made_by: z.string(),
  created_at: TimeOut,
});

export const CoordinatorDecisionListOut = z.array(CoordinatorDecisionOut);
export const DecisionsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).exactOptional(),
});

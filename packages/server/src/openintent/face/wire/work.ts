/** Leases, access lists, retries, decisions and subscriptions on the wire. */

import * as z from "zod";
import { LEVELS } from "../../rules/intent/intent.ts";
import { Id, Name, Open, TimeIn, TimeOut } from "./base.ts";

const Seconds = z
  .number()
  .min(0.001)
  .max(30 * 86_400);

export const LeaseIn = z.looseObject({
  scope: Name,
  duration_seconds: Seconds.nullish(),
  agent_id: Name.nullish(),
});

export const RenewIn = z.looseObject({ duration_seconds: Seconds.nullish() });

export const LeaseOut = z.looseObject({
  id: Id,
  intent_id: Id,
  agent_id: z.string(),
  scope: z.string(),
  status: z.enum(["active", "released", "expired", "revoked"]),
  acquired_at: TimeOut,
  created_at: TimeOut,
  expires_at: TimeOut,
  released_at: TimeOut.nullable(),
});

export const LeaseListOut = z.looseObject({ leases: z.array(LeaseOut) });
export const LeaseParams = z.strictObject({ id: Id, lease_id: Id });
export const AgentParams = z.strictObject({ id: Id, agent_id: Name });

const AclEntryIn = z.looseObject({
  principal_id: Name,
  principal_type: z.string().min(1).max(60).nullish(),
  permission: z.enum(LEVELS),
  expires_at: TimeIn.nullish(),
  reason: z.string().max(2000).nullish(),
});

export const AclEntryOut = z.looseObject({
  id: Id,
  principal_id: z.string(),
  principal_type: z.string(),
  permission: z.enum(LEVELS),
  granted_by: z.string(),
  granted_at: TimeOut,
  expires_at: TimeOut.nullable(),
  reason: z.string().nullable(),
});

export const AclIn = z.looseObject({
  default_policy: z.enum(["open", "closed", "restricted", "private"]).nullish(),
  entries: z.array(AclEntryIn).max(500).nullish(),
});

export const GrantIn = AclEntryIn;

export const AclOut = z.looseObject({
  intent_id: Id,
  default_policy: z.enum(["open", "closed"]),
  policy: z.enum(["open", "closed", "restricted", "private"]),
  entries: z.array(AclEntryOut),
});

export const EntryParams = z.strictObject({ id: Id, entry_id: Id });

const StrategyWord = z.enum(["none", "fixed", "exponential", "linear"]);
const Millis = z.int().min(0).max(86_400_000);

export const RetryPolicyIn = z.looseObject({
  strategy: StrategyWord.nullish(),
  max_retries: z.int().min(0).max(1000).nullish(),
  base_delay_ms: Millis.nullish(),
  max_delay_ms: Millis.nullish(),
  fallback_agent_id: Name.nullish(),
  failure_threshold: z.int().min(1).max(1000).nullish(),
});

/** Both spellings, because clients read one or the other. */
export const RetryPolicyOut = z.looseObject({
  id: Id,
  intent_id: Id,
  strategy: StrategyWord,
  max_retries: z.int(),
  base_delay_ms: z.int(),
  max_delay_ms: z.int(),
  failure_threshold: z.int(),
  fallback_agent_id: z.string().nullable(),
  created_at: TimeOut,
  createdAt: TimeOut,
  updated_at: TimeOut,
  updatedAt: TimeOut,
});

export const FailureIn = z.looseObject({
  agent_id: Name.nullish(),
  attempt_number: z.int().min(1).max(1_000_000).nullish(),
  error_code: z.string().max(200).nullish(),
  error_type: z.string().max(200).nullish(),
  error_message: z.string().max(20_000).nullish(),
  retry_scheduled_at: TimeIn.nullish(),
  metadata: Open.nullish(),
});

export const FailureOut = z.looseObject({
  id: Id,
  intent_id: Id,
  agent_id: z.string(),
  attempt_number: z.int(),
  error_code: z.string(),
  error_message: z.string(),
  retry_scheduled_at: TimeOut.nullable(),
  retryScheduledAt: TimeOut.nullable(),
  resolved_at: z.null(),
  resolvedAt: z.null(),
  created_at: TimeOut,
  createdAt: TimeOut,
  metadata: Open,
});

export const FailureListOut = z.looseObject({ failures: z.array(FailureOut) });

export const DecisionIn = z.looseObject({
  decision_type: z.string().min(1).max(200),
  outcome: z.string().min(1).max(20_000),
  reasoning: z.string().max(20_000).nullish(),
});

export const DecisionOut = z.looseObject({
  id: Id,
  intent_id: Id,
  decision_maker_id: z.string(),
  decision_type: z.string(),
  outcome: z.string(),
  reasoning: z.string(),
  created_at: TimeOut,
});

export const DecisionListOut = z.looseObject({ decisions: z.array(DecisionOut) });

export const SubscriptionIn = z.looseObject({
  intent_id: Id.nullish(),
  portfolio_id: Id.nullish(),
  subscriber_id: Name.nullish(),
  event_types: z.array(z.string().min(1).max(100)).max(200).nullish().describe("Empty: all."),
  webhook_url: z.string().min(1).max(2048).nullish(),
  expires_at: TimeIn.nullish(),
});

export const SubscriptionOut = z.looseObject({
  id: Id,
  intent_id: Id.nullable(),
  portfolio_id: Id.nullable(),
  subscriber_id: z.string(),
  event_types: z.array(z.string()),
  webhook_url: z.string().nullable(),
  active: z.boolean(),
  expires_at: TimeOut.nullable(),
  expiresAt: TimeOut.nullable(),
  created_at: TimeOut,
  createdAt: TimeOut,
});

export const SubscriptionListOut = z.looseObject({ subscriptions: z.array(SubscriptionOut) });

export const SubscriptionQuery = z.object({
  intent_id: Id.exactOptional(),
  portfolio_id: Id.exactOptional(),
});

export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).exactOptional(),
});

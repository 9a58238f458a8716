/** Writes intents and what belongs to them for the wire. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { turnForAnswer } from "../../faces/http/present-many.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { SeenIntent } from "../reads/intents.ts";
import { aclOf } from "../rules/intent/acl.ts";
import type { Policy } from "../rules/intent/governance.ts";
import type { AclEntry, Intent, Lease, RetryPolicy, SuspensionRef } from "../rules/intent/intent.ts";
import type { DecisionRecord, Failure, Subscription } from "../rules/intent/records.ts";
import { suspensionOf } from "../rules/intent/suspension.ts";
import { wireTime } from "../rules/intent/wire-time.ts";

export async function presentIntents(
  all: readonly SeenIntent[],
  by: Principal,
): Promise<readonly JsonObject[]> {
  const shown: JsonObject[] = [];
  for (const seen of all) shown.push(await presentIntent(seen, by));
  return shown;
}

export async function presentIntent(seen: SeenIntent, by: Principal): Promise<JsonObject> {
  const { body: intent } = seen.intent;
  return {
    id: intent.id,
    title: intent.title,
    description: intent.description,
    created_by: intent.createdBy,
    parent_intent_id: intent.parentId ?? null,
    parent_id: intent.parentId ?? null,
    depends_on: [...intent.dependsOn],
    constraints: intent.constraints,
    state: await stateOf(seen, by),
    status: intent.status,
    confidence: intent.confidence,
    version: intent.version,
    governance_policy: intent.governance ?? null,
    ...(intent.abandonmentReason === undefined ? {} : { abandonment_reason: intent.abandonmentReason }),
    agents: [...intent.agents],
    ...(intent.access === "owner" ? {} : { shared: intent.access ?? "legacy" }),
    created_at: wireTime(intent.createdAt),
    updated_at: wireTime(intent.updatedAt),
  };
}

/** Copies the state only if there is something to add to it, because copying a wide state takes long. */
async function stateOf(seen: SeenIntent, by: Principal): Promise<JsonObject> {
  const { state } = seen.intent.body;
  const shown = await suspensionsOf(seen, by);
  return Object.keys(shown).length === 0 ? state : { ...state, ...shown };
}

/** The suspension as its hold has it. A record that was written before the intent was suspended is shown as written. */
async function suspensionsOf({ intent, holds }: SeenIntent, by: Principal): Promise<JsonObject> {
  const { pending, suspension, history } = intent.body;
  const show = async (refs: readonly SuspensionRef[]): Promise<readonly JsonObject[]> => {
    const shown: JsonObject[] = [];
    for (const ref of refs) {
      const hold = holds.get(ref.holdId);
      if (hold === undefined) continue;
      await turnForAnswer(hold);
      shown.push(suspensionOf(hold, ref, isCreator(hold, by)));
    }
    return shown;
  };
  const latest = suspension === undefined ? [] : [suspension];
  const current = pending ?? (await show(latest))[0];
  const before = await show([...history, ...(pending === undefined ? [] : latest)]);
  return {
    ...(current === undefined ? {} : { _suspension: current }),
    ...(before.length === 0 ? {} : { _suspension_history: before }),
  };
}

/** G9: only the agent that asked gets sensitive values. */
function isCreator(hold: Hold, { role, name }: Principal): boolean {
  return role === "dev" || (name === hold.createdBy && (role === "agent" || role === "app"));
}

/** Costs are not served, so a limit for them cannot be enforced and is not shown as if it were. */
export function presentPolicy(policy: Policy): JsonObject {
  return {
    completion_mode: policy.completionMode,
    write_scope: policy.writeScope,
    quorum_threshold: policy.quorumThreshold,
    allowed_agents: [...policy.allowedAgents],
    max_cost: null,
    require_status_reason: policy.requireStatusReason,
  };
}

export function presentLease(intentId: string, lease: Lease): JsonObject {
  return {
    id: lease.id,
    intent_id: intentId,
    agent_id: lease.agentId,
    scope: lease.scope,
    status: lease.status,
    acquired_at: wireTime(lease.acquiredAt),
    created_at: wireTime(lease.acquiredAt),
    expires_at: wireTime(lease.expiresAt),
    released_at: timeOrNull(lease.endedAt),
  };
}

export function presentAcl(intent: Intent): JsonObject {
  const { policy, entries } = aclOf(intent);
  return {
    intent_id: intent.id,
    default_policy: policy === "open" ? "open" : "closed",
    policy,
    entries: entries.map(presentEntry),
  };
}

export function presentEntry(entry: AclEntry): JsonObject {
  return {
    id: entry.id,
    principal_id: entry.principalId,
    principal_type: entry.principalType,
    permission: entry.permission,
    granted_by: entry.grantedBy,
    granted_at: wireTime(entry.grantedAt),
    expires_at: timeOrNull(entry.expiresAt),
    reason: entry.reason ?? null,
  };
}

export function presentRetryPolicy(intentId: string, policy: RetryPolicy): JsonObject {
  return {
    id: policy.id,
    intent_id: intentId,
    strategy: policy.strategy,
    max_retries: policy.maxRetries,
    base_delay_ms: policy.baseDelayMs,
    max_delay_ms: policy.maxDelayMs,
    failure_threshold: policy.failureThreshold,
    fallback_agent_id: policy.fallbackAgentId ?? null,
    ...twice("created_at", "createdAt", wireTime(policy.madeAt)),
    ...twice("updated_at", "updatedAt", wireTime(policy.changedAt)),
  };
}

export function presentFailure(failure: Failure): JsonObject {
  return {
    id: failure.id,
    intent_id: failure.intentId,
    agent_id: failure.agentId,
    attempt_number: failure.attempt,
    error_code: failure.errorCode,
    error_message: failure.errorMessage,
    ...twice("retry_scheduled_at", "retryScheduledAt", timeOrNull(failure.retryAt)),
    ...twice("resolved_at", "resolvedAt", null),
    ...twice("created_at", "createdAt", wireTime(failure.at)),
    metadata: failure.metadata,
  };
}

export function presentDecision(decision: DecisionRecord): JsonObject {
  return {
    id: decision.id,
    intent_id: decision.intentId,
    decision_maker_id: decision.madeBy,
    decision_type: decision.decisionType,
    outcome: decision.outcome,
    reasoning: decision.reasoning,
    created_at: wireTime(decision.at),
  };
}

export function presentSubscription(subscription: Subscription): JsonObject {
  return {
    id: subscription.id,
    intent_id: subscription.intentId ?? null,
    portfolio_id: subscription.portfolioId ?? null,
    subscriber_id: subscription.subscriberId,
    event_types: [...subscription.eventTypes],
    webhook_url: subscription.webhookUrl ?? null,
    active: subscription.active,
    ...twice("expires_at", "expiresAt", timeOrNull(subscription.expiresAt)),
    ...twice("created_at", "createdAt", wireTime(subscription.madeAt)),
  };
}

export function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : wireTime(at);
}

/** Both spellings, because clients read one or the other. */
export function twice(snake: string, camel: string, value: Json): JsonObject {
  return { [snake]: value, [camel]: value };
}

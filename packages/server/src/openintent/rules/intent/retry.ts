/** Handles agent failures: schedules a retry, and hands over to the fallback agent when retries are exhausted. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Draft } from "../world.ts";
import type { RecordFailure, SetRetryPolicy } from "./commands.ts";
import { violated, whyNotAssign, whyNotUnassign } from "./governance.ts";
import { AGENTS_MAX, type Intent, isEnded, type RetryPolicy, SUSPENDED } from "./intent.ts";
import { append, begin, changeIntent, type IntentLog } from "./intent-log.ts";
import { logLeases } from "./leases.ts";
import type { Failure } from "./records.ts";
import { failedAgent, whyNot } from "./who.ts";
import { wireTime } from "./wire-time.ts";

export function setRetryPolicy(
  command: SetRetryPolicy,
  intent: Intent,
  draft: Draft,
  { now }: Context,
): Reply {
  const denied = whyNot(intent, command.by, "admin", now);
  if (denied !== null) return refuse(denied);
  const { id = command.policy.id, madeAt = now } = intent.retryPolicy ?? {};
  const retryPolicy: RetryPolicy = { ...command.policy, id, madeAt, changedAt: now };
  changeIntent(begin(intent, draft, now, command.by), { retryPolicy });
  return accept(intent.id);
}

/** The delay before the nth retry; `null` if there is none. */
export function delayMs({ strategy, baseDelayMs, maxDelayMs }: RetryPolicy, attempt: number): number | null {
  switch (strategy) {
    case "none":
      return null;
    case "fixed":
      return Math.min(baseDelayMs, maxDelayMs);
    case "linear":
      return Math.min(baseDelayMs * attempt, maxDelayMs);
    case "exponential":
      return Math.min(baseDelayMs * 2 ** (attempt - 1), maxDelayMs);
  }
}

/** Without retries, `failureThreshold` says how many failures are enough. */
function isExhausted({ strategy, maxRetries, failureThreshold }: RetryPolicy, attempt: number): boolean {
  return strategy === "none" ? attempt >= failureThreshold : attempt > maxRetries;
}

export function recordFailure(command: RecordFailure, intent: Intent, draft: Draft, { now }: Context): Reply {
  const denied = whyNot(intent, command.by, "write", now);
  if (denied !== null) return refuse(denied);
  const agentId = failedAgent(command.by, command.failure.agentId);
  if (typeof agentId !== "string") return refuse(agentId);
  const { attempt = intent.failures + 1, retryAt: asked, ...rest } = command.failure;
  const policy = intent.retryPolicy;
  const exhausted = policy !== undefined && isExhausted(policy, attempt);
  const wait = policy === undefined || exhausted ? null : delayMs(policy, attempt);
  const retryAt = asked ?? (wait === null ? undefined : now + wait);
  const failure: Failure = {
    ...rest,
    agentId,
    intentId: intent.id,
    attempt,
    at: now,
    ...(retryAt === undefined ? {} : { retryAt }),
  };
  const intentLog = logFailure(begin(intent, draft, now, command.by), failure);
  const fallback = exhausted && mayReassign(intent) ? policy.fallbackAgentId : undefined;
  if (fallback !== undefined && mayFallBack(intentLog, failure, fallback, command.by))
    fallBack(intentLog, failure, fallback);
  return accept(intent.id);
}

/** The agents of the intent after the fallback agent replaced the failed one. */
function replaced({ agents }: Intent, failed: string, fallback: string): readonly string[] {
  return [...agents.filter((agent) => agent !== failed && agent !== fallback), fallback];
}

/** The policy binds the fallback like any assignment. What it forbids is logged; the failure itself stays on record. */
function mayFallBack(
  { intent, draft, at }: IntentLog,
  { agentId }: Failure,
  fallback: string,
  by: Principal,
): boolean {
  const agents = replaced(intent, agentId, fallback);
  if (agents.length > Math.max(intent.agents.length, AGENTS_MAX)) return false;
  const loosens = whyNotUnassign(intent, agents, by);
  if (loosens === null) return whyNotAssign(intent, fallback, by, draft, at) === null;
  violated(intent, by, draft, at, { rule: "completion_mode", message: loosens.message });
  return false;
}

/** A suspended or ended intent is not reassigned. */
function mayReassign(intent: Intent): boolean {
  return intent.status !== SUSPENDED && !isEnded(intent);
}

function logFailure(intentLog: IntentLog, failure: Failure): IntentLog {
  const { id, agentId, attempt, errorCode, retryAt } = failure;
  const { retry: _before, ...rest } = intentLog.intent;
  const retry = retryAt === undefined ? {} : { retry: { failureId: id, attempt, at: retryAt } };
  return append(
    { ...intentLog, intent: rest },
    {
      type: "failure_recorded",
      payload: {
        failure_id: id,
        agent_id: agentId,
        attempt_number: attempt,
        error_code: errorCode,
        retry_scheduled_at: retryAt === undefined ? null : wireTime(retryAt),
      },
      change: { failures: intentLog.intent.failures + 1, ...retry },
      also: [{ kind: "failure", id, body: failure }],
    },
  );
}

/** Releases the failed agent's leases and assigns the fallback agent. Earlier failures stay on record. */
function fallBack(intentLog: IntentLog, { id, agentId, attempt }: Failure, fallback: string): IntentLog {
  const held = intentLog.intent.leases.filter(
    (lease) => lease.status === "active" && lease.agentId === agentId,
  );
  const released = held.map((lease) => ({ ...lease, status: "released", endedAt: intentLog.at }) as const);
  const freed = logLeases(intentLog, "lease_released", released, { reason: "fallback" });
  const assigned = append(freed, {
    type: "agent_assigned",
    payload: { agent_id: fallback, replaces: agentId, reason: "fallback" },
    change: { agents: replaced(freed.intent, agentId, fallback) },
  });
  return append(assigned, {
    type: "failure_recorded",
    payload: {
      failure_id: id,
      agent_id: agentId,
      attempt_number: attempt,
      fallback_triggered: true,
      fallback_agent_id: fallback,
    },
  });
}

/** Logs that a scheduled retry is due. */
export function logRetryDue(intentLog: IntentLog): IntentLog {
  const { retry, ...rest } = intentLog.intent;
  if (retry === undefined || retry.at > intentLog.at || !mayReassign(intentLog.intent)) return intentLog;
  const payload = { failure_id: retry.failureId, attempt_number: retry.attempt, retry_due: true };
  return append({ ...intentLog, intent: rest }, { type: "failure_recorded", payload });
}

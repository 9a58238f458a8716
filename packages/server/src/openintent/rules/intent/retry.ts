/** What happens when an agent fails: when it shall try again, and who takes over when that was enough. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import type { Draft } from "../world.ts";
import type { RecordFailure, SetRetryPolicy } from "./commands.ts";
import { type Intent, isEnded, type RetryPolicy, SUSPENDED } from "./intent.ts";
import { begin, note, type Story, tell } from "./intent-log.ts";
import { tellLease } from "./leases.ts";
import type { Failure } from "./records.ts";
import { whyNot } from "./who.ts";
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
  note(begin(intent, draft, now, command.by), { retryPolicy });
  return accept(intent.id);
}

/** How long to wait before the nth try again. */
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

/** Without retries the threshold says how many failures are enough. */
function isExhausted({ strategy, maxRetries, failureThreshold }: RetryPolicy, attempt: number): boolean {
  return strategy === "none" ? attempt >= failureThreshold : attempt > maxRetries;
}

export function recordFailure(command: RecordFailure, intent: Intent, draft: Draft, { now }: Context): Reply {
  const denied = whyNot(intent, command.by, "write", now);
  if (denied !== null) return refuse(denied);
  const { attempt = intent.failures + 1, retryAt: asked, ...rest } = command.failure;
  const policy = intent.retryPolicy;
  const exhausted = policy !== undefined && isExhausted(policy, attempt);
  const wait = policy === undefined || exhausted ? null : delayMs(policy, attempt);
  const retryAt = asked ?? (wait === null ? undefined : now + wait);
  const failure: Failure = {
    ...rest,
    intentId: intent.id,
    attempt,
    at: now,
    ...(retryAt === undefined ? {} : { retryAt }),
  };
  const story = tellFailure(begin(intent, draft, now, command.by), failure);
  const fallback = exhausted && mayReassign(intent) ? policy.fallbackAgentId : undefined;
  if (fallback !== undefined) fallBack(story, failure, fallback);
  return accept(intent.id);
}

/** Somebody who waits for a person has not failed. */
function mayReassign(intent: Intent): boolean {
  return intent.status !== SUSPENDED && !isEnded(intent);
}

function tellFailure(story: Story, failure: Failure): Story {
  const { id, agentId, attempt, errorCode, retryAt } = failure;
  const { retry: _before, ...rest } = story.intent;
  const retry = retryAt === undefined ? {} : { retry: { failureId: id, attempt, at: retryAt } };
  return tell(
    { ...story, intent: rest },
    {
      type: "failure_recorded",
      payload: {
        failure_id: id,
        agent_id: agentId,
        attempt_number: attempt,
        error_code: errorCode,
        retry_scheduled_at: retryAt === undefined ? null : wireTime(retryAt),
      },
      change: { failures: story.intent.failures + 1, ...retry },
      also: [{ kind: "failure", id, body: failure }],
    },
  );
}

/** Its leases go, the other agent comes; what failed before stays to be read. */
function fallBack(story: Story, { id, agentId, attempt }: Failure, fallback: string): Story {
  const held = story.intent.leases.filter((lease) => lease.status === "active" && lease.agentId === agentId);
  const freed = held.reduce((told, lease) => {
    const released = { ...lease, status: "released", endedAt: told.at } as const;
    return tellLease(told, "lease_released", released, { reason: "fallback" });
  }, story);
  const others = freed.intent.agents.filter((agent) => agent !== agentId && agent !== fallback);
  const assigned = tell(freed, {
    type: "agent_assigned",
    payload: { agent_id: fallback, replaces: agentId, reason: "fallback" },
    change: { agents: [...others, fallback] },
  });
  return tell(assigned, {
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

/** The moment has come that was promised for trying again. */
export function tellRetryDue(story: Story): Story {
  const { retry, ...rest } = story.intent;
  if (retry === undefined || retry.at > story.at || !mayReassign(story.intent)) return story;
  const payload = { failure_id: retry.failureId, attempt_number: retry.attempt, retry_due: true };
  return tell({ ...story, intent: rest }, { type: "failure_recorded", payload });
}

/** Leases: one agent at a time owns a scope for a limited time. Leases do not expire while the intent is suspended. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { type Failure, failure } from "../failure.ts";
import { whyNoInputs } from "../workflow/inputs.ts";
import type { Draft } from "../world.ts";
import type { AcquireLease, ReleaseLease, RenewLease } from "./commands.ts";
import { type Intent, isEnded, type Lease, SUSPENDED } from "./intent.ts";
import { append, begin, type IntentLog } from "./intent-log.ts";
import { namesOf, type Patch } from "./patch.ts";
import { actingAgent, whyNot } from "./who.ts";
import { wireTime } from "./wire-time.ts";

/** The most ended leases that stay in the list; the log has all of them. */
const ENDED_MAX = 50;
/** All active leases are renewed or ended in one commit, and the intent's row has them (G13). */
const ACTIVE_MAX = 200;
/** The most leases that one step ends; earlier versions had no bound on active ones. The others end in the next step, due at once. */
const LAPSED_MAX = 500;

export function acquireLease(command: AcquireLease, intent: Intent, draft: Draft, { now }: Context): Reply {
  const denied =
    whyNot(intent, command.by, "write", now) ?? whyOver(intent) ?? whyNoInputs(intent, intent.id, draft);
  if (denied !== null) return refuse(denied);
  const held = intent.leases.find(({ scope, status }) => status === "active" && scope === command.scope);
  if (held !== undefined) {
    const message = `agent '${held.agentId}' holds an active lease on this scope; its holder can renew or release it`;
    return refuse(leaseRefusal("lease_taken", message, held));
  }
  if (intent.leases.filter(({ status }) => status === "active").length >= ACTIVE_MAX) {
    const message = `an intent can have at most ${ACTIVE_MAX} active leases. Release one first.`;
    return refuse(failure("too_many", message));
  }
  const agentId = actingAgent(command.by, command.agentId);
  if (typeof agentId !== "string") return refuse(agentId);
  const { leaseId: id, scope, durationMs } = command;
  const times = { acquiredAt: now, durationMs, expiresAt: now + durationMs };
  const lease: Lease = { id, scope, agentId, status: "active", ...times };
  const intentLog = begin(intent, draft, now, command.by);
  logLeases(intentLog, "lease_acquired", [lease]);
  return accept(intent.id);
}

/** OpenIntent clients take a 409 whose body contains "lease" for a lease conflict, so this message avoids the word. */
function whyOver(intent: Intent): Failure | null {
  if (!isEnded(intent)) return null;
  return failure("invalid_transition", "the intent has ended, so no scope of it can be acquired", {
    detail: { from: intent.status, to: "active" },
  });
}

/** The holder may renew until the lease expires; while the intent is suspended, at any time. */
export function renewLease(command: RenewLease, intent: Intent, draft: Draft, { now }: Context): Reply {
  const lease = ownLease(command, intent, now);
  if ("code" in lease) return refuse(lease);
  if (lease.status !== "active")
    return refuse(leaseRefusal("lease_over", "this lease has ended; acquire a new one", lease));
  const { durationMs } = command;
  const renewed = { ...lease, durationMs, expiresAt: now + durationMs };
  const intentLog = begin(intent, draft, now, command.by);
  logLeases(intentLog, "lease_acquired", [renewed], { renewed: true });
  return accept(intent.id);
}

export function releaseLease(command: ReleaseLease, intent: Intent, draft: Draft, { now }: Context): Reply {
  const lease = ownLease(command, intent, now);
  if ("code" in lease) return refuse(lease);
  if (lease.status !== "active") return accept(intent.id);
  const released = { ...lease, status: "released", endedAt: now } as const;
  const intentLog = begin(intent, draft, now, command.by);
  logLeases(intentLog, "lease_released", [released]);
  return accept(intent.id);
}

/** Another agent's lease is treated as missing. */
function ownLease(command: RenewLease | ReleaseLease, intent: Intent, now: number): Lease | Failure {
  const denied = whyNot(intent, command.by, "write", now);
  if (denied !== null) return denied;
  const lease = intent.leases.find(({ id }) => id === command.leaseId);
  return lease?.agentId === command.agentId
    ? lease
    : failure("not_found", "This agent has no lease with this id.");
}

export function leaseRefusal(
  code: "lease_taken" | "lease_over" | "scope_leased",
  message: string,
  lease: Lease,
): Failure {
  const { id, scope, agentId, expiresAt } = lease;
  const existing = { id, scope, agent_id: agentId, status: lease.status, expires_at: wireTime(expiresAt) };
  return failure(code, message, { detail: { existing_lease: existing } });
}

type LeaseEvent = "lease_acquired" | "lease_released";

/** Logs one event for each lease. The list is written with the first of them, so that many leases take linear time. */
export function logLeases(
  intentLog: IntentLog,
  type: LeaseEvent,
  changed: readonly Lease[],
  more: { readonly renewed?: true; readonly reason?: string } = {},
): IntentLog {
  const { leases: before } = intentLog.intent;
  const now = new Map([...before, ...changed].map((lease) => [lease.id, lease]));
  const change = { leases: forgetOld([...now.values()], new Set(changed.map(({ id }) => id))) };
  return changed.reduce((log, { id, scope, agentId, expiresAt }, index) => {
    const until = type === "lease_acquired" ? { expires_at: wireTime(expiresAt) } : {};
    const payload = { lease_id: id, scope, agent_id: agentId, ...until, ...more };
    return append(log, { type, payload, ...(index === 0 ? { change } : {}) });
  }, intentLog);
}

/** Forgets those that ended first. Of those that ended at one moment, what just `changed` is the last: the caller is told of it. */
function forgetOld(leases: readonly Lease[], changed: ReadonlySet<string>): readonly Lease[] {
  const ended = leases
    .filter(({ status }) => status !== "active")
    .toSorted((a, b) => endOf(a) - endOf(b) || Number(changed.has(a.id)) - Number(changed.has(b.id)));
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - ENDED_MAX)).map(({ id }) => id));
  return leases.filter(({ id }) => !forgotten.has(id));
}

/** No ended lease is without the moment of its end. */
function endOf({ endedAt }: Lease): number {
  return endedAt as number;
}

/** Ends the leases that have expired. None expires while the intent is suspended. */
export function lapseLeases(intentLog: IntentLog): IntentLog {
  if (intentLog.intent.status === SUSPENDED) return intentLog;
  const over = overdue(intentLog.intent, intentLog.at).slice(0, LAPSED_MAX);
  const expired = over.map((lease) => ({ ...lease, status: "expired", endedAt: lease.expiresAt }) as const);
  return logLeases(intentLog, "lease_released", expired, { reason: "expired" });
}

function overdue(intent: Intent, now: number): readonly Lease[] {
  return intent.leases.filter(({ status, expiresAt }) => status === "active" && expiresAt <= now);
}

/** After a suspension, every lease that ran out meanwhile gets its full duration again. */
export function restoreLeases(intentLog: IntentLog): IntentLog {
  const { at } = intentLog;
  const restored = overdue(intentLog.intent, at).map((lease) => ({
    ...lease,
    expiresAt: at + lease.durationMs,
  }));
  return logLeases(intentLog, "lease_acquired", restored, { renewed: true, reason: "suspension_ended" });
}

/** A leased scope can be written only by the lease's holder. */
export function whyLeased(intent: Intent, patches: readonly Patch[], agent: string): Failure | null {
  const touched = new Set(patches.map(({ path }) => namesOf(path)[0]));
  const held = intent.leases.find(
    ({ status, agentId, scope }) =>
      status === "active" && agentId !== agent && (touched.has(undefined) || touched.has(scope)),
  );
  return held === undefined
    ? null
    : leaseRefusal("scope_leased", "another agent holds the lease on this scope", held);
}

/** Leases, retries, failures and decisions. */

import type { Bodies, Kind } from "../../../domains.ts";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import type { Entity } from "../../../kernel/entity.ts";
import type { Intent } from "../../rules/intent/intent.ts";
import { readTime } from "../../rules/intent/wire-time.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, fresh, ran } from "../enter.ts";
import type { operations, Routes } from "../operations/index.ts";
import { presentDecision, presentFailure, presentLease, presentRetryPolicy } from "../present.ts";

const LEASE_SECONDS = 300;
const PAGE = 100;

export const work = {
  async acquireLease(call, deps) {
    const { workspace, by, params, body } = call;
    const leaseId = fresh("lease", deps);
    const durationMs = (body.duration_seconds ?? LEASE_SECONDS) * 1000;
    const command = { kind: "acquire_lease", workspace, by, intentId: params.id } as const;
    const intent = await ran({ ...command, ...named(body), leaseId, scope: body.scope, durationMs }, deps);
    return leaseReply(intent, leaseId);
  },

  async listLeases(call, deps) {
    const { body: intent } = (await enter(call.params.id, call, deps)).intent;
    const leases = intent.leases.filter(({ status }) => status !== "released");
    return { status: 200, body: { leases: leases.map((lease) => presentLease(intent.id, lease)) } };
  },

  async renewLease(call, deps) {
    const { workspace, by, params, body } = call;
    const durationMs = (body.duration_seconds ?? LEASE_SECONDS) * 1000;
    const command = {
      kind: "renew_lease",
      workspace,
      by,
      intentId: params.id,
      leaseId: params.lease_id,
    } as const;
    return leaseReply(await ran({ ...command, agentId: by.name, durationMs }, deps), params.lease_id);
  },

  async releaseLease(call, deps) {
    const { workspace, by, params } = call;
    const command = {
      kind: "release_lease",
      workspace,
      by,
      intentId: params.id,
      leaseId: params.lease_id,
    } as const;
    return leaseReply(await ran({ ...command, agentId: by.name }, deps), params.lease_id);
  },

  async setRetryPolicy(call, deps) {
    const { workspace, by, params, body } = call;
    const fallback = body.fallback_agent_id ?? undefined;
    const policy = {
      id: fresh("retry", deps),
      strategy: body.strategy ?? ("exponential" as const),
      maxRetries: body.max_retries ?? 3,
      baseDelayMs: body.base_delay_ms ?? 1_000,
      maxDelayMs: body.max_delay_ms ?? 60_000,
      failureThreshold: body.failure_threshold ?? 3,
      ...(fallback === undefined ? {} : { fallbackAgentId: fallback }),
    };
    const intent = await ran({ kind: "set_retry_policy", workspace, by, intentId: params.id, policy }, deps);
    return policyReply(intent.body);
  },

  async getRetryPolicy(call, deps) {
    return policyReply((await enter(call.params.id, call, deps)).intent.body);
  },

  async recordFailure(call, deps) {
    const { workspace, by, params, body } = call;
    const attempt = body.attempt_number ?? undefined;
    const retryAt = readTime(body.retry_scheduled_at ?? "") ?? undefined;
    const failure = {
      id: fresh("failure", deps),
      ...named(body),
      errorCode: body.error_code ?? body.error_type ?? "UNKNOWN",
      errorMessage: body.error_message ?? "",
      metadata: body.metadata ?? {},
      ...(attempt === undefined ? {} : { attempt }),
      ...(retryAt === undefined ? {} : { retryAt }),
    };
    await ran({ kind: "record_failure", workspace, by, intentId: params.id, failure }, deps);
    const kept = await load(workspace, "failure", failure.id, deps);
    return { status: 200, body: presentFailure(kept) };
  },

  async listFailures(call, deps) {
    const found = await ofIntent(call, "failure", deps);
    return { status: 200, body: { failures: found.map(presentFailure) } };
  },

  async recordDecision(call, deps) {
    const { workspace, by, params, body } = call;
    const { decision_type: decisionType, outcome, reasoning } = body;
    const decision = { id: fresh("decision", deps), decisionType, outcome, reasoning: reasoning ?? "" };
    await ran({ kind: "record_decision", workspace, by, intentId: params.id, decision }, deps);
    const kept = await load(workspace, "decision", decision.id, deps);
    return { status: 200, body: presentDecision(kept) };
  },

  async listDecisions(call, deps) {
    const found = await ofIntent(call, "decision", deps);
    return { status: 200, body: { decisions: found.map(presentDecision) } };
  },
} satisfies Routes;

function named({ agent_id: agentId }: { readonly agent_id?: string | null | undefined }): {
  readonly agentId?: string;
} {
  return agentId == null ? {} : { agentId };
}

function leaseReply({ body: intent }: Entity<Intent>, leaseId: string) {
  const lease = intent.leases.find(({ id }) => id === leaseId);
  if (lease === undefined)
    throw new Error(`Invariant: intent ${intent.id} has no lease ${leaseId} after it was changed`);
  return { status: 200, body: presentLease(intent.id, lease) };
}

function policyReply({ id, retryPolicy }: Intent) {
  if (retryPolicy === undefined) throw fail("not_found", "the intent has no retry policy");
  return { status: 200, body: presentRetryPolicy(id, retryPolicy) };
}

async function load<K extends Kind>(
  workspace: string,
  kind: K,
  id: string,
  { engine }: OpenIntentDeps,
): Promise<Bodies[K]> {
  const [found] = await engine.store.load([{ workspace, kind, id, read: true }]);
  if (found === undefined) throw new Error(`Invariant: ${kind} ${id} was committed but cannot be read back`);
  return found.body as Bodies[K];
}

type ListCall = Call<typeof operations.listFailures> | Call<typeof operations.listDecisions>;

/** The newest records, oldest first. */
async function ofIntent<K extends Kind>(
  call: ListCall,
  kind: K,
  deps: OpenIntentDeps,
): Promise<readonly Bodies[K][]> {
  const { workspace, params, query } = call;
  await enter(params.id, call, deps);
  const index = { name: "intent", value: params.id };
  const limit = query.limit ?? PAGE;
  const found = await deps.engine.store.query({ workspace, kind, index, newestFirst: true, limit });
  return found.map(({ body }) => body as Bodies[K]).toReversed();
}

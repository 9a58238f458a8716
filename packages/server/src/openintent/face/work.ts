/** Leases, retries, failures and decisions. */

import type { Hono } from "hono";
import type { Bodies, Kind } from "../../domains.ts";
import { type Call, type MountOptions, mount } from "../../faces/http/mount.ts";
import { HttpTrouble } from "../../faces/http/respond.ts";
import type { Entity } from "../../kernel/entity.ts";
import { mayOperate } from "../../kernel/principal.ts";
import type { Intent } from "../rules/intent/intent.ts";
import { readTime } from "../rules/intent/wire-time.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { agentOf, enter, fresh, ran } from "./enter.ts";
import { operations } from "./operations/index.ts";
import { presentDecision, presentFailure, presentLease, presentRetryPolicy } from "./present.ts";

const LEASE_SECONDS = 300;
const PAGE = 100;

export function mountWork(app: Hono, deps: OpenIntentDeps, options: MountOptions): void {
  mount(app, operations.acquireLease, (call) => acquire(call, deps), options);
  mount(app, operations.listLeases, (call) => leases(call, deps), options);
  mount(app, operations.renewLease, (call) => renew(call, deps), options);
  mount(app, operations.releaseLease, (call) => release(call, deps), options);
  mount(app, operations.setRetryPolicy, (call) => setRetryPolicy(call, deps), options);
  mount(app, operations.getRetryPolicy, (call) => getRetryPolicy(call, deps), options);
  mount(app, operations.recordFailure, (call) => recordFailure(call, deps), options);
  mount(app, operations.listFailures, (call) => listFailures(call, deps), options);
  mount(app, operations.recordDecision, (call) => recordDecision(call, deps), options);
  mount(app, operations.listDecisions, (call) => listDecisions(call, deps), options);
}

async function acquire(call: Call<typeof operations.acquireLease>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const leaseId = fresh("lease", deps);
  const durationMs = (body.duration_seconds ?? LEASE_SECONDS) * 1000;
  const agentId = agentOf(by, body.agent_id);
  const command = { kind: "acquire_lease", workspace, by, intentId: params.id } as const;
  const intent = await ran({ ...command, leaseId, scope: body.scope, agentId, durationMs }, deps);
  return leaseReply(intent, leaseId);
}

function leaseReply({ body: intent }: Entity<Intent>, leaseId: string) {
  const lease = intent.leases.find(({ id }) => id === leaseId);
  if (lease === undefined) throw new Error("a lease that was changed is there");
  return { status: 200, body: presentLease(intent.id, lease) };
}

async function leases(call: Call<typeof operations.listLeases>, deps: OpenIntentDeps) {
  const { body: intent } = (await enter(call.params.id, call, deps)).intent;
  return { status: 200, body: { leases: intent.leases.map((lease) => presentLease(intent.id, lease)) } };
}

async function renew(call: Call<typeof operations.renewLease>, deps: OpenIntentDeps) {
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
}

async function release(call: Call<typeof operations.releaseLease>, deps: OpenIntentDeps) {
  const { workspace, by, params } = call;
  const command = {
    kind: "release_lease",
    workspace,
    by,
    intentId: params.id,
    leaseId: params.lease_id,
  } as const;
  return leaseReply(await ran({ ...command, agentId: by.name }, deps), params.lease_id);
}

async function setRetryPolicy(call: Call<typeof operations.setRetryPolicy>, deps: OpenIntentDeps) {
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
}

function policyReply({ id, retryPolicy }: Intent) {
  if (retryPolicy === undefined)
    throw new HttpTrouble({ code: "not_found", detail: "the intent has no retry policy" });
  return { status: 200, body: presentRetryPolicy(id, retryPolicy) };
}

async function getRetryPolicy(call: Call<typeof operations.getRetryPolicy>, deps: OpenIntentDeps) {
  return policyReply((await enter(call.params.id, call, deps)).intent.body);
}

async function recordFailure(call: Call<typeof operations.recordFailure>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const attempt = body.attempt_number ?? undefined;
  const retryAt = readTime(body.retry_scheduled_at ?? "") ?? undefined;
  const failure = {
    id: fresh("failure", deps),
    // Who has failed often enough loses its leases, so no agent reports it of another; people may.
    agentId: mayOperate(by) ? (body.agent_id ?? by.name) : agentOf(by, body.agent_id),
    errorCode: body.error_code ?? body.error_type ?? "UNKNOWN",
    errorMessage: body.error_message ?? "",
    metadata: body.metadata ?? {},
    ...(attempt === undefined ? {} : { attempt }),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
  await ran({ kind: "record_failure", workspace, by, intentId: params.id, failure }, deps);
  const kept = await load(workspace, "failure", failure.id, deps);
  return { status: 200, body: presentFailure(kept) };
}

async function load<K extends Kind>(
  workspace: string,
  kind: K,
  id: string,
  { engine }: OpenIntentDeps,
): Promise<Bodies[K]> {
  const [found] = await engine.store.load([{ workspace, kind, id, read: true }]);
  if (found === undefined) throw new Error(`${kind} ${id} was written and is not there`);
  return found.body as Bodies[K];
}

async function listFailures(call: Call<typeof operations.listFailures>, deps: OpenIntentDeps) {
  const found = await ofIntent(call, "failure", deps);
  return { status: 200, body: { failures: found.map(presentFailure) } };
}

async function recordDecision(call: Call<typeof operations.recordDecision>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const { decision_type: decisionType, outcome, reasoning } = body;
  const decision = { id: fresh("decision", deps), decisionType, outcome, reasoning: reasoning ?? "" };
  await ran({ kind: "record_decision", workspace, by, intentId: params.id, decision }, deps);
  const kept = await load(workspace, "decision", decision.id, deps);
  return { status: 200, body: presentDecision(kept) };
}

async function listDecisions(call: Call<typeof operations.listDecisions>, deps: OpenIntentDeps) {
  const found = await ofIntent(call, "decision", deps);
  return { status: 200, body: { decisions: found.map(presentDecision) } };
}

type ListCall = Call<typeof operations.listFailures> | Call<typeof operations.listDecisions>;

/** The newest, in the order they came. */
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

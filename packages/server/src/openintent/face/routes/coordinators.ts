/** Coordinators: who answers for an intent or a portfolio. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { indexed } from "../../reads/graphs.ts";
import type {
  ChangeCoordinator,
  CoordinatorCommand,
  RecordCoordinatorDecision,
} from "../../rules/coordinator/commands.ts";
import type { Coordinator, CoordinatorDecision } from "../../rules/coordinator/coordinator.ts";
import { coordinatorDueAt } from "../../rules/coordinator/coordinator.ts";
import { readTime, wireTime } from "../../rules/intent/wire-time.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, fresh } from "../enter.ts";
import { refusedIntent } from "../errors.ts";
import type { operations, Routes } from "../operations/index.ts";
import { timeOrNull } from "../present.ts";

const HEARTBEAT_SECONDS = 60;

export const coordinators = {
  async grantCoordinator(call, deps) {
    const { workspace, by, body } = call;
    const coordinator = {
      id: fresh("coordinator", deps),
      intentId: body.intent_id ?? null,
      portfolioId: body.portfolio_id ?? null,
      agentId: body.agent_id,
      role: body.role ?? "coordinator",
      supervisorId: body.supervisor_id ?? null,
      type: body.coordinator_type ?? body.type ?? ("llm" as const),
      scope: body.scope ?? (body.intent_id == null ? ("portfolio" as const) : ("intent" as const)),
      guardrails: (body.guardrails ?? null) as JsonObject | null,
      heartbeatMs: (body.heartbeat_interval_seconds ?? HEARTBEAT_SECONDS) * 1000,
      expiresAt: readTime(body.expires_at ?? ""),
      metadata: body.metadata ?? {},
      suspensionPolicy: body.suspension_policy ?? ("isolate" as const),
    };
    return reply(await run({ kind: "grant_coordinator", workspace, by, coordinator }, deps));
  },

  async getCoordinator(call, deps) {
    const { params, workspace, by } = call;
    const coordinator = await find(params.id, workspace, deps);
    const { agentId, supervisorId, intentId } = coordinator;
    const isTheirs = by.name === agentId || by.name === supervisorId;
    // Other callers may see it if they may see the intent or portfolio it answers for.
    if (!isTheirs && intentId !== null) await enter(intentId, call, deps);
    return reply(coordinator);
  },

  async listCoordinators(call, deps) {
    const { workspace, params } = call;
    await enter(params.id, call, deps);
    const index = { name: "intent", value: params.id };
    const found: Coordinator[] = [];
    for await (const page of indexed(deps.engine.store, workspace, "coordinator", index)) {
      for (const { id } of page) found.push(await find(id, workspace, deps));
    }
    return { status: 200, body: found.map(presentCoordinator) };
  },

  async changeCoordinator(call, deps) {
    const { workspace, by, params, body } = call;
    await find(params.id, workspace, deps);
    const { role, supervisor_id: supervisorId, guardrails, metadata, expires_at: expires } = body;
    const { heartbeat_interval_seconds: heartbeat, suspension_policy: suspensionPolicy, status: to } = body;
    const patch: ChangeCoordinator["patch"] = {
      ...(role === undefined ? {} : { role }),
      ...(supervisorId === undefined ? {} : { supervisorId }),
      ...(guardrails === undefined ? {} : { guardrails: guardrails as JsonObject | null }),
      ...(heartbeat === undefined ? {} : { heartbeatMs: heartbeat * 1000 }),
      ...(expires === undefined ? {} : { expiresAt: readTime(expires ?? "") }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(suspensionPolicy === undefined ? {} : { suspensionPolicy }),
    };
    const moved = to === undefined ? {} : { to };
    const on = { workspace, by, coordinatorId: params.id, patch, ...moved } as const;
    return reply(await run({ kind: "change_coordinator", ...on }, deps));
  },

  async beatCoordinator(call, deps) {
    const { workspace, by, params } = call;
    await find(params.id, workspace, deps);
    const { lastHeartbeatAt, heartbeatMs } = await run(
      { kind: "beat_coordinator", workspace, by, coordinatorId: params.id },
      deps,
    );
    return {
      status: 200,
      body: { status: "ok", next_heartbeat_at: wireTime(lastHeartbeatAt + heartbeatMs) },
    };
  },

  pauseCoordinator: (call, deps) => move(call, "paused", deps),

  resumeCoordinator: (call, deps) => move(call, "active", deps),

  async recordCoordinatorDecision(call, deps) {
    const { workspace, by, body } = call;
    const { coordinator_id: coordinatorId, intent_id: intentId, decision_type: decisionType, ...rest } = body;
    const { summary, rationale, ...more } = rest;
    const decision = {
      id: fresh("decision", deps),
      ...{ coordinatorId, intentId, decisionType },
      summary: summary ?? "",
      rationale: rationale ?? "",
      more: more as JsonObject,
    };
    const command = { kind: "record_coordinator_decision", workspace, by, coordinatorId, decision } as const;
    const result = await deps.engine.run(command);
    if (!result.ok) throw refusedIntent(result.failure);
    return {
      status: 200,
      body: presentCoordinatorDecision(result.entity.body),
    };
  },

  async listCoordinatorDecisions(call, deps) {
    const { workspace, params, query } = call;
    await enter(params.id, call, deps);
    const index = { name: "intent", value: params.id };
    const { limit = PAGE } = query;
    const kind = "coordinator_decision";
    const found = await deps.engine.store.query({ workspace, kind, index, newestFirst: true, limit });
    const all = found.map(({ body }) => body);
    const inOrder = all.toSorted((a, b) => a.at - b.at);
    return { status: 200, body: inOrder.map(presentCoordinatorDecision) };
  },
} satisfies Routes;

async function run(
  command: Exclude<CoordinatorCommand, RecordCoordinatorDecision>,
  { engine }: OpenIntentDeps,
): Promise<Coordinator> {
  const result = await engine.run(command);
  if (!result.ok) throw refusedIntent(result.failure);
  return result.entity.body;
}

/** Loads a coordinator after its heartbeat was checked against the current time. */
async function find(id: string, workspace: string, deps: OpenIntentDeps): Promise<Coordinator> {
  const { engine } = deps;
  const [found] = await engine.store.load([{ workspace, kind: "coordinator", id, read: true }]);
  if (found === undefined)
    throw fail("not_found", "there is no coordinator with this id, or this key may not see it");
  const coordinator = found.body;
  const dueAt = coordinatorDueAt(coordinator) ?? Number.POSITIVE_INFINITY;
  if (dueAt > engine.clock.now()) return coordinator;
  return run({ kind: "tick_coordinator", workspace, by: SYSTEM, coordinatorId: id }, deps);
}

type MoveCall = Pick<Call<typeof operations.pauseCoordinator>, "workspace" | "by" | "params" | "body">;

async function move(call: MoveCall, to: "active" | "paused", deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  await find(params.id, workspace, deps);
  const reason = body.reason == null ? {} : { reason: body.reason };
  const on = { workspace, by, coordinatorId: params.id, patch: {}, to, ...reason } as const;
  return reply(await run({ kind: "change_coordinator", ...on }, deps));
}

const PAGE = 50;

function reply(coordinator: Coordinator) {
  return { status: 200, body: presentCoordinator(coordinator) };
}

function presentCoordinator(coordinator: Coordinator): JsonObject {
  return {
    id: coordinator.id,
    intent_id: coordinator.intentId,
    portfolio_id: coordinator.portfolioId,
    agent_id: coordinator.agentId,
    role: coordinator.role,
    supervisor_id: coordinator.supervisorId,
    coordinator_type: coordinator.type,
    type: coordinator.type,
    scope: coordinator.scope,
    status: coordinator.status,
    guardrails: coordinator.guardrails,
    heartbeat_interval_seconds: coordinator.heartbeatMs / 1000,
    last_heartbeat: wireTime(coordinator.lastHeartbeatAt),
    granted_at: wireTime(coordinator.grantedAt),
    expires_at: timeOrNull(coordinator.expiresAt ?? undefined),
    version: coordinator.version,
    metadata: coordinator.metadata,
    suspension_policy: coordinator.suspensionPolicy,
  };
}

function presentCoordinatorDecision(decision: CoordinatorDecision): JsonObject {
  return {
    ...decision.more,
    id: decision.id,
    coordinator_id: decision.coordinatorId,
    intent_id: decision.intentId,
    decision_type: decision.decisionType,
    summary: decision.summary,
    rationale: decision.rationale,
    made_by: decision.madeBy,
    created_at: wireTime(decision.at),
  };
}

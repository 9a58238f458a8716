/** Commands about coordinators: one answers for an intent or a portfolio at a time. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { hearersNeeds } from "../graph/dependents.ts";
import { begin, tell } from "../intent/story.ts";
import { actorOf, whyNot } from "../intent/who.ts";
import { wireTime } from "../intent/wire-time.ts";
import { mayOperate, type Principal } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Change, Need, World } from "../world.ts";
import type {
  BeatCoordinator,
  ChangeCoordinator,
  CoordinatorCommand,
  GrantCoordinator,
  RecordCoordinatorDecision,
  TickCoordinator,
} from "./commands.ts";
import {
  type Coordinator,
  type CoordinatorDecision,
  coordinatorDueAt,
  isCoordinatorOver,
} from "./coordinator.ts";
import { type CoordinatorFact, stateCoordinator } from "./facts.ts";

export function coordinatorNeeds(command: CoordinatorCommand, world: World): readonly Need[] {
  const given = command.kind === "grant_coordinator" ? command.coordinator : undefined;
  const id = command.kind === "grant_coordinator" ? command.coordinator.id : command.coordinatorId;
  const { intentId = null, portfolioId = null } = given ?? world.get("coordinator", id) ?? {};
  const decided = command.kind === "record_coordinator_decision" ? command.decision.intentId : null;
  return [
    { kind: "coordinator", id },
    { kind: "workspace", id: "settings", read: true },
    ...[intentId, decided].flatMap((each) => (each === null ? [] : coveredNeeds(each, world))),
    ...(portfolioId === null ? [] : portfolioNeeds(portfolioId, world)),
  ];
}

function coveredNeeds(intentId: string, world: World): readonly Need[] {
  const intent = world.get("intent", intentId);
  const self: Need = { kind: "intent", id: intentId };
  if (intent === undefined) return [self];
  const { coordinatorId } = intent;
  const before = coordinatorId === undefined ? [] : [{ kind: "coordinator", id: coordinatorId } as const];
  return [self, ...hearersNeeds(intent), ...before];
}

function portfolioNeeds(portfolioId: string, world: World): readonly Need[] {
  const before = world.get("portfolio", portfolioId)?.coordinatorId;
  const self: Need = { kind: "portfolio", id: portfolioId };
  return before === undefined ? [self] : [self, { kind: "coordinator", id: before }];
}

export function decideCoordinator(command: CoordinatorCommand, world: World, context: Context): Decision {
  if (command.kind === "grant_coordinator") return grant(command, world, context);
  const coordinator = world.get("coordinator", command.coordinatorId);
  if (coordinator === undefined) return refuse(refusal("not_found", "no such coordinator"));
  switch (command.kind) {
    case "change_coordinator":
      return change(command, coordinator, world, context);
    case "beat_coordinator":
      return beat(command, coordinator, world, context);
    case "record_coordinator_decision":
      return record(command, coordinator, world, context);
    case "tick_coordinator":
      return tick(command, coordinator, world, context);
  }
}

function grant({ by, coordinator: given }: GrantCoordinator, world: World, { now }: Context): Decision {
  const { id, intentId, portfolioId } = given;
  if (by.role === "auditor") return refuse(refusal("not_allowed", "the role auditor only reads"));
  const intent = intentId === null ? undefined : world.get("intent", intentId);
  const portfolio = portfolioId === null ? undefined : world.get("portfolio", portfolioId);
  if (intentId !== null && intent === undefined) return refuse(refusal("not_found", "no such intent"));
  if (portfolioId !== null && portfolio === undefined)
    return refuse(refusal("not_found", "no such portfolio"));
  const denied = intent === undefined ? null : whyNot(intent, by, "write", now);
  const taken = denied ?? whyTaken([intent?.coordinatorId, portfolio?.coordinatorId], world);
  if (taken !== null) return refuse(taken);
  const coordinator: Coordinator = {
    ...given,
    status: "active",
    lastHeartbeatAt: now,
    grantedAt: now,
    version: 1,
  };
  const also: Change[] = [];
  if (intent !== undefined)
    also.push({ kind: "intent", id: intent.id, body: { ...intent, coordinatorId: id } });
  if (portfolio !== undefined)
    also.push({ kind: "portfolio", id: portfolio.id, body: { ...portfolio, coordinatorId: id } });
  return accept("coordinator", id, [
    stateCoordinator("coordinator.granted", coordinator, now, actorOf(by), { also }),
  ]);
}

/** It is a lease, and refused as one. */
function whyTaken(ids: readonly (string | undefined)[], world: World): Refusal | null {
  const held = ids
    .map((id) => (id === undefined ? undefined : world.get("coordinator", id)))
    .find((other) => other !== undefined && !isCoordinatorOver(other));
  if (held === undefined) return null;
  const { id, agentId, status, expiresAt } = held;
  const existing = {
    id,
    agent_id: agentId,
    scope: "coordinator",
    status,
    expires_at: expiresAt === null ? null : wireTime(expiresAt),
  };
  return refusal("lease_taken", "another coordinator holds this lease", {
    detail: { existing_lease: existing },
  });
}

/** Its supervisor and people; itself only for what does not loosen its reins. */
function whyNotChange(coordinator: Coordinator, by: Principal, own: boolean): Refusal | null {
  const { supervisorId, agentId } = coordinator;
  if (mayOperate(by) || by.name === supervisorId || (own && by.name === agentId)) return null;
  return refusal("not_allowed", "only its supervisor or a person may do this");
}

type Patch = ChangeCoordinator["patch"];

const HELD = ["supervisorId", "guardrails"] as const satisfies readonly (keyof Patch)[];
const WATCHED = ["suspensionPolicy", "heartbeatMs", "expiresAt"] as const satisfies readonly (keyof Patch)[];

/** Who has a supervisor does not choose another, nor how long and how closely it is watched. */
function isOwnAffair(coordinator: Coordinator, { patch, to }: ChangeCoordinator): boolean {
  const reins = coordinator.supervisorId === null ? HELD : [...HELD, ...WATCHED];
  const isLoose = reins.some((name) => patch[name] !== undefined && patch[name] !== coordinator[name]);
  return to !== "active" && !isLoose;
}

function change(
  command: ChangeCoordinator,
  coordinator: Coordinator,
  world: World,
  { now }: Context,
): Decision {
  const { by, patch, to, reason } = command;
  const denied = whyNotChange(coordinator, by, isOwnAffair(coordinator, command));
  if (denied !== null) return refuse(denied);
  const from = coordinator.status;
  if (isCoordinatorOver(coordinator) || (to === "active" && from !== "paused" && from !== "unresponsive")) {
    const detail = { from, to: to ?? from };
    return refuse(refusal("invalid_transition", `the coordinator is ${from}`, { detail }));
  }
  const changed: Coordinator = {
    ...coordinator,
    ...patch,
    version: coordinator.version + 1,
    ...(to === undefined ? {} : { status: to }),
    ...(to === "active" ? { lastHeartbeatAt: now } : {}),
  };
  const why = reason === undefined ? {} : { reason };
  const data = to === undefined ? { fields: Object.keys(patch) } : why;
  const type = to === undefined ? "coordinator.changed" : MOVES[to];
  return stated(type, changed, by, world, now, data);
}

const MOVES = {
  active: "coordinator.resumed",
  paused: "coordinator.paused",
  completed: "coordinator.completed",
} as const satisfies Readonly<Record<string, CoordinatorFact["type"]>>;

/** What clients know a name for is told in the intent's log too. */
const TOLD: ReadonlySet<string> = new Set([
  "coordinator.paused",
  "coordinator.resumed",
  "coordinator.unresponsive",
]);

function stated(
  type: CoordinatorFact["type"],
  coordinator: Coordinator,
  by: Principal,
  world: World,
  at: number,
  data: CoordinatorFact["data"] = {},
): Decision {
  const fact = stateCoordinator(type, coordinator, at, actorOf(by), { data });
  const { id, intentId } = coordinator;
  const intent = intentId === null ? undefined : world.get("intent", intentId);
  if (intent === undefined || !TOLD.has(type)) return accept("coordinator", id, [fact]);
  const told = tell(begin(intent, world, at, by), { type, payload: { coordinator_id: id, ...data } });
  return accept("coordinator", id, [fact, ...told.facts]);
}

/** Whoever was taken for gone and is not is back. */
function beat({ by }: BeatCoordinator, coordinator: Coordinator, world: World, { now }: Context): Decision {
  if (by.name !== coordinator.agentId && !mayOperate(by)) {
    return refuse(refusal("not_allowed", "a heartbeat comes from the coordinator itself"));
  }
  if (isCoordinatorOver(coordinator)) {
    const detail = { from: coordinator.status, to: "active" };
    return refuse(refusal("invalid_transition", `the coordinator is ${coordinator.status}`, { detail }));
  }
  const alive: Coordinator = { ...coordinator, lastHeartbeatAt: now };
  if (coordinator.status !== "unresponsive") {
    return accept("coordinator", alive.id, [
      stateCoordinator("coordinator.heartbeat", alive, now, actorOf(by)),
    ]);
  }
  const back: Coordinator = { ...alive, status: "active", version: alive.version + 1 };
  return stated("coordinator.resumed", back, by, world, now, { reason: "heartbeat" });
}

function tick({ by }: TickCoordinator, coordinator: Coordinator, world: World, { now }: Context): Decision {
  if ((coordinatorDueAt(coordinator) ?? Number.POSITIVE_INFINITY) > now) {
    return accept("coordinator", coordinator.id, []);
  }
  const { expiresAt, lastHeartbeatAt, version } = coordinator;
  if (expiresAt !== null && expiresAt <= now) {
    const over: Coordinator = { ...coordinator, status: "completed", version: version + 1 };
    return stated("coordinator.completed", over, by, world, now, { reason: "expired" });
  }
  const silent: Coordinator = { ...coordinator, status: "unresponsive", version: version + 1 };
  const data = { last_heartbeat: wireTime(lastHeartbeatAt), missed_count: 2 };
  return stated("coordinator.unresponsive", silent, by, world, now, data);
}

function record(
  { by, decision: given }: RecordCoordinatorDecision,
  coordinator: Coordinator,
  world: World,
  { now }: Context,
): Decision {
  const intent = world.get("intent", given.intentId);
  if (intent === undefined) return refuse(refusal("not_found", "no such intent"));
  const denied = whyNot(intent, by, "write", now) ?? whyNotChange(coordinator, by, true);
  if (denied !== null) return refuse(denied);
  const decision: CoordinatorDecision = { ...given, madeBy: actorOf(by), at: now };
  const told = tell(begin(intent, world, now, by), decisionEntry(decision));
  return accept("coordinator_decision", decision.id, told.facts);
}

export function decisionEntry(decision: CoordinatorDecision) {
  const { id, coordinatorId, decisionType, summary, rationale, more } = decision;
  return {
    type: "coordinator.decision",
    payload: {
      ...more,
      decision_id: id,
      coordinator_id: coordinatorId,
      decision_type: decisionType,
      summary,
      rationale,
    },
    also: [{ kind: "coordinator_decision", id, body: decision } as const],
  };
}

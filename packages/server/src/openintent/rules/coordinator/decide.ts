/** Commands on coordinators. An intent or a portfolio has at most one coordinator that is not over. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { mayOperate, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import { portfolioReadNeeds } from "../graph/dependents.ts";
import type { Intent } from "../intent/intent.ts";
import { append, begin, changeIntent } from "../intent/intent-log.ts";
import { READ_WATCHERS } from "../intent/watchers.ts";
import { actorOf, whyNot, whyNotShare } from "../intent/who.ts";
import { wireTime } from "../intent/wire-time.ts";
import { whyNotManage } from "../portfolio/decide.ts";
import type { Change, Draft, Need, World } from "../world.ts";
import type {
  BeatCoordinator,
  ChangeCoordinator,
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
import { decisionEntry } from "./decision-entry.ts";
import { type CoordinatorFact, coordinatorFact } from "./facts.ts";

export function grantNeeds({ coordinator }: GrantCoordinator, world: World): readonly Need[] {
  return needsOf(coordinator.id, coordinator, world);
}

export function coordinatorNeeds(
  { coordinatorId }: { readonly coordinatorId: string },
  world: World,
): readonly Need[] {
  return needsOf(coordinatorId, world.get("coordinator", coordinatorId), world);
}

export function recordNeeds(command: RecordCoordinatorDecision, world: World): readonly Need[] {
  return [...coordinatorNeeds(command, world), ...coveredNeeds(command.decision.intentId, world)];
}

function needsOf(
  id: string,
  covered: Pick<Coordinator, "intentId" | "portfolioId"> | undefined,
  world: World,
): readonly Need[] {
  const { intentId = null, portfolioId = null } = covered ?? {};
  return [
    { kind: "coordinator", id },
    ...READ_WATCHERS,
    ...(intentId === null ? [] : coveredNeeds(intentId, world)),
    ...(portfolioId === null ? [] : portfolioNeeds(portfolioId, world)),
  ];
}

function coveredNeeds(intentId: string, world: World): readonly Need[] {
  const intent = world.get("intent", intentId);
  const self: Need = { kind: "intent", id: intentId };
  if (intent === undefined) return [self];
  const { coordinatorId } = intent;
  const before = coordinatorId === undefined ? [] : [{ kind: "coordinator", id: coordinatorId } as const];
  return [self, ...portfolioReadNeeds(intent), ...before];
}

function portfolioNeeds(portfolioId: string, world: World): readonly Need[] {
  const before = world.get("portfolio", portfolioId)?.coordinatorId;
  const self: Need = { kind: "portfolio", id: portfolioId };
  return before === undefined ? [self] : [self, { kind: "coordinator", id: before }];
}

type Decide<C> = (command: C, coordinator: Coordinator, draft: Draft, context: Context) => Reply;

/** Wraps a decision that needs an existing coordinator. */
function onCoordinator<C extends { readonly coordinatorId: string }>(decide: Decide<C>) {
  return (command: C, draft: Draft, context: Context): Reply => {
    const coordinator = draft.get("coordinator", command.coordinatorId);
    if (coordinator === undefined)
      return refuse(failure("not_found", "There is no coordinator with this id."));
    return decide(command, coordinator, draft, context);
  };
}

export function grantCoordinator(
  { by, coordinator: given }: GrantCoordinator,
  draft: Draft,
  { now }: Context,
): Reply {
  const { id, intentId, portfolioId } = given;
  const intent = intentId === null ? undefined : draft.get("intent", intentId);
  const portfolio = portfolioId === null ? undefined : draft.get("portfolio", portfolioId);
  if (intentId !== null && intent === undefined)
    return refuse(failure("not_found", "There is no intent with this id."));
  if (portfolioId !== null && portfolio === undefined)
    return refuse(failure("not_found", "There is no portfolio with this id."));
  const denied =
    (intent === undefined ? null : whyNotShare(intent, by, now)) ??
    (portfolio === undefined ? null : whyNotManage(portfolio, by));
  const taken = denied ?? whyTaken([intent?.coordinatorId, portfolio?.coordinatorId], draft);
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
    also.push({
      kind: "intent",
      id: intent.id,
      body: { ...intent, coordinatorId: id, coordinatorAgent: given.agentId },
    });
  if (portfolio !== undefined)
    also.push({ kind: "portfolio", id: portfolio.id, body: { ...portfolio, coordinatorId: id } });
  draft.state(coordinatorFact("coordinator.granted", coordinator, now, actorOf(by), { also }));
  return accept(id);
}

/** A coordinator's grant is a lease, so a second grant is refused with `lease_taken`. */
function whyTaken(ids: readonly (string | undefined)[], world: World): Failure | null {
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
  return failure("lease_taken", "another coordinator already holds this lease", {
    detail: { existing_lease: existing },
  });
}

/** The supervisor and people may change it. The coordinator may change itself only where `own` allows it. */
function whyNotChange(coordinator: Coordinator, by: Principal, own: boolean): Failure | null {
  const { supervisorId, agentId } = coordinator;
  if (mayOperate(by) || by.name === supervisorId || (own && by.name === agentId)) return null;
  return failure("not_allowed", "only the coordinator's supervisor or a person may do this");
}

type Patch = ChangeCoordinator["patch"];

const SUPERVISOR_ONLY = ["supervisorId", "guardrails"] as const satisfies readonly (keyof Patch)[];
const SUPERVISED_ONLY = [
  "suspensionPolicy",
  "heartbeatMs",
  "expiresAt",
] as const satisfies readonly (keyof Patch)[];

/** A coordinator may not reactivate itself or change its own limits. If it has a supervisor, that includes how it is watched. */
function mayChangeItself(coordinator: Coordinator, { patch, to }: ChangeCoordinator): boolean {
  const limits =
    coordinator.supervisorId === null ? SUPERVISOR_ONLY : [...SUPERVISOR_ONLY, ...SUPERVISED_ONLY];
  const changesLimits = limits.some((name) => patch[name] !== undefined && patch[name] !== coordinator[name]);
  return to !== "active" && !changesLimits;
}

function change(command: ChangeCoordinator, coordinator: Coordinator, draft: Draft, { now }: Context): Reply {
  const { by, patch, to, reason } = command;
  const denied = whyNotChange(coordinator, by, mayChangeItself(coordinator, command));
  if (denied !== null) return refuse(denied);
  const from = coordinator.status;
  if (isCoordinatorOver(coordinator) || (to === "active" && from !== "paused" && from !== "unresponsive")) {
    const detail = { from, to: to ?? from };
    return refuse(failure("invalid_transition", `the coordinator is ${from}`, { detail }));
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
  return stated(type, changed, by, draft, now, data);
}

const MOVES = {
  active: "coordinator.resumed",
  paused: "coordinator.paused",
  completed: "coordinator.completed",
} as const satisfies Readonly<Record<string, CoordinatorFact["type"]>>;

/** OpenIntent clients know these event types, so the intent's log gets them too. */
const ALSO_IN_INTENT_LOG: ReadonlySet<string> = new Set([
  "coordinator.paused",
  "coordinator.resumed",
  "coordinator.unresponsive",
]);

function stated(
  type: CoordinatorFact["type"],
  coordinator: Coordinator,
  by: Principal,
  draft: Draft,
  at: number,
  data: CoordinatorFact["data"] = {},
): Reply {
  draft.state(coordinatorFact(type, coordinator, at, actorOf(by), { data }));
  const { id, intentId } = coordinator;
  const intent = intentId === null ? undefined : draft.get("intent", intentId);
  if (intent?.coordinatorId === id && isCoordinatorOver(coordinator)) endAccess(intent, draft, at, by);
  if (intent !== undefined && ALSO_IN_INTENT_LOG.has(type))
    append(begin(intent, draft, at, by), { type, payload: { coordinator_id: id, ...data } });
  return accept(id);
}

/** A coordinator that is over no longer has access to the intent. */
function endAccess({ coordinatorAgent: _over, ...intent }: Intent, draft: Draft, at: number, by: Principal) {
  changeIntent(begin(intent, draft, at, by), {});
}

/** A heartbeat from a coordinator that was marked unresponsive makes it active again. */
function beat({ by }: BeatCoordinator, coordinator: Coordinator, draft: Draft, { now }: Context): Reply {
  if (by.name !== coordinator.agentId && !mayOperate(by)) {
    return refuse(failure("not_allowed", "only the coordinator itself may send its heartbeat"));
  }
  if (isCoordinatorOver(coordinator)) {
    const detail = { from: coordinator.status, to: "active" };
    return refuse(failure("invalid_transition", `the coordinator is ${coordinator.status}`, { detail }));
  }
  const alive: Coordinator = { ...coordinator, lastHeartbeatAt: now };
  if (coordinator.status !== "unresponsive") {
    draft.state(coordinatorFact("coordinator.heartbeat", alive, now, actorOf(by)));
    return accept(alive.id);
  }
  const back: Coordinator = { ...alive, status: "active", version: alive.version + 1 };
  return stated("coordinator.resumed", back, by, draft, now, { reason: "heartbeat" });
}

function tick({ by }: TickCoordinator, coordinator: Coordinator, draft: Draft, { now }: Context): Reply {
  if ((coordinatorDueAt(coordinator) ?? Number.POSITIVE_INFINITY) > now) {
    return accept(coordinator.id);
  }
  const { expiresAt, lastHeartbeatAt, version } = coordinator;
  if (expiresAt !== null && expiresAt <= now) {
    const over: Coordinator = { ...coordinator, status: "completed", version: version + 1 };
    return stated("coordinator.completed", over, by, draft, now, { reason: "expired" });
  }
  const silent: Coordinator = { ...coordinator, status: "unresponsive", version: version + 1 };
  const data = { last_heartbeat: wireTime(lastHeartbeatAt), missed_count: 2 };
  return stated("coordinator.unresponsive", silent, by, draft, now, data);
}

function record(
  { by, decision: given }: RecordCoordinatorDecision,
  coordinator: Coordinator,
  draft: Draft,
  { now }: Context,
): Reply {
  const intent = draft.get("intent", given.intentId);
  if (intent === undefined) return refuse(failure("not_found", "There is no intent with this id."));
  const denied = whyNot(intent, by, "write", now) ?? whyNotChange(coordinator, by, true);
  if (denied !== null) return refuse(denied);
  const decision: CoordinatorDecision = { ...given, madeBy: actorOf(by), at: now };
  append(begin(intent, draft, now, by), decisionEntry(decision));
  return accept(decision.id);
}

export const changeCoordinator = onCoordinator(change);
export const beatCoordinator = onCoordinator(beat);
export const recordCoordinatorDecision = onCoordinator(record);
export const tickCoordinator = onCoordinator(tick);

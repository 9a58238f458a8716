/** Who works on an intent, by which rules, and what was decided on the way. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import type { AssignAgent, RecordDecision, SetGovernance } from "./commands.ts";
import type { Intent } from "./intent.ts";
import type { DecisionRecord } from "./records.ts";
import { whyStale } from "./stale.ts";
import { begin, bump, tell } from "./story.ts";
import { actorOf, whyNot } from "./who.ts";

export function assignAgent(command: AssignAgent, intent: Intent, world: World, { now }: Context): Decision {
  const denied = whyNot(intent, command.by, "write", now);
  if (denied !== null) return refuse(denied);
  const { agentId } = command;
  const isThere = intent.agents.includes(agentId);
  const comes = command.kind === "assign_agent";
  if (!comes && !isThere) return refuse(refusal("not_found", "this agent is not assigned"));
  if (comes && isThere) return accept("intent", intent.id, []);
  const others = intent.agents.filter((agent) => agent !== agentId);
  const told = tell(begin(intent, world, now, command.by), {
    type: comes ? "agent_assigned" : "agent_unassigned",
    payload: { agent_id: agentId },
    change: { agents: comes ? [...others, agentId] : others },
  });
  return accept("intent", intent.id, told.facts);
}

export function setGovernance(
  command: SetGovernance,
  intent: Intent,
  world: World,
  { now }: Context,
): Decision {
  const denied = whyNot(intent, command.by, "admin", now) ?? whyStale(intent, command.ifVersion);
  if (denied !== null) return refuse(denied);
  const { policy } = command;
  const { governance: _before, ...rest } = intent;
  const next: Intent = policy === null ? rest : { ...rest, governance: policy };
  const told = tell(bump(begin(next, world, now, command.by)), {
    type: policy === null ? "governance.policy_removed" : "governance.policy_set",
    payload: policy === null ? {} : { governance_policy: policy },
  });
  return accept("intent", intent.id, told.facts);
}

export function recordDecision(
  command: RecordDecision,
  intent: Intent,
  world: World,
  { now }: Context,
): Decision {
  const denied = whyNot(intent, command.by, "write", now);
  if (denied !== null) return refuse(denied);
  const decision: DecisionRecord = {
    ...command.decision,
    intentId: intent.id,
    madeBy: actorOf(command.by),
    at: now,
  };
  const { id, decisionType, outcome } = decision;
  const told = tell(begin(intent, world, now, command.by), {
    type: "decision_recorded",
    payload: { decision_id: id, decision_type: decisionType, outcome },
    also: [{ kind: "decision", id, body: decision }],
  });
  return accept("intent", intent.id, told.facts);
}

/** Assigns agents to an intent, sets its governance policy and records decisions. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { failure } from "../failure.ts";
import type { Draft } from "../world.ts";
import type { AssignAgent, RecordDecision, SetGovernance } from "./commands.ts";
import { whyBadPolicy, whyNotAssign, whyNotLoosen, whyNotUnassign } from "./governance.ts";
import { AGENTS_MAX, type Intent } from "./intent.ts";
import { append, begin, nextVersion } from "./intent-log.ts";
import type { DecisionRecord } from "./records.ts";
import { whyStale } from "./stale.ts";
import { actorOf, whyNot, whyNotShare } from "./who.ts";

export function assignAgent(command: AssignAgent, intent: Intent, draft: Draft, { now }: Context): Reply {
  const denied = whyNotShare(intent, command.by, now);
  if (denied !== null) return refuse(denied);
  const { agentId } = command;
  const isAssigned = intent.agents.includes(agentId);
  const assigns = command.kind === "assign_agent";
  const barred = assigns ? whyNotAssign(intent, agentId, command.by, draft, now) : null;
  if (barred !== null) return refuse(barred);
  if (!assigns && !isAssigned)
    return refuse(failure("not_found", "this agent is not assigned to the intent"));
  if (assigns && isAssigned) return accept(intent.id);
  if (assigns && intent.agents.length >= AGENTS_MAX) {
    const message = `at most ${AGENTS_MAX} agents can be assigned to an intent. Take one off first.`;
    return refuse(failure("too_many", message));
  }
  const others = intent.agents.filter((agent) => agent !== agentId);
  const loosens = assigns ? null : whyNotUnassign(intent, others, command.by);
  if (loosens !== null) return refuse(loosens);
  append(begin(intent, draft, now, command.by), {
    type: assigns ? "agent_assigned" : "agent_unassigned",
    payload: { agent_id: agentId },
    change: { agents: assigns ? [...others, agentId] : others },
  });
  return accept(intent.id);
}

export function setGovernance(command: SetGovernance, intent: Intent, draft: Draft, { now }: Context): Reply {
  const { policy } = command;
  const denied =
    whyNot(intent, command.by, "admin", now) ??
    whyStale(intent, command.ifVersion) ??
    whyBadPolicy(policy ?? {}) ??
    whyNotLoosen(intent, policy, command.by);
  if (denied !== null) return refuse(denied);
  const { governance: _before, ...rest } = intent;
  const next: Intent = policy === null ? rest : { ...rest, governance: policy };
  append(nextVersion(begin(next, draft, now, command.by)), {
    type: policy === null ? "governance.policy_removed" : "governance.policy_set",
    payload: policy === null ? {} : { governance_policy: policy },
  });
  return accept(intent.id);
}

export function recordDecision(
  command: RecordDecision,
  intent: Intent,
  draft: Draft,
  { now }: Context,
): Reply {
  const denied = whyNot(intent, command.by, "write", now);
  if (denied !== null) return refuse(denied);
  const decision: DecisionRecord = {
    ...command.decision,
    intentId: intent.id,
    madeBy: actorOf(command.by),
    at: now,
  };
  const { id, decisionType, outcome } = decision;
  append(begin(intent, draft, now, command.by), {
    type: "decision_recorded",
    payload: { decision_id: id, decision_type: decisionType, outcome },
    also: [{ kind: "decision", id, body: decision }],
  });
  return accept(intent.id);
}

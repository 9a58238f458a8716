/**
 * An intent's governance policy: who may write, and who must agree before the intent completes. A policy that cannot be enforced
 * is refused when it is set, so that nobody relies on it.
 */

import { type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import { mayPlace, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { Draft } from "../world.ts";
import type { Intent } from "./intent.ts";
import { append, begin } from "./intent-log.ts";
import { actorOf } from "./who.ts";

export const COMPLETION_MODES = ["auto", "require_approval", "quorum"] as const;
export const WRITE_SCOPES = ["any", "assigned_only"] as const;
const QUORUM = 0.6;

export interface Policy {
  readonly completionMode: (typeof COMPLETION_MODES)[number];
  readonly writeScope: (typeof WRITE_SCOPES)[number];
  readonly quorumThreshold: number;
  readonly allowedAgents: readonly string[];
  readonly requireStatusReason: boolean;
}

/**
 * The policy as it is enforced. Earlier versions stored policies unchecked: a completion mode that nobody knows asks for
 * approval, and an unknown scope lets only assigned agents write.
 */
export function effectivePolicy(governance: JsonObject = {}): Policy {
  const { completion_mode, write_scope, quorum_threshold: quorum, allowed_agents: agents } = governance;
  const mode = completion_mode ?? "auto";
  const scope = write_scope ?? "any";
  return {
    completionMode: COMPLETION_MODES.find((known) => known === mode) ?? "require_approval",
    writeScope: WRITE_SCOPES.find((known) => known === scope) ?? "assigned_only",
    quorumThreshold: typeof quorum === "number" ? quorum : QUORUM,
    allowedAgents: Array.isArray(agents) ? agents.filter((agent) => typeof agent === "string") : [],
    requireStatusReason: governance["require_status_reason"] === true,
  };
}

type Check = readonly [name: string, isValid: (value: Json) => boolean, message: string];

const CHECKS: readonly Check[] = [
  ["completion_mode", oneOf(COMPLETION_MODES), `must be one of ${COMPLETION_MODES.join(", ")}`],
  ["write_scope", oneOf(WRITE_SCOPES), `must be one of ${WRITE_SCOPES.join(", ")}`],
  [
    "quorum_threshold",
    (value) => typeof value === "number" && value > 0 && value <= 1,
    "must be a number greater than 0 and at most 1",
  ],
  ["max_cost", (value) => typeof value === "number" && value >= 0, "must be a number that is not negative"],
  [
    "allowed_agents",
    (value) => Array.isArray(value) && value.every((agent) => typeof agent === "string"),
    "must be a list of agents' names",
  ],
  ["require_status_reason", (value) => typeof value === "boolean", "must be true or false"],
];

function oneOf(words: readonly string[]): (value: Json) => boolean {
  return (value) => typeof value === "string" && words.includes(value);
}

export function whyBadPolicy(policy: JsonObject): Failure | null {
  const problems = CHECKS.flatMap(([name, isValid, message]) => {
    const value = member(policy, name) ?? null;
    return value === null || isValid(value) ? [] : [{ key: `/${name}`, rule: "policy", message }];
  });
  if (problems.length === 0) return null;
  const first = problems.map(({ key, message }) => `${key.slice(1)} ${message}`).join("; ");
  return failure("invalid_policy", `the governance policy cannot be enforced: ${first}`, { problems });
}

/** An agent may not remove or change what makes it wait for people. */
export function whyNotLoosen(intent: Intent, next: JsonObject | null, by: Principal): Failure | null {
  const now = effectivePolicy(intent.governance);
  const after = effectivePolicy(next ?? {});
  const isKept = now.completionMode === after.completionMode && now.quorumThreshold <= after.quorumThreshold;
  if (now.completionMode === "auto" || isKept || (by.role !== "agent" && by.role !== "app")) return null;
  return failure(
    "not_allowed",
    `the policy asks people before the intent completes, and role '${by.role}' cannot loosen it; use an operator or admin key`,
  );
}

/** How many people must approve; `null`: a quorum of nobody cannot be reached. */
export function neededOf({ governance, agents }: Pick<Intent, "governance" | "agents">): number | null {
  const { completionMode, quorumThreshold } = effectivePolicy(governance);
  if (completionMode !== "quorum") return 1;
  return agents.length === 0 ? null : Math.max(1, Math.floor(agents.length * quorumThreshold));
}

/** A quorum is a part of the assigned agents, so an agent that unassigns others would loosen the policy. */
export function whyNotUnassign(intent: Intent, agents: readonly string[], by: Principal): Failure | null {
  if (by.role !== "agent" && by.role !== "app") return null;
  const before = neededOf(intent);
  const after = neededOf({ ...intent, agents });
  if (before === null || after === null || after >= before) return null;
  return failure(
    "not_allowed",
    `fewer people would have to approve the completion then, and role '${by.role}' cannot loosen the policy; use an operator or admin key`,
  );
}

/** Callers that act for an agent are bound by the policy. People who operate the server are not. */
export function whyNotWrite(intent: Intent, by: Principal, draft: Draft, now: number): Failure | null {
  const { writeScope, allowedAgents } = effectivePolicy(intent.governance);
  const agent = actorOf(by);
  if (!mayPlace(by)) return null;
  if (writeScope === "assigned_only" && !intent.agents.includes(agent)) {
    const message = `the policy lets only assigned agents write, and '${agent}' is not assigned to the intent`;
    return violated(intent, by, draft, now, { rule: "write_scope", message });
  }
  if (allowedAgents.length === 0 || allowedAgents.includes(agent)) return null;
  const message = `the policy names the agents that may write, and '${agent}' is not among them`;
  return violated(intent, by, draft, now, { rule: "allowed_agents", message });
}

export function whyNotAssign(
  intent: Intent,
  agentId: string,
  by: Principal,
  draft: Draft,
  now: number,
): Failure | null {
  const { allowedAgents } = effectivePolicy(intent.governance);
  if (allowedAgents.length === 0 || allowedAgents.includes(agentId)) return null;
  const message = `the policy names the agents that may be assigned, and '${agentId}' is not among them`;
  return violated(intent, by, draft, now, { rule: "allowed_agents", message });
}

export function whyNoReason(intent: Intent, reason: string | undefined): Failure | null {
  const { requireStatusReason } = effectivePolicy(intent.governance);
  if (!requireStatusReason || (reason ?? "") !== "") return null;
  const message = "the policy requires a reason for every change of status; send `reason`";
  return violation({ rule: "require_status_reason", message });
}

interface Broken {
  readonly rule: string;
  readonly message: string;
  readonly detail?: JsonObject;
}

/** Refuses, and keeps the attempt in the intent's log although the command changes nothing else. */
export function violated(intent: Intent, by: Principal, draft: Draft, now: number, broken: Broken): Failure {
  append(begin(intent, draft, now, by), {
    type: "governance.violation",
    payload: { rule: broken.rule, detail: broken.message, ...broken.detail },
  });
  draft.keepSoFar();
  return violation(broken);
}

export function violation({ rule, message, detail = {} }: Broken): Failure {
  return failure("governance_violation", message, { detail: { rule, ...detail } });
}

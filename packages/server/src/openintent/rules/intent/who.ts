/** Access to intents. Without an access list every principal of the workspace has access; a list restricts it. */

import { mayOperate, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import { type AclEntry, type Intent, LEVELS, type Level } from "./intent.ts";

/** The actor's name in an intent's log: the principal's name, never its key. */
export function actorOf(by: Principal): string {
  if (by.via === "system") return "system";
  return by.name === "" ? `${by.via}:${by.id}` : by.name;
}

type Viewer = Pick<Principal, "role" | "name">;

/** The highest level this principal has; `null` if it may not even read. */
export function levelOf(intent: Pick<Intent, "acl" | "createdBy">, by: Viewer, now: number): Level | null {
  // Admins can always change the list, and auditors can always read.
  if (by.role === "admin" || by.role === "dev" || by.role === "system") return "admin";
  if (by.role === "auditor") return "read";
  const { acl } = intent;
  if (acl === undefined || acl.policy === "open" || intent.createdBy === by.name) return "admin";
  const granted = acl.entries
    .filter((entry) => isFor(entry, by) && (entry.expiresAt ?? Number.POSITIVE_INFINITY) > now)
    .map((entry) => LEVELS.indexOf(entry.permission));
  return LEVELS[Math.max(...granted)] ?? null;
}

/**
 * Many clients send the type `agent` for everything, so an `agent` entry matches any principal with that name. An entry for
 * a person does not match an agent of the same name. Group entries match nobody: this server knows no group members.
 */
function isFor({ principalId, principalType }: Pick<AclEntry, "principalId" | "principalType">, by: Viewer) {
  if (principalId !== by.name) return false;
  return principalType === "agent" || (PERSONS.has(principalType) && by.role !== "agent");
}

const PERSONS: ReadonlySet<string> = new Set(["user", "human", "person", "operator"]);

export function may(
  intent: Pick<Intent, "acl" | "createdBy">,
  by: Viewer,
  level: Level,
  now: number,
): boolean {
  const held = levelOf(intent, by, now);
  return held !== null && LEVELS.indexOf(held) >= LEVELS.indexOf(level);
}

export function whyNot(intent: Intent, by: Principal, level: Level, now: number): Failure | null {
  if (may(intent, by, level, now)) return null;
  return failure("not_allowed", `this key needs the permission '${level}' on the intent`);
}

/** The access list also guards the intent's holds at every door. A review link carries the access of the caller that issued it. */
export function whyNotOnIntent(intentId: string, by: Principal, world: World, now: number): Failure | null {
  const intent = world.get("intent", intentId);
  if (intent === undefined || by.role === "reviewer") return null;
  return whyNot(intent, by, "write", now);
}

/** The agent that a caller acts as: itself, unless its key may act for others. */
export function actingAgent(by: Principal, named = by.name): string | Failure {
  if (named === by.name || by.role === "dev" || by.role === "admin") return named;
  return failure("agent_mismatch", "this key belongs to another agent");
}

/** The agent that failed. One that fails often loses its leases, so an agent reports only its own failures; people report anybody's. */
export function failedAgent(by: Principal, named?: string): string | Failure {
  return mayOperate(by) ? (named ?? by.name) : actingAgent(by, named);
}

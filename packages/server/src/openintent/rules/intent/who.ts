/** Who may do what with an intent. Without a list everybody of the workspace may; a list only narrows that. */

import type { Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import { type AclEntry, type Intent, LEVELS, type Level } from "./intent.ts";

/** How an intent's log names who acted: by name, never by key. */
export function actorOf(by: Principal): string {
  if (by.via === "system") return "system";
  return by.name === "" ? `${by.via}:${by.id}` : by.name;
}

type Viewer = Pick<Principal, "role" | "name">;

/** The highest thing this principal may do; `null`: not even look. */
export function levelOf(intent: Pick<Intent, "acl" | "createdBy">, by: Viewer, now: number): Level | null {
  // Whoever manages the workspace can always unlock it, and whoever reviews it always look.
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
 * Clients that do not think about types send `agent`, so that one is for whoever bears the name. What is meant for a person
 * is nothing to an agent that calls itself the same, and of groups this server knows no members.
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
  return failure("not_allowed", `this needs the permission ${level} on the intent`);
}

/** The same list guards every door to the intent's holds; a link was handed out by somebody who may. */
export function whyNotOnIntent(intentId: string, by: Principal, world: World, now: number): Failure | null {
  const intent = world.get("intent", intentId);
  if (intent === undefined || by.role === "reviewer") return null;
  return whyNot(intent, by, "write", now);
}

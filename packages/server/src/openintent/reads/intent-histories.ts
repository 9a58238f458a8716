/**
 * What the log says about each intent: who created it, its status, who is assigned and who has access. Verification compares it
 * with the rows. Events that a client wrote are left out; they have a `claimed_actor`.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { IntentEventData } from "../rules/intent/facts.ts";
import type { Intent } from "../rules/intent/intent.ts";

interface History {
  readonly createdBy?: unknown;
  /** Absent: created by a version before, whose clients' events cannot be told from the server's. */
  readonly access?: unknown;
  readonly status?: unknown;
  readonly agents: ReadonlySet<unknown>;
  readonly policy?: unknown;
  /** Principal and permission by the entry's id. */
  readonly entries: ReadonlyMap<unknown, string>;
}

const EMPTY: History = { agents: new Set(), entries: new Map() };

export class IntentHistories {
  readonly #histories = new Map<string, History>();

  add(name: string, type: string, data: IntentEventData, payload: JsonObject): void {
    if (data.claimed_actor !== undefined) return;
    const known = this.#histories.get(name) ?? EMPTY;
    const next = told(known, type, payload);
    if (next !== known) this.#histories.set(name, next);
  }

  /** What the row says otherwise than the log, in words. */
  differences(name: string, intent: Intent): readonly string[] {
    const { createdBy, access, status, agents, policy, entries } = this.#histories.get(name) ?? EMPTY;
    const wrong: string[] = [];
    if (createdBy !== undefined && createdBy !== intent.createdBy) wrong.push("its creator was changed");
    if (status !== undefined && status !== intent.status) wrong.push("its status was changed");
    if (access !== intent.access) wrong.push("who has access to it was changed");
    const isSameList =
      (policy === undefined ? intent.acl === undefined : intent.acl?.policy === policy) &&
      (intent.acl?.entries ?? []).every((entry) => entries.get(entry.id) === entryText(entry)) &&
      (intent.acl?.entries.length ?? 0) === entries.size;
    if (!isSameList) wrong.push("its access list was changed");
    const isSameTeam =
      agents.size === intent.agents.length && intent.agents.every((each) => agents.has(each));
    if (access !== undefined && !isSameTeam) wrong.push("its assigned agents were changed");
    return wrong;
  }
}

function told(known: History, type: string, payload: JsonObject): History {
  switch (type) {
    case "intent_created":
      return {
        ...known,
        createdBy: payload["created_by"],
        access: payload["access"],
        status: payload["status"],
      };
    case "status_changed": {
      // Clients of versions before could log this type too, but hardly with all that the server writes.
      const isServers = typeof payload["version"] === "number" && "old_status" in payload;
      return isServers ? { ...known, status: payload["new_status"] } : known;
    }
    case "agent_assigned":
      return { ...known, agents: new Set([...known.agents, payload["agent_id"]]) };
    case "agent_unassigned":
      return {
        ...known,
        agents: new Set([...known.agents].filter((agent) => agent !== payload["agent_id"])),
      };
    case "access_granted":
    case "access_revoked":
    case "access_expired":
      return withEntry(known, type, payload);
    default:
      return known;
  }
}

function withEntry(known: History, type: string, payload: JsonObject): History {
  const { entry_id: id, default_policy: policy } = payload;
  if (id === undefined) return { ...known, policy };
  const entries = new Map(known.entries);
  entries.delete(id);
  if (type === "access_granted")
    entries.set(id, `${payload["principal_type"]} ${payload["principal_id"]} ${payload["permission"]}`);
  return { ...known, policy, entries };
}

function entryText(entry: {
  readonly principalType: string;
  readonly principalId: string;
  readonly permission: string;
}): string {
  return `${entry.principalType} ${entry.principalId} ${entry.permission}`;
}

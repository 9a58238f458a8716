/**
 * Access to intents, in one place. An intent belongs to its creator. An agent that is named on it gets what that role needs:
 *
 * | named by | may |
 * |---|---|
 * | an entry of its access list | what the entry says |
 * | an assignment, a task that executes it, its coordinator | work: write, change its status, share it |
 * | an active lease, a task planned on it that executes another intent | write |
 * | its portfolio (the portfolio's creator) | read |
 *
 * Who gives such access by naming an agent needs `work` too: `write`, which an entry or a lease gives for a time, must not become more.
 *
 * Operators and admins always see and answer; no list locks them out, and only one whose policy somebody chose keeps operators from
 * changing it. Intents from before this rule, and those of a server whose default access is `open`, are open to the workspace unless a
 * list restricts them.
 */

import { mayOperate, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import type { AclEntry, CreatorKind, Intent, Level } from "./intent.ts";

/** The actor's name in an intent's log: the principal's name, never its key. */
export function actorOf(by: Principal): string {
  if (by.via === "system") return "system";
  return by.name === "" ? `${by.via}:${by.id}` : by.name;
}

type Viewer = Pick<Principal, "role" | "name">;
type Shared = Pick<
  Intent,
  | "acl"
  | "access"
  | "createdBy"
  | "creatorKind"
  | "agents"
  | "leases"
  | "workers"
  | "helpers"
  | "portfolioOwners"
  | "coordinatorAgent"
>;

/** What a principal may do, in ascending order. `work` lies between the protocol's levels: no list grants it. */
const RANKS = ["nothing", "read", "write", "work", "admin"] as const;
type Rank = (typeof RANKS)[number];

function isAtLeast(rank: Rank, needed: Rank): boolean {
  return RANKS.indexOf(rank) >= RANKS.indexOf(needed);
}

function highest(ranks: readonly Rank[]): Rank {
  return ranks.reduce((best, rank) => (isAtLeast(rank, best) ? rank : best), "nothing");
}

/** The kind of the name that a principal creates intents under. The `dev` key stands for agents in local trials. */
export function kindOf({ role }: Viewer): CreatorKind {
  if (role === "app") return "app";
  return role === "operator" || role === "admin" || role === "auditor" ? "person" : "agent";
}

function rankOf(intent: Shared, by: Viewer, now: number): Rank {
  // Admins can always change the list, and auditors can always read.
  if (by.role === "admin" || by.role === "dev" || by.role === "system") return "admin";
  if (by.role === "auditor") return "read";
  const { acl } = intent;
  if (acl?.policy === "open" || isCreator(intent, by)) return "admin";
  const listed = listedRanks(intent, by, now);
  if (intent.access === "owner") {
    const isChosen = acl !== undefined && acl.isDefault !== true;
    if (by.role === "operator") return isChosen ? highest(["write", ...listed]) : "admin";
    return highest([...listed, ...namedRanks(intent, by.name)]);
  }
  if (acl === undefined) return "admin";
  return by.role === "operator" ? highest(["write", ...listed]) : highest(listed);
}

function isCreator({ createdBy, creatorKind }: Shared, by: Viewer): boolean {
  return createdBy === by.name && (creatorKind === undefined || creatorKind === kindOf(by));
}

/**
 * Remembers what is made of a list for as long as the list exists: one command asks for the access of fifty subscribers at each
 * of a thousand events, and lists have up to a thousand members (G13). A list that changes is a new list.
 */
function remembered<List extends object, Index>(indexOf: (list: List) => Index): (list: List) => Index {
  const known = new WeakMap<List, Index>();
  return (list) => {
    const index = known.get(list) ?? indexOf(list);
    known.set(list, index);
    return index;
  };
}

const byPrincipal = remembered((entries: readonly AclEntry[]) =>
  Map.groupBy(entries, ({ principalId }) => principalId),
);
const namesIn = remembered(
  (names: readonly string[] | Readonly<Record<string, string>>) => new Set(Object.values(names)),
);

function listedRanks({ acl }: Shared, by: Viewer, now: number): readonly Rank[] {
  const entries = acl === undefined ? [] : (byPrincipal(acl.entries).get(by.name) ?? []);
  return entries
    .filter((entry) => isFor(entry, by) && (entry.expiresAt ?? Number.POSITIVE_INFINITY) > now)
    .map(({ permission }) => permission);
}

function namedRanks(intent: Shared, name: string): readonly Rank[] {
  const { agents, leases, workers, helpers, portfolioOwners, coordinatorAgent } = intent;
  const isNamedIn = (names: readonly string[] | Readonly<Record<string, string>> | undefined) =>
    names !== undefined && namesIn(names).has(name);
  if (isNamedIn(agents) || coordinatorAgent === name || isNamedIn(workers)) return ["work"];
  const hasLease = leases.some(({ agentId, status }) => agentId === name && status === "active");
  if (hasLease || isNamedIn(helpers)) return ["write"];
  return isNamedIn(portfolioOwners) ? ["read"] : [];
}

/**
 * Many clients send the type `agent` for everything, so an `agent` entry matches any principal with its name. An entry for
 * a person does not match an agent of the same name. Group entries match nobody: this server knows no group members.
 */
function isFor({ principalType }: Pick<AclEntry, "principalType">, by: Viewer): boolean {
  return principalType === "agent" || (PERSONS.has(principalType) && by.role !== "agent");
}

const PERSONS: ReadonlySet<string> = new Set(["user", "human", "person", "operator"]);

export function may(intent: Shared, by: Viewer, level: Level, now: number): boolean {
  return isAtLeast(rankOf(intent, by, now), level);
}

export function whyNot(intent: Shared, by: Principal, level: Level, now: number): Failure | null {
  return may(intent, by, level, now) ? null : needs(`the permission '${level}' on the intent`);
}

function needs(what: string): Failure {
  return failure("not_allowed", `this key needs ${what}`);
}

const WORK = "the permission 'admin' on the intent, or must be assigned to it";

/** Changing the status ends the work of everyone on the intent. */
export function whyNotMove(intent: Shared, by: Principal, now: number): Failure | null {
  return isAtLeast(rankOf(intent, by, now), "work") ? null : needs(WORK);
}

/** Assigning agents, adding to a portfolio and naming a coordinator give others access. */
export function whyNotShare(intent: Shared, by: Principal, now: number): Failure | null {
  return intent.access === "owner" ? whyNotMove(intent, by, now) : whyNot(intent, by, "write", now);
}

/** A task that names an agent gives it access, so naming shares the intent, unless the agent has that access without the task. */
export function whyNotName(intent: Shared, agent: string, by: Principal, now: number): Failure | null {
  const has = rankOf(intent, { role: "agent", name: agent }, now);
  if (intent.access !== "owner" || isAtLeast(has, "work")) return null;
  return whyNotMove(intent, by, now);
}

/** Whether the principal may plan tasks that execute the intent. Naming their agents needs more; see `whyNotName`. */
export function mayHaveExecuted(intent: Shared, by: Viewer, now: number): boolean {
  return may(intent, by, intent.access === "owner" ? "write" : "read", now);
}

/** The same rules guard the intent's holds at every door. A review link carries the access of the caller that issued it. */
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

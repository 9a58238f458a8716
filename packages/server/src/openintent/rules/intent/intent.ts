/**
 * The intent: the goal of one piece of agent work, its status and its access list. A suspension is a hold; the intent only
 * refers to it, so the ask and the answer are stored once.
 */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../../../kernel/principal.ts";
import type { RequestRef } from "../request/request.ts";

export const INTENT_STATUSES = [
  "draft",
  "active",
  "blocked",
  "suspended_awaiting_input",
  "completed",
  "abandoned",
] as const;

export type IntentStatus = (typeof INTENT_STATUSES)[number];

export const SUSPENDED = "suspended_awaiting_input" satisfies IntentStatus;

/** The most agents that are assigned to an intent. Its row lists them (G13). */
export const AGENTS_MAX = 1_000;

/** Temporary ownership of one scope of the intent's state. */
export interface Lease {
  readonly id: string;
  readonly scope: string;
  readonly agentId: string;
  readonly status: "active" | "released" | "expired" | "revoked";
  readonly acquiredAt: number;
  readonly durationMs: number;
  readonly expiresAt: number;
  readonly endedAt?: number;
}

export const CREATOR_KINDS = ["agent", "app", "person"] as const;
export type CreatorKind = (typeof CREATOR_KINDS)[number];

export const LEVELS = ["read", "write", "admin"] as const;
export type Level = (typeof LEVELS)[number];

export interface AclEntry {
  readonly id: string;
  readonly principalId: string;
  readonly principalType: string;
  readonly permission: Level;
  readonly grantedBy: string;
  readonly grantedAt: number;
  readonly expiresAt?: number;
  readonly reason?: string;
}

export interface Acl {
  /** Nobody chose the policy: the list exists because somebody was given access. It takes nothing from operators. */
  readonly isDefault?: true;
  /** Every policy except `open` excludes principals without an entry. The names are the protocol's. */
  readonly policy: "open" | "closed" | "restricted" | "private";
  readonly entries: readonly AclEntry[];
}

export interface RetryPolicy {
  readonly id: string;
  readonly strategy: "none" | "fixed" | "exponential" | "linear";
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly failureThreshold: number;
  readonly fallbackAgentId?: string;
  readonly madeAt: number;
  readonly changedAt: number;
}

/** A retry scheduled for a moment. */
export interface DueRetry {
  readonly failureId: string;
  readonly attempt: number;
  readonly at: number;
}

/** A suspension is addressed by its intent and its own id. The hold has its content. */
export interface SuspensionRef {
  readonly id: string;
  readonly holdId: string;
}

/** The principal that suspended the intent by status before writing a record. */
export type Asker = Pick<Principal, "role" | "id" | "name">;

/** The part of a subscription that is needed to route the intent's events. */
export interface Watcher {
  readonly id: string;
  /** Empty: all types. */
  readonly eventTypes: readonly string[];
  /** Events are delivered only while this principal may read the intent. */
  readonly owner: Pick<Principal, "role" | "name">;
  readonly expiresAt?: number;
  /** The outbox lane of its messages. Absent in rows written by earlier versions. */
  readonly lane?: string;
}

/** What has not followed the intent's last change of status yet. Each is a whole row, so few of them follow in one commit (G13). */
export interface Behind {
  /** When the last of them followed. */
  readonly at: number;
  /** Intents that depend on it. */
  readonly dependents: readonly string[];
  /** Tasks that execute it. */
  readonly tasks: readonly string[];
  /** How the suspension ended, for tasks that go on. */
  readonly resolution?: string;
}

export interface Intent {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly createdBy: string;
  /** What kind of name `createdBy` is: an agent named like a person does not own what the person created. */
  readonly creatorKind?: CreatorKind;
  /**
   * `owner`: it belongs to its creator, who shares it by name. `open`: everyone of the workspace has access, because the operator
   * chose that default. Absent: created by a version that knew only the latter; it keeps that access.
   */
  readonly access?: "owner" | "open";
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly parentId?: string;
  readonly dependsOn: readonly string[];
  readonly constraints: Json;
  /** Without `_suspension` and `_suspension_history`, which the server adds when it serves the state. */
  readonly state: JsonObject;
  readonly status: IntentStatus;
  readonly confidence: number;
  /** The version clients see; it grows by one with each accepted change of state, status or policy. */
  readonly version: number;
  readonly governance?: JsonObject;
  readonly abandonmentReason?: string;
  /** A suspension record that was written before the status became suspended. */
  readonly pending?: JsonObject;
  /** Set while the intent is suspended without a record. */
  readonly asker?: Asker;
  /** The newest suspension, open or closed. */
  readonly suspension?: SuspensionRef;
  /** The suspensions before it, oldest first. */
  readonly history: readonly SuspensionRef[];
  readonly leases: readonly Lease[];
  readonly agents: readonly string[];
  readonly acl?: Acl;
  readonly retryPolicy?: RetryPolicy;
  readonly failures: number;
  readonly retry?: DueRetry;
  readonly watchers: readonly Watcher[];
  /** Its ancestors' ids, nearest first. */
  readonly path?: readonly string[];
  /** Dependencies that are not complete. */
  readonly unmet?: readonly string[];
  /** For each dependency, the page of its dependents list that holds this intent's id. */
  readonly places?: Readonly<Record<string, number>>;
  /** The number of pages of its own dependents list. */
  readonly dependentPages?: number;
  /** `soft`: it may begin while its dependencies are in progress. Absent: strict. */
  readonly gate?: "soft";
  /** Blocked by the server, which also unblocks it. */
  readonly blockedBy?: "dependencies";
  readonly portfolios?: readonly string[];
  readonly coordinatorId?: string;
  /** The agents of tasks that execute it, by task id. */
  readonly workers?: Readonly<Record<string, string>>;
  /** The agents of tasks that were planned here and execute another intent, by task id. */
  readonly helpers?: Readonly<Record<string, string>>;
  /** The creators of the portfolios it is in, by portfolio id. */
  readonly portfolioOwners?: Readonly<Record<string, string>>;
  /** The agent of its coordinator. */
  readonly coordinatorAgent?: string;
  /** Tasks that execute it and are claimed, running or blocked. */
  readonly tasks?: readonly string[];
  /** Absent: everything has followed. */
  readonly behind?: Behind;
  /** The plan checkpoint that its current suspension stands for. */
  readonly checkpoint?: { readonly planId: string; readonly checkpointId: string; readonly holdId: string };
  /** Questions about it that wait and do not suspend it. */
  readonly requests?: readonly RequestRef[];
  /** What people said about its completion, for a policy that asks them. */
  readonly completion?: {
    /** They count for this version of the intent only; without one they were given to an earlier version of Holdpoint. */
    readonly approvals: readonly { readonly id: string; readonly by: string; readonly version?: number }[];
    /** The newest denial, and the version of the intent that was denied. */
    readonly denied?: { readonly id: string; readonly version: number };
  };
  /** The earliest deadline of its portfolios. */
  readonly deadlineAt?: number;
  /** The number of events in its log, and how many of them a signed checkpoint covers. */
  readonly logged: number;
  readonly checkpointed: number;
}

/**
 * The content of one suspension in the log: payloads with its ask or its answer. They are stored here, not in the events, so
 * that erasing the hold can erase them.
 */
export interface SuspensionLog {
  readonly intentId: string;
  readonly suspensionId: string;
  /** Absent until the hold is placed. */
  readonly holdId?: string;
  /** Keyed by the event's sequence number in the intent's log. */
  readonly payloads: Readonly<Record<string, JsonObject>>;
  /** Sequence numbers of the events already logged about this suspension, keyed by type and attempt. */
  readonly told: Readonly<Record<string, number>>;
  readonly erasedAt?: number;
}

export function suspensionLogId(intentId: string, suspensionId: string): string {
  return `${intentId}\n${suspensionId}`;
}

export function isEnded(intent: Pick<Intent, "status">): boolean {
  return intent.status === "completed" || intent.status === "abandoned";
}

/** The hold that suspends the intent now. None while the intent is suspended without a record. */
export function openSuspension(intent: Intent): SuspensionRef | undefined {
  return intent.status === SUSPENDED && intent.asker === undefined ? intent.suspension : undefined;
}

/** The index value for the children of one intent in one status. */
export function childStatus(parentId: string, status: IntentStatus): string {
  return `${parentId}\n${status}`;
}

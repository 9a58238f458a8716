/**
 * The intent: what one piece of agent work is about, where it stands, and who may touch it. Its suspension is a hold; the
 * intent only says which, so that the question and its answer are kept once.
 */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../../../kernel/principal.ts";

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
  /** All but `open` keep out whoever has no entry; the words of the protocol's text are kept as written. */
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

/** A retry that has been promised for a moment. */
export interface DueRetry {
  readonly failureId: string;
  readonly attempt: number;
  readonly at: number;
}

/** A suspension is addressed by its intent and its own id; the hold is what it is. */
export interface SuspensionRef {
  readonly id: string;
  readonly holdId: string;
}

/** Who suspended without saying yet what is asked. */
export type Asker = Pick<Principal, "role" | "id" | "name">;

/** A subscription as far as the intent's own events need it. */
export interface Watcher {
  readonly id: string;
  /** Empty: all. */
  readonly eventTypes: readonly string[];
  /** Deliveries stop where reading would be refused. */
  readonly owner: Pick<Principal, "role" | "name">;
  readonly expiresAt?: number;
  /** The lane its messages wait in; absent in what earlier versions wrote. */
  readonly lane?: string;
}

export interface Intent {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly parentId?: string;
  readonly dependsOn: readonly string[];
  readonly constraints: Json;
  /** Without what the server itself shows there: `_suspension` and `_suspension_history`. */
  readonly state: JsonObject;
  readonly status: IntentStatus;
  readonly confidence: number;
  /** As clients see it: one up for each accepted change of state, status or policy. */
  readonly version: number;
  readonly governance?: JsonObject;
  readonly abandonmentReason?: string;
  /** A suspension record written before the status said that the intent is suspended. */
  readonly pending?: JsonObject;
  /** Suspended, and no record yet. */
  readonly asker?: Asker;
  /** The newest suspension, open or closed. */
  readonly suspension?: SuspensionRef;
  /** Those before it, oldest first. */
  readonly history: readonly SuspensionRef[];
  readonly leases: readonly Lease[];
  readonly agents: readonly string[];
  readonly acl?: Acl;
  readonly retryPolicy?: RetryPolicy;
  readonly failures: number;
  readonly retry?: DueRetry;
  readonly watchers: readonly Watcher[];
  /** Those above it, nearest first. */
  readonly path?: readonly string[];
  /** Dependencies that are not complete. */
  readonly unmet?: readonly string[];
  /** On which page of each dependency's list of dependents it stands. */
  readonly places?: Readonly<Record<string, number>>;
  /** How long its own list of dependents is, in pages. */
  readonly dependentPages?: number;
  /** Whether it may begin while its dependencies are being worked on; absent: strict. */
  readonly gate?: "soft";
  /** Blocked by the server, which will also unblock it. */
  readonly blockedBy?: "dependencies";
  readonly portfolios?: readonly string[];
  readonly coordinatorId?: string;
  /** Tasks that execute it and that somebody has in hand. */
  readonly tasks?: readonly string[];
  /** What its present suspension stands for, if a plan stopped there. */
  readonly checkpoint?: { readonly planId: string; readonly checkpointId: string; readonly holdId: string };
  /** The earliest deadline of its portfolios. */
  readonly deadlineAt?: number;
  /** Events in its log, and how many of them a signed checkpoint covers. */
  readonly logged: number;
  readonly checkpointed: number;
}

/**
 * What the log says of one suspension: the payloads that carry its question or its answer. They stand here, not in the
 * events, so that erasing the hold can take them along.
 */
export interface SuspensionLog {
  readonly intentId: string;
  readonly suspensionId: string;
  /** Absent until there is a hold. */
  readonly holdId?: string;
  /** By the event's number in the intent's log. */
  readonly payloads: Readonly<Record<string, JsonObject>>;
  /** Which events have told this suspension's own story, by type and attempt. */
  readonly told: Readonly<Record<string, number>>;
  readonly erasedAt?: number;
}

export function suspensionLogId(intentId: string, suspensionId: string): string {
  return `${intentId}\n${suspensionId}`;
}

export function isEnded(intent: Pick<Intent, "status">): boolean {
  return intent.status === "completed" || intent.status === "abandoned";
}

/** The hold that suspends the intent now; none while it has not been said what is asked. */
export function openSuspension(intent: Intent): SuspensionRef | undefined {
  return intent.status === SUSPENDED && intent.asker === undefined ? intent.suspension : undefined;
}

/** The children of one intent that are in one status. */
export function childStatus(parentId: string, status: IntentStatus): string {
  return `${parentId}\n${status}`;
}

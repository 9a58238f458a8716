/** The coordinator: an agent responsible for an intent or a portfolio, as long as it keeps sending heartbeats. */

import type { JsonObject } from "@holdpoint/protocol/rules";

export const COORDINATOR_TYPES = ["llm", "human", "composite", "system"] as const;
export const COORDINATOR_SCOPES = ["intent", "portfolio"] as const;
export const COORDINATOR_STATUSES = [
  "registering",
  "active",
  "paused",
  "unresponsive",
  "failed_over",
  "completing",
  "completed",
] as const;

/** What the server does, besides counting, when an intent under this coordinator is suspended for a person. */
export const SUSPENSION_POLICIES = ["isolate", "block_dependents", "escalate"] as const;
export type SuspensionPolicy = (typeof SUSPENSION_POLICIES)[number];

export interface Coordinator {
  readonly id: string;
  readonly intentId: string | null;
  readonly portfolioId: string | null;
  readonly agentId: string;
  readonly role: string;
  readonly supervisorId: string | null;
  readonly type: (typeof COORDINATOR_TYPES)[number];
  readonly scope: (typeof COORDINATOR_SCOPES)[number];
  readonly status: (typeof COORDINATOR_STATUSES)[number];
  readonly guardrails: JsonObject | null;
  readonly heartbeatMs: number;
  readonly lastHeartbeatAt: number;
  readonly grantedAt: number;
  readonly expiresAt: number | null;
  readonly version: number;
  readonly metadata: JsonObject;
  readonly suspensionPolicy: SuspensionPolicy;
}

/** What a coordinator decided, and why. */
export interface CoordinatorDecision {
  readonly id: string;
  readonly coordinatorId: string;
  readonly intentId: string;
  readonly decisionType: string;
  readonly summary: string;
  readonly rationale: string;
  readonly more: JsonObject;
  readonly madeBy: string;
  readonly at: number;
}

export function isCoordinatorOver({ status }: Pick<Coordinator, "status">): boolean {
  return status === "completed" || status === "failed_over";
}

const MISSED_MAX = 2;

/** The next moment the timer must look: when two heartbeats in a row are missed, or when the grant expires. */
export function coordinatorDueAt(coordinator: Coordinator): number | null {
  const { status, lastHeartbeatAt, heartbeatMs, expiresAt } = coordinator;
  if (isCoordinatorOver(coordinator)) return null;
  const silentAt =
    status === "active" ? lastHeartbeatAt + MISSED_MAX * heartbeatMs : Number.POSITIVE_INFINITY;
  const due = Math.min(silentAt, expiresAt ?? Number.POSITIVE_INFINITY);
  return due === Number.POSITIVE_INFINITY ? null : due;
}

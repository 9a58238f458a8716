/** Commands on coordinators. */

import type { Principal } from "../../../kernel/principal.ts";
import type { Coordinator, CoordinatorDecision } from "./coordinator.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface GrantCoordinator extends By {
  readonly kind: "grant_coordinator";
  readonly coordinator: Omit<Coordinator, "status" | "lastHeartbeatAt" | "grantedAt" | "version">;
}

interface OnCoordinator extends By {
  readonly coordinatorId: string;
}

export interface ChangeCoordinator extends OnCoordinator {
  readonly kind: "change_coordinator";
  readonly patch: Partial<
    Pick<
      Coordinator,
      "role" | "supervisorId" | "guardrails" | "heartbeatMs" | "expiresAt" | "metadata" | "suspensionPolicy"
    >
  >;
  readonly to?: "active" | "paused" | "completed";
  readonly reason?: string;
}

export interface BeatCoordinator extends OnCoordinator {
  readonly kind: "beat_coordinator";
}

export interface RecordCoordinatorDecision extends OnCoordinator {
  readonly kind: "record_coordinator_decision";
  readonly decision: Omit<CoordinatorDecision, "madeBy" | "at">;
}

/** Issued by the server's timer, not by a caller. */
export interface TickCoordinator extends OnCoordinator {
  readonly kind: "tick_coordinator";
}

export type CoordinatorCommand =
  | GrantCoordinator
  | ChangeCoordinator
  | BeatCoordinator
  | RecordCoordinatorDecision
  | TickCoordinator;

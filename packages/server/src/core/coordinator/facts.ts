/** What can become true of a coordinator, in a log of its own. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Stated } from "../fact.ts";
import type { Change } from "../world.ts";
import type { Coordinator } from "./coordinator.ts";

export const ESCALATION_REQUIRED = "coordinator.escalation_required";

export interface CoordinatorFact {
  readonly type:
    | "coordinator.granted"
    | "coordinator.changed"
    | "coordinator.paused"
    | "coordinator.resumed"
    | "coordinator.unresponsive"
    | "coordinator.completed"
    | "coordinator.decision"
    | typeof ESCALATION_REQUIRED
    /** Not for the log: that somebody is still there is no news. */
    | "coordinator.heartbeat";
  readonly coordinator: Coordinator;
  readonly data: JsonObject;
  readonly also: readonly Change[];
}

export function coordinatorChanges({ coordinator, also }: CoordinatorFact): readonly Change[] {
  return [{ kind: "coordinator", id: coordinator.id, body: coordinator }, ...also];
}

export function coordinatorLogData({ type, data }: CoordinatorFact): JsonObject | null {
  return type === "coordinator.heartbeat" ? null : data;
}

export function stateCoordinator(
  type: CoordinatorFact["type"],
  coordinator: Coordinator,
  at: number,
  actor: string,
  more: { readonly data?: JsonObject; readonly also?: readonly Change[] } = {},
): Stated {
  const { id, agentId } = coordinator;
  const data = { coordinator_id: id, ...more.data };
  const fact: CoordinatorFact = { type, coordinator, data, also: more.also ?? [] };
  return { kind: "coordinator", id, fact, at, actor, audience: agentId };
}

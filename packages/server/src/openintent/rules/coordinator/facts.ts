/** Facts about a coordinator. Each coordinator has its own log stream. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FactSpec, FactTable } from "../../../kernel/domain.ts";
import { escalationMessages } from "../intent/messages.ts";
import type { Change, FactRecord, OpenIntentBodies } from "../world.ts";
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
    /** Not logged: a heartbeat only moves the next deadline. */
    | "coordinator.heartbeat";
  readonly coordinator: Coordinator;
  readonly data: JsonObject;
  readonly also: readonly Change[];
}

export function coordinatorFact(
  type: CoordinatorFact["type"],
  coordinator: Coordinator,
  at: number,
  actor: string,
  more: { readonly data?: JsonObject; readonly also?: readonly Change[] } = {},
): FactRecord {
  const { id, agentId } = coordinator;
  const data = { coordinator_id: id, ...more.data };
  const fact: CoordinatorFact = { type, coordinator, data, also: more.also ?? [] };
  return { kind: "coordinator", id, fact, at, actor, audience: agentId };
}

const logged: FactSpec<CoordinatorFact, OpenIntentBodies> = {
  evolve: (_world, id, { coordinator, also }) => [{ kind: "coordinator", id, body: coordinator }, ...also],
  log: ({ data }) => data,
};

export const COORDINATOR_FACTS: FactTable<CoordinatorFact, OpenIntentBodies> = {
  "coordinator.granted": logged,
  "coordinator.changed": logged,
  "coordinator.paused": logged,
  "coordinator.resumed": logged,
  "coordinator.unresponsive": logged,
  "coordinator.completed": logged,
  "coordinator.decision": logged,
  /** Subscribers of the intent are notified of an escalation. The coordinator's other facts stay in its own log. */
  "coordinator.escalation_required": { ...logged, messages: escalationMessages },
  "coordinator.heartbeat": { ...logged, log: () => null },
};

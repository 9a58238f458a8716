/** The intent log's entry for a coordinator's decision. */

import type { CoordinatorDecision } from "./coordinator.ts";

export function decisionEntry(decision: CoordinatorDecision) {
  const { id, coordinatorId, decisionType, summary, rationale, more } = decision;
  return {
    type: "coordinator.decision",
    payload: {
      ...more,
      decision_id: id,
      coordinator_id: coordinatorId,
      decision_type: decisionType,
      summary,
      rationale,
    },
    also: [{ kind: "coordinator_decision", id, body: decision } as const],
  };
}

/** What a coordinator does when an intent it covers waits for a person. The server acts for it, by its policy. */

import type { Intent } from "../intent/intent.ts";
import { append, type IntentLog } from "../intent/intent-log.ts";
import type { Need, World } from "../world.ts";
import type { Coordinator, CoordinatorDecision } from "./coordinator.ts";
import { decisionEntry } from "./decision-entry.ts";
import { coordinatorFact, ESCALATION_REQUIRED } from "./facts.ts";

/** Its own coordinator, those of the intents above it, and those of its portfolios. */
export function coverNeeds(intent: Intent, world: World): readonly Need[] {
  return [
    ...(intent.path ?? []).map((id) => ({ kind: "intent", id, read: true }) as const),
    ...coveringIds(intent, world).map((id) => ({ kind: "coordinator", id }) as const),
  ];
}

function coveringIds(intent: Intent, world: World): readonly string[] {
  const above = (intent.path ?? []).map((id) => world.get("intent", id)?.coordinatorId);
  const around = (intent.portfolios ?? []).map((id) => world.get("portfolio", id)?.coordinatorId);
  return [...new Set([intent.coordinatorId, ...above, ...around])].filter((id) => id !== undefined);
}

/** Who stands still or has gone silent does not act. */
export function covering(
  intent: Intent,
  world: World,
  policy: Coordinator["suspensionPolicy"],
): readonly Coordinator[] {
  return coveringIds(intent, world)
    .map((id) => world.get("coordinator", id))
    .filter((found) => found !== undefined)
    .filter(({ status, suspensionPolicy }) => status === "active" && suspensionPolicy === policy);
}

/** Phases wired to this one were paused with it. */
export function logDependentsBlocked(
  intentLog: IntentLog,
  coordinators: readonly Coordinator[],
  blocked: readonly string[],
): IntentLog {
  return coordinators.reduce(
    (told, coordinator) =>
      decide(told, coordinator, "dependents_blocked", "Phases wired to a suspended one are paused", {
        blocked_intents: [...blocked],
      }),
    intentLog,
  );
}

/** No client of the intent's log knows the event's own name, so it stands there as a decision. */
export function escalateSuspension(intentLog: IntentLog, suspensionId: string): IntentLog {
  return covering(intentLog.intent, intentLog.draft, "escalate").reduce((told, coordinator) => {
    const { supervisorId } = coordinator;
    const data = {
      intent_id: told.intent.id,
      suspension_id: suspensionId,
      reason: "intent_suspended",
      supervisor_id: supervisorId,
    };
    const decided = decide(
      told,
      coordinator,
      "escalation_initiated",
      "A suspended intent needs its supervisor",
      {
        ...data,
        event: ESCALATION_REQUIRED,
      },
    );
    told.draft.state(coordinatorFact(ESCALATION_REQUIRED, coordinator, told.at, "system", { data }));
    return decided;
  }, intentLog);
}

function decide(
  intentLog: IntentLog,
  { id, suspensionPolicy }: Coordinator,
  decisionType: string,
  summary: string,
  more: CoordinatorDecision["more"],
): IntentLog {
  const { intent, at } = intentLog;
  const decision: CoordinatorDecision = {
    id: `decision_${intent.id.replace(/^intent_/, "")}-${intent.logged + 1}`,
    coordinatorId: id,
    intentId: intent.id,
    decisionType,
    summary,
    rationale: `suspension_policy: ${suspensionPolicy}`,
    more,
    madeBy: "system",
    at,
  };
  return append(intentLog, decisionEntry(decision));
}

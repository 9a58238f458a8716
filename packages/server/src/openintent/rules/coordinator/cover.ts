/** What happens when an intent under a coordinator is suspended. The server applies the coordinator's policy in its name. */

import type { Intent } from "../intent/intent.ts";
import { append, type IntentLog } from "../intent/intent-log.ts";
import type { Need, World } from "../world.ts";
import type { Coordinator, CoordinatorDecision } from "./coordinator.ts";
import { decisionEntry } from "./decision-entry.ts";
import { coordinatorFact, ESCALATION_REQUIRED } from "./facts.ts";

/** The coordinators to load: the intent's own, those of its ancestors, and those of its portfolios. */
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

/** Coordinators that are active and have this policy. Paused and unresponsive ones do not act. */
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

/** Logs one decision per coordinator: the phases that take input from the suspended intent are paused. */
export function logDependentsBlocked(
  intentLog: IntentLog,
  coordinators: readonly Coordinator[],
  blocked: readonly string[],
): IntentLog {
  return coordinators.reduce(
    (log, coordinator) =>
      decide(
        log,
        coordinator,
        "dependents_blocked",
        "Phases that take input from a suspended phase are paused",
        {
          blocked_intents: [...blocked],
        },
      ),
    intentLog,
  );
}

/** OpenIntent clients do not know the event `coordinator.escalation_required`, so the intent's log shows it as a decision. */
export function escalateSuspension(intentLog: IntentLog, suspensionId: string): IntentLog {
  return covering(intentLog.intent, intentLog.draft, "escalate").reduce((log, coordinator) => {
    const { supervisorId } = coordinator;
    const data = {
      intent_id: log.intent.id,
      suspension_id: suspensionId,
      reason: "intent_suspended",
      supervisor_id: supervisorId,
    };
    const decided = decide(
      log,
      coordinator,
      "escalation_initiated",
      "A suspended intent needs the supervisor's attention",
      {
        ...data,
        event: ESCALATION_REQUIRED,
      },
    );
    log.draft.state(coordinatorFact(ESCALATION_REQUIRED, coordinator, log.at, "system", { data }));
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

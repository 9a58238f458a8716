/** Applies the end of a hold to the intent it suspended. Every hold ends through this code, so no door can forget it. */

import type { Hold, Outcome } from "../../../kernel/hold/hold.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { moveNeeds } from "../graph/needs.ts";
import { settleCheckpoint } from "../plan/checkpoint.ts";
import type { Ending } from "../portfolio/watch.ts";
import type { Draft, Need, World } from "../world.ts";
import { type Intent, openSuspension, suspensionLogId } from "./intent.ts";
import { append, begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { restoreLeases } from "./leases.ts";
import { moveTo } from "./move.ts";
import { abandonmentOf, expiredPayload, resumedPayload, suspensionIdOf } from "./suspension.ts";

/** An erased hold has no record, so its own id serves as the suspension id. */
export function resumeNeeds(intentId: string, hold: Hold, world: World): readonly Need[] {
  const intent = world.get("intent", intentId);
  return [
    ...(intent === undefined ? [] : moveNeeds(intent, world)),
    { kind: "intent", id: intentId },
    { kind: "suspension_log", id: suspensionLogId(intentId, suspensionIdOf(hold)) },
  ];
}

export function resumeIntent(
  intent: Intent,
  hold: Hold,
  outcome: Outcome,
  draft: Draft,
  by: Principal,
): void {
  if (openSuspension(intent)?.holdId !== hold.id) return;
  logEnding(nextVersion(begin(intent, draft, outcome.at, by)), hold, outcome);
}

/** Logs the ending on the intent, and on the plan if the hold stood for a checkpoint. */
export function logEnding(intentLog: IntentLog, hold: Hold, outcome: Outcome): IntentLog {
  return settleCheckpoint(logEnd(intentLog, hold, outcome), hold, outcome);
}

function logEnd(intentLog: IntentLog, hold: Hold, outcome: Outcome): IntentLog {
  const { id } = intentLog.intent;
  switch (outcome.kind) {
    case "decided": {
      const log = logOf(intentLog, hold, "intent.resumed", resumedPayload(id, hold, outcome));
      return restoreLeases(moveTo(log, "active", { ending: endingOf(hold, "responded") }));
    }
    case "expired": {
      const log = logOf(intentLog, hold, "intent.suspension_expired", expiredPayload(id, hold, outcome));
      const reason = abandonmentOf(hold, outcome);
      if (reason === undefined) {
        const ending = endingOf(hold, "expired");
        return restoreLeases(moveTo(log, "active", { reason: "suspension_expired", ending }));
      }
      return moveTo(log, "abandoned", { reason, change: { abandonmentReason: reason } });
    }
    case "cancelled":
      return restoreLeases(
        moveTo(intentLog, "active", { reason: "suspension_cancelled", ending: endingOf(hold, "cancelled") }),
      );
  }
}

function endingOf(hold: Hold, resolution: Ending["resolution"]): Ending {
  return { suspensionId: suspensionIdOf(hold), resolution };
}

function logOf(
  intentLog: IntentLog,
  hold: Hold,
  type: string,
  payload: IntentLog["intent"]["state"],
): IntentLog {
  return append(intentLog, {
    type,
    payload,
    loggedOnce: { suspensionId: suspensionIdOf(hold), holdId: hold.id, as: type },
  });
}

/** Suspends an intent with a hold, in one commit, whichever face places the hold. */

import type { Hold } from "../../../kernel/hold/hold.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { escalateSuspension } from "../coordinator/cover.ts";
import { type Failure, failure } from "../failure.ts";
import { isGateOpen, whyDependent } from "../graph/gate.ts";
import { suspendNeeds } from "../graph/needs.ts";
import { logMemberSuspended } from "../portfolio/watch.ts";
import type { Draft, Need, World } from "../world.ts";
import { type Intent, SUSPENDED, type SuspensionRef, suspensionLogId } from "./intent.ts";
import { append, begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { moveTo } from "./move.ts";
import { wayTo } from "./status.ts";
import { suspendedPayload, suspensionIdOf } from "./suspension.ts";
import { may } from "./who.ts";

const HISTORY_MAX = 20;

/** Moves the newest suspension to the history before the next one is set. */
export function withSuspensionInHistory(intent: Intent): Intent {
  const { suspension, ...rest } = intent;
  if (suspension === undefined) return intent;
  return { ...rest, history: [...intent.history, suspension].slice(-HISTORY_MAX) };
}

/** A draft becomes active first. The caller has checked that the intent may be suspended. */
export function enterSuspension(intentLog: IntentLog, change: Partial<Intent> = {}): IntentLog {
  const ready = intentLog.intent.status === "draft" ? moveTo(intentLog, "active") : intentLog;
  return moveTo(ready, SUSPENDED, { change });
}

/** Logs the suspension once; a later event of an agent about it is deduplicated. */
export function logSuspended(intentLog: IntentLog, hold: Hold): IntentLog {
  const suspension: SuspensionRef = { id: suspensionIdOf(hold), holdId: hold.id };
  const { asker: _asker, pending: _pending, ...rest } = withSuspensionInHistory(intentLog.intent);
  const intent: Intent = { ...rest, suspension };
  const log = append(
    { ...intentLog, intent },
    {
      type: "intent.suspended",
      payload: suspendedPayload(intent.id, hold),
      loggedOnce: { suspensionId: suspension.id, holdId: hold.id, as: "intent.suspended" },
    },
  );
  return escalateSuspension(logMemberSuspended(log, hold, suspension.id), suspension.id);
}

/** Rows to load before a hold is placed on an intent. */
export function placeOnIntentNeeds(intentId: string, holdId: string, world: World): readonly Need[] {
  const intent = world.get("intent", intentId);
  return [
    ...(intent === undefined ? [] : suspendNeeds(intent, world)),
    { kind: "intent", id: intentId },
    { kind: "suspension_log", id: suspensionLogId(intentId, holdId) },
  ];
}

export function whyNotSuspend(intent: Intent, world: World): Failure | null {
  if (intent.status === SUSPENDED) {
    return failure("intent_suspended", "the intent is already suspended and waits for an answer");
  }
  if (intent.status === "draft" && !isGateOpen(intent, world)) return whyDependent(intent);
  if (wayTo(intent, SUSPENDED) !== null) return null;
  const detail = { from: intent.status, to: SUSPENDED };
  return failure("intent_not_active", `an intent with status ${intent.status} cannot be suspended`, {
    detail,
  });
}

/** A hold placed through another face suspends the intent it names. */
export function suspendByHold(
  intentId: string,
  hold: Hold,
  by: Principal,
  draft: Draft,
  now: number,
): Failure | null {
  const intent = draft.get("intent", intentId);
  if (intent === undefined || !may(intent, by, "write", now)) {
    return failure("intent_not_found", "There is no intent with this id.");
  }
  const wrong = whyNotSuspend(intent, draft);
  // The native API has no code for incomplete dependencies.
  if (wrong?.code === "dependencies_incomplete") return failure("intent_not_active", wrong.message);
  if (wrong !== null) return wrong;
  logSuspended(enterSuspension(nextVersion(begin(intent, draft, now, by))), hold);
  return null;
}

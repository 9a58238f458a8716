/** An intent is suspended by a hold: whoever places it, through whatever face, in the same commit. */

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

/** The newest one steps back before the next one comes. */
export function steppedBack(intent: Intent): Intent {
  const { suspension, ...rest } = intent;
  if (suspension === undefined) return intent;
  return { ...rest, history: [...intent.history, suspension].slice(-HISTORY_MAX) };
}

/** A draft is active first; whether it may be suspended at all was asked before. */
export function enterSuspension(intentLog: IntentLog, change: Partial<Intent> = {}): IntentLog {
  const ready = intentLog.intent.status === "draft" ? moveTo(intentLog, "active") : intentLog;
  return moveTo(ready, SUSPENDED, { change });
}

/** The question is on the record: told once, whoever else may want to tell it. */
export function logSuspended(intentLog: IntentLog, hold: Hold): IntentLog {
  const suspension: SuspensionRef = { id: suspensionIdOf(hold), holdId: hold.id };
  const { asker: _asker, pending: _pending, ...rest } = steppedBack(intentLog.intent);
  const intent: Intent = { ...rest, suspension };
  const told = append(
    { ...intentLog, intent },
    {
      type: "intent.suspended",
      payload: suspendedPayload(intent.id, hold),
      tells: { suspensionId: suspension.id, holdId: hold.id, as: "intent.suspended" },
    },
  );
  return escalateSuspension(logMemberSuspended(told, hold, suspension.id), suspension.id);
}

/** What placing a hold on an intent must see of it. */
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
    return failure("intent_suspended", "the intent already waits for an answer");
  }
  if (intent.status === "draft" && !isGateOpen(intent, world)) return whyDependent(intent);
  if (wayTo(intent, SUSPENDED) !== null) return null;
  const detail = { from: intent.status, to: SUSPENDED };
  return failure("intent_not_active", `an intent that is ${intent.status} cannot be suspended`, { detail });
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
    return failure("intent_not_found", "there is no such intent");
  }
  const wrong = whyNotSuspend(intent, draft);
  // The native API knows whether an intent is active, not what it depends on.
  if (wrong?.code === "dependencies_incomplete") return failure("intent_not_active", wrong.message);
  if (wrong !== null) return wrong;
  logSuspended(enterSuspension(nextVersion(begin(intent, draft, now, by))), hold);
  return null;
}

/** An intent is suspended by a hold: whoever places it, through whatever face, in the same commit. */

import { escalateSuspension } from "../coordinator/cover.ts";
import type { Stated } from "../fact.ts";
import { isGateOpen, whyDependent } from "../graph/gate.ts";
import { suspendNeeds } from "../graph/needs.ts";
import type { Hold } from "../hold/hold.ts";
import { tellMemberSuspended } from "../portfolio/watch.ts";
import type { Principal } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import { type Intent, SUSPENDED, type SuspensionRef, suspensionLogId } from "./intent.ts";
import { moveTo } from "./move.ts";
import { wayTo } from "./status.ts";
import { begin, bump, type Story, tell } from "./story.ts";
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
export function enterSuspension(story: Story, change: Partial<Intent> = {}): Story {
  const ready = story.intent.status === "draft" ? moveTo(story, "active") : story;
  return moveTo(ready, SUSPENDED, { change });
}

/** The question is on the record: told once, whoever else may want to tell it. */
export function tellSuspended(story: Story, hold: Hold): Story {
  const suspension: SuspensionRef = { id: suspensionIdOf(hold), holdId: hold.id };
  const { asker: _asker, pending: _pending, ...rest } = steppedBack(story.intent);
  const intent: Intent = { ...rest, suspension };
  const told = tell(
    { ...story, intent },
    {
      type: "intent.suspended",
      payload: suspendedPayload(intent.id, hold),
      tells: { suspensionId: suspension.id, holdId: hold.id, as: "intent.suspended" },
    },
  );
  return escalateSuspension(tellMemberSuspended(told, hold, suspension.id), suspension.id);
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

export function whyNotSuspend(intent: Intent, world: World): Refusal | null {
  if (intent.status === SUSPENDED) {
    return refusal("intent_suspended", "the intent already waits for an answer");
  }
  if (intent.status === "draft" && !isGateOpen(intent, world)) return whyDependent(intent);
  if (wayTo(intent, SUSPENDED) !== null) return null;
  const detail = { from: intent.status, to: SUSPENDED };
  return refusal("intent_not_active", `an intent that is ${intent.status} cannot be suspended`, { detail });
}

/** A hold placed through another face suspends the intent it names. */
export function suspendByHold(
  hold: Hold & { readonly intentId: string },
  by: Principal,
  world: World,
  now: number,
): readonly Stated[] | Refusal {
  const intent = world.get("intent", hold.intentId);
  if (intent === undefined || !may(intent, by, "write", now)) {
    return refusal("intent_not_found", "there is no such intent");
  }
  const wrong = whyNotSuspend(intent, world);
  // Whoever speaks of holds alone knows whether an intent is active, not what it waits for.
  if (wrong?.code === "dependencies_incomplete") return refusal("intent_not_active", wrong.message);
  if (wrong !== null) return wrong;
  return tellSuspended(enterSuspension(bump(begin(intent, world, now, by))), hold).facts;
}

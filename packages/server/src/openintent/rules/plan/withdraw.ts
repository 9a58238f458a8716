/** Cancels a checkpoint's hold when its plan ends. */

import { cancelled } from "../../../kernel/hold/cancel.ts";
import { endHold, settleNeeds } from "../../../kernel/hold/settle.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { logEnding } from "../intent/ending.ts";
import { type Intent, openSuspension } from "../intent/intent.ts";
import { type IntentLog, nextVersion } from "../intent/intent-log.ts";
import { openHoldOf } from "../intent/open-hold.ts";
import type { Need, World } from "../world.ts";

/** The open hold that asks for approval of this plan, if there is one. */
function askingHold(intent: Intent | undefined, planId: string): string | undefined {
  const place = intent?.checkpoint;
  if (intent === undefined || place === undefined || place.planId !== planId) return undefined;
  return openSuspension(intent)?.holdId === place.holdId ? place.holdId : undefined;
}

export function withdrawNeeds(intent: Intent | undefined, planId: string, world: World): readonly Need[] {
  const holdId = askingHold(intent, planId);
  if (holdId === undefined) return [];
  const hold = world.get("hold", holdId);
  return [{ kind: "hold", id: holdId }, ...(hold === undefined ? [] : settleNeeds(hold, world))];
}

export function withdrawQuestion(intentLog: IntentLog, planId: string, by: Principal): IntentLog {
  if (askingHold(intentLog.intent, planId) === undefined) return intentLog;
  const { hold } = openHoldOf(intentLog.intent, intentLog.draft);
  const outcome = cancelled({ by, reason: "the plan has ended" }, intentLog.at);
  endHold(hold, outcome, intentLog.draft, by);
  return logEnding(nextVersion(intentLog), hold, outcome);
}

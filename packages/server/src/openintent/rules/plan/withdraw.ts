/** Cancels the holds of a plan's checkpoints when the plan ends. */

import { cancelled } from "../../../kernel/hold/cancel.ts";
import { endHold, holdEndNeeds } from "../../../kernel/hold/settle.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { logEnding, resumeNeeds } from "../intent/ending.ts";
import { type Intent, openSuspension } from "../intent/intent.ts";
import { type IntentLog, nextVersion } from "../intent/intent-log.ts";
import { openHoldOf } from "../intent/open-hold.ts";
import type { RequestRef } from "../request/request.ts";
import { withdrawer, withdrawRequests, withdrawRequestsNeeds } from "../request/withdraw.ts";
import type { Need, World } from "../world.ts";

/** The open hold that asks for approval of this plan, if there is one. */
function askingHold(intent: Intent | undefined, planId: string): string | undefined {
  const place = intent?.checkpoint;
  if (intent === undefined || place === undefined || place.planId !== planId) return undefined;
  return openSuspension(intent)?.holdId === place.holdId ? place.holdId : undefined;
}

export function withdrawNeeds(intent: Intent | undefined, planId: string, world: World): readonly Need[] {
  if (intent === undefined) return [];
  const needs = withdrawRequestsNeeds(intent, world, isCheckpoint);
  const holdId = askingHold(intent, planId);
  if (holdId === undefined) return needs;
  const hold = world.get("hold", holdId);
  const ending =
    hold === undefined ? [] : [...resumeNeeds(intent.id, hold, world), ...holdEndNeeds(hold, world)];
  return [...needs, { kind: "hold", id: holdId }, ...ending];
}

const isCheckpoint = ({ type }: RequestRef) => type === "checkpoint";

/** The last step of a command: the intent on the draft is newer than `intentLog` afterwards. */
export function withdrawQuestions(intentLog: IntentLog, planId: string, by: Principal): void {
  const { intent, draft, at } = intentLog;
  if (askingHold(intent, planId) !== undefined) {
    const { hold } = openHoldOf(intent, draft);
    const outcome = cancelled({ by: withdrawer(hold, by), reason: ENDED }, at);
    endHold(hold, outcome, draft, by);
    logEnding(nextVersion(intentLog), hold, outcome);
  }
  const isOfPlan = (ref: RequestRef) => {
    const request = isCheckpoint(ref) ? draft.get("intent_request", ref.id) : undefined;
    return request?.type === "checkpoint" && request.planId === planId;
  };
  withdrawRequests(intent.id, draft, by, at, isOfPlan, ENDED);
}

const ENDED = "the plan has ended";

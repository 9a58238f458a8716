/** Holds attached to intents. Each such hold is a suspension of its intent; the two change in one commit. */

import type { AttachmentRules } from "../../kernel/attachment.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { actorText } from "../../kernel/principal.ts";
import { afterEndingNeeds, cancelAfterEnding } from "./after-ending.ts";
import { logAttempts } from "./intent/attempts.ts";
import { resumeIntent, resumeNeeds } from "./intent/ending.ts";
import { type Intent, suspensionLogId } from "./intent/intent.ts";
import { placeOnIntentNeeds, suspendByHold } from "./intent/suspend.ts";
import { suspensionIdOf } from "./intent/suspension.ts";
import { whyNotOnIntent } from "./intent/who.ts";
import { PORTFOLIO_DEADLINE } from "./portfolio/deadline.ts";
import type { Draft, World } from "./world.ts";

/** The domain name under which holds attach to intents. The store indexes holds by it. */
export const INTENT = "intent";

/** The field that a hold's row keeps of the intent it suspends. */
interface OnIntent extends Hold {
  readonly intentId?: string;
}

/** The intent that the hold suspends. */
export function intentIdOf(hold: OnIntent): string | undefined {
  return hold.intentId;
}

function ifThere(id: string, draft: Draft, then: (intent: Intent) => void): void {
  const intent = draft.get("intent", id);
  if (intent !== undefined) then(intent);
}

/** The plan whose checkpoint this hold stands for. */
function planOf({ checkpoint }: Intent, hold: Hold): string | undefined {
  return checkpoint?.holdId === hold.id ? checkpoint.planId : undefined;
}

export const INTENT_ATTACHMENT: AttachmentRules = {
  idOf: intentIdOf,
  fieldsOf: (intentId): Partial<OnIntent> => ({ intentId }),
  isNamed: true,
  deadlineReason: PORTFOLIO_DEADLINE,
  placeNeeds: (id, holdId, world: World) => placeOnIntentNeeds(id, holdId, world),
  endNeeds(id, hold, world: World) {
    const intent = world.get("intent", id);
    const after = intent === undefined ? [] : afterEndingNeeds(intent, planOf(intent, hold), world);
    return [...resumeNeeds(id, hold, world), ...after];
  },
  claimNeeds: () => [],
  deadlineOf: (id, world: World) => world.get("intent", id)?.deadlineAt,
  whyNotAct: (id, by, world: World, now) => whyNotOnIntent(id, by, world, now),
  whyNotClaim: () => null,
  placed: (id, hold, by, draft: Draft, now) => suspendByHold(id, hold, by, draft, now),
  notified(id, hold, passed, draft: Draft, at) {
    ifThere(id, draft, (intent) => logAttempts(intent, hold, passed, draft, at));
  },
  ended(id, hold, outcome, draft: Draft, by) {
    ifThere(id, draft, (intent) => {
      resumeIntent(intent, hold, outcome, draft, by);
      cancelAfterEnding(id, planOf(intent, hold), outcome, draft, by);
    });
  },
  erased(id, hold, draft: Draft, by, at) {
    const logId = suspensionLogId(id, suspensionIdOf(hold));
    if (draft.get("suspension_log", logId) === undefined) return;
    const fact = { type: "intent.suspension_erased", logId } as const;
    draft.state({ kind: "intent", id, fact, at, actor: actorText(by) });
  },
};

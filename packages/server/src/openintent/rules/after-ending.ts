/** Cancels the questions that the end of a hold leaves without a purpose: its intent has ended by it, or its plan has failed. */

import type { Outcome } from "../../kernel/hold/hold.ts";
import { must } from "../../kernel/must.ts";
import type { Principal } from "../../kernel/principal.ts";
import { type Intent, isEnded } from "./intent/intent.ts";
import { begin } from "./intent/intent-log.ts";
import { withdrawNeeds, withdrawQuestions } from "./plan/withdraw.ts";
import { withdrawRequests, withdrawRequestsNeeds } from "./request/withdraw.ts";
import type { Draft, Need, World } from "./world.ts";

/** `planId`: the plan whose checkpoint the hold stood for, if there was one. */
export function afterEndingNeeds(intent: Intent, planId: string | undefined, world: World): readonly Need[] {
  return [
    ...withdrawRequestsNeeds(intent, world),
    ...(planId === undefined ? [] : withdrawNeeds(intent, planId, world)),
  ];
}

/** The last step of an ending. A cancelled question ends neither intent nor plan, so this does not call itself. */
export function cancelAfterEnding(
  intentId: string,
  planId: string | undefined,
  { kind, at }: Outcome,
  draft: Draft,
  by: Principal,
): void {
  if (kind === "cancelled") return;
  if (isEnded(intentOf(intentId, draft))) withdrawRequests(intentId, draft, by, at);
  if (planId !== undefined && draft.get("plan", planId)?.state === "failed")
    withdrawQuestions(begin(intentOf(intentId, draft), draft, at, by), planId, by);
}

function intentOf(intentId: string, draft: Draft): Intent {
  return must(draft.get("intent", intentId), `intent ${intentId}`);
}

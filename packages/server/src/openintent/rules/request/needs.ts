/** The rows that the end of a question about an intent changes. */

import { holdEndNeeds } from "../../../kernel/hold/settle.ts";
import { portfolioReadNeeds } from "../graph/dependents.ts";
import { READ_WATCHERS } from "../intent/watchers.ts";
import type { Need, World } from "../world.ts";
import { INTENT_REQUEST, type RequestRef } from "./request.ts";

export function requestNeeds(id: string, world: World): readonly Need[] {
  const request = world.get("intent_request", id);
  const self: Need = { kind: INTENT_REQUEST, id };
  if (request === undefined) return [self];
  const intent = world.get("intent", request.intentId);
  return [
    self,
    ...READ_WATCHERS,
    { kind: "intent", id: request.intentId },
    ...(intent === undefined ? [] : portfolioReadNeeds(intent)),
    ...(request.type === "checkpoint" ? [{ kind: "plan", id: request.planId } as const] : []),
  ];
}

/** For cancelling a question together with others. What else its end could cancel is among those others. */
export function cancelNeeds({ id, holdId }: RequestRef, world: World): readonly Need[] {
  const hold = world.get("hold", holdId);
  return [
    { kind: "hold", id: holdId },
    ...requestNeeds(id, world),
    ...(hold === undefined ? [] : holdEndNeeds(hold, world)),
  ];
}

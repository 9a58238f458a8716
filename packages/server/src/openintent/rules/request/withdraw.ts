/** Cancels the questions about an intent that has ended, or of a plan that has ended: nobody needs their answers any more. */

import { cancelled } from "../../../kernel/hold/cancel.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { settle } from "../../../kernel/hold/settle.ts";
import { must } from "../../../kernel/must.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Intent } from "../intent/intent.ts";
import type { Draft, Need, World } from "../world.ts";
import { cancelNeeds } from "./needs.ts";
import { pendingOf } from "./place.ts";
import type { RequestRef } from "./request.ts";

type Wanted = (ref: RequestRef) => boolean;

/** Somebody who asks for access may still want it. */
const endsWithIntent: Wanted = ({ type }) => type !== "access";

export function withdrawRequestsNeeds(
  intent: Intent,
  world: World,
  isWanted: Wanted = endsWithIntent,
): readonly Need[] {
  return pendingOf(intent)
    .filter(isWanted)
    .flatMap((ref) => cancelNeeds(ref, world));
}

/** A question that ends by time is taken back in the name of its asker, because no caller did it. */
export function withdrawer({ creatorKey: id, createdBy: name }: Hold, by: Principal): Principal {
  return by.via === "system" ? { role: "agent", via: "key", id, name } : by;
}

/** The intent is read from the draft again, so that the caller must not go on with an older copy of it. */
export function withdrawRequests(
  intentId: string,
  draft: Draft,
  by: Principal,
  now: number,
  isWanted: Wanted = endsWithIntent,
  reason = "the intent has ended",
): void {
  const intent = must(draft.get("intent", intentId), `intent ${intentId}`);
  for (const { holdId } of pendingOf(intent).filter(isWanted)) {
    const hold = must(draft.get("hold", holdId), `hold ${holdId} of a question that waits`);
    settle(hold, cancelled({ by: withdrawer(hold, by), reason }, now), draft, by);
  }
}

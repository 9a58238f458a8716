/** How a hold stands for the agent that acts on it: an approval that was revoked is no decision any more (G14). */

import type { Hold, Outcome } from "./types.ts";

export function standingOutcome({
  outcome,
  revoked,
}: Pick<Hold, "outcome" | "revoked">): Outcome | undefined {
  return revoked === undefined
    ? outcome
    : { kind: "cancelled", cancelledBy: revoked.by, at: revoked.at, reason: "revoked" };
}

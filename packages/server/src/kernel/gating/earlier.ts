/** What an earlier question about exactly the same call means for this check. */

import type { DecisionRule } from "@holdpoint/protocol/gating";
import { isGranting, sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { isApproved, isUsedUp } from "../hold/claim.ts";
import { type Hold, isOpen, isPast } from "../hold/hold.ts";
import { must } from "../must.ts";
import type { World } from "../world.ts";
import { type Answered, type Asked, callIdFor } from "./ask.ts";
import type { CheckCall } from "./commands.ts";

/** After this time the same call may be asked about again. Until then the agent hears the person's "no" again. */
const REJECTION_STANDS_MS = 3_600_000;

/** Returns the answer that the earlier question gives; `null`: the call is a new question. */
export function earlier(command: CheckCall, asked: Asked, world: World, { now }: Context): Answered | null {
  const call = world.get("call", callIdFor(command, asked));
  if (call === undefined || isStricter(asked.rule?.decision, call.decision)) return null;
  const { holdId } = call;
  const hold = must(world.get("hold", holdId), `hold ${holdId}`);
  if (isPast(hold, now)) return null;
  if (isOpen(hold)) return { verdict: "ask", holdId };
  const rejected = rejectionOf(hold, now);
  if (rejected !== null) return { verdict: "deny", reason: rejected, holdId };
  if (hold.claim?.state === "unknown") return { verdict: "deny", reason: UNKNOWN, holdId };
  // A client that repeats a call it gave up on must not cause a second execution, nor a second question.
  if (hold.claim?.state === "claimed") return { verdict: "deny", reason: RUNNING, holdId };
  return isReady(hold) ? { verdict: "allow", reason: "A person approved this call.", holdId } : null;
}

const UNKNOWN =
  "An earlier execution of this call was never reported. An operator must check what ran and release the claim.";

const RUNNING =
  "This call was approved and is being executed. Its result is not reported yet, so the call must not run a second time.";

/** Whether a person approved it and it can still be claimed. An approval through the asker's own link does not count (G7). */
function isReady(hold: Hold): boolean {
  if (!isApproved(hold) || hold.revoked !== undefined || isBySelf(hold)) return false;
  return hold.claim === undefined || !isUsedUp(hold);
}

export function isBySelf({ outcome }: Hold): boolean {
  return outcome?.kind === "decided" && outcome.by.givenTo === "asker";
}

/** The person's "no" in words, while it still stands. */
function rejectionOf({ outcome, ask }: Hold, now: number): string | null {
  if (outcome?.kind !== "decided" || ask === null || isGranting(ask, outcome.action)) return null;
  if (now - outcome.at >= REJECTION_STANDS_MS) return null;
  const { data } = outcome;
  const words = data["reason"] ?? data["feedback"] ?? data["note"];
  return typeof words === "string" ? `A person rejected this call: ${words}` : "A person rejected this call.";
}

/** Whether the rules now want more people, or other people, to agree than those who were asked. */
export function isStricter(now: DecisionRule | undefined, then: DecisionRule | undefined): boolean {
  return now !== undefined && !sameJson(now, then);
}

/** What an earlier question about exactly the same call means for this check. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { isGranting, sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { isApproved, isUsedUp } from "../hold/claim.ts";
import { type Hold, isOpen, isPast } from "../hold/hold.ts";
import type { World } from "../world.ts";
import { type Answered, type Asked, callIdFor } from "./ask.ts";
import type { CheckCall } from "./commands.ts";

/** After this time the same call may be asked about again. Until then the agent hears the person's "no" again. */
const REJECTION_STANDS_MS = 3_600_000;

/** Returns the answer that the earlier question gives; `null`: the call is a new question. */
export function earlier(command: CheckCall, asked: Asked, world: World, { now }: Context): Answered | null {
  const call = world.get("call", callIdFor(command, asked));
  const hold = call === undefined ? undefined : world.get("hold", call.holdId);
  if (call === undefined || hold === undefined || isPast(hold, now)) return null;
  if (isStricter(asked.rule?.decision, call.decision)) return null;
  const holdId = hold.id;
  if (isOpen(hold)) return { verdict: "ask", holdId };
  if (isRejected(hold)) {
    if (now - (hold.outcome?.at ?? 0) >= REJECTION_STANDS_MS) return null;
    return { verdict: "deny", reason: rejection(hold), holdId };
  }
  if (hold.claim?.state === "unknown") return { verdict: "deny", reason: UNKNOWN, holdId };
  return isReady(hold) ? { verdict: "allow", reason: "A person approved this call.", holdId } : null;
}

const UNKNOWN =
  "An earlier execution of this call was never reported. An operator must check what ran and release the claim.";

/** Whether a person approved it and it can still be claimed. An approval through the asker's own link does not count (G7). */
export function isReady(hold: Hold): boolean {
  if (!isApproved(hold) || hold.revoked !== undefined || isBySelf(hold)) return false;
  return hold.claim === undefined || (hold.claim.state !== "claimed" && !isUsedUp(hold));
}

export function isBySelf({ outcome }: Hold): boolean {
  return outcome?.kind === "decided" && outcome.by.givenTo === "asker";
}

function isRejected({ outcome, ask }: Hold): boolean {
  return outcome?.kind === "decided" && ask !== null && !isGranting(ask, outcome.action);
}

function rejection({ outcome }: Hold): string {
  const data: JsonObject = outcome?.kind === "decided" ? outcome.data : {};
  const words = data["reason"] ?? data["feedback"] ?? data["note"];
  return typeof words === "string" ? `A person rejected this call: ${words}` : "A person rejected this call.";
}

/** Whether the rules now want more people, or other people, to agree than those who were asked. */
export function isStricter(now: JsonObject | undefined, then: JsonObject | undefined): boolean {
  return now !== undefined && !sameJson(now, then);
}

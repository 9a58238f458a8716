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
import type { Check } from "./gating.ts";
import { GRANTED_REASON, grantOf, isValid } from "./granted.ts";

/** After this time the same call may be asked about again. Until then the agent hears the person's "no" again. */
const REJECTION_STANDS_MS = 3_600_000;

/** Returns the answer that the earlier question gives; `null`: the call is a new question. */
export function earlier(command: CheckCall, asked: Asked, world: World, { now }: Context): Answered | null {
  const call = world.get("call", callIdFor(command, asked));
  if (call === undefined) return null;
  const { holdId } = call;
  const hold = must(world.get("hold", holdId), `hold ${holdId}`);
  // A client that repeats a call it gave up on must not cause a second execution, nor a second question, whatever the rules say now.
  if (hold.claim?.state === "unknown") return { verdict: "deny", reason: UNKNOWN, holdId };
  if (hold.claim?.state === "claimed") return { verdict: "deny", reason: RUNNING, holdId };
  if (isStricter(asked.rule?.decision, call.decision) || isPast(hold, now)) return null;
  if (isOpen(hold)) return { verdict: "ask", holdId };
  if (isRejected(hold, now)) return { verdict: "deny", reason: `${REJECTED}.`, holdId };
  return isReady(hold) ? allowed(hold, asked, world, now) : null;
}

/** What a grant allowed is allowed again only while the grant is valid, and never in a person's name (G5). */
function allowed(hold: Hold, { ruleDigest }: Asked, world: World, now: number): Answered | null {
  const holdId = hold.id;
  const grant = grantOf(hold, world);
  if (grant === undefined) return { verdict: "allow", reason: "A person approved this call.", holdId };
  if (!isValid(grant, ruleDigest, now)) return null;
  return { verdict: "allow", reason: GRANTED_REASON, holdId, grantId: grant.id };
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

function isRejected({ outcome, ask }: Hold, now: number): boolean {
  if (outcome?.kind !== "decided" || ask === null || isGranting(ask, outcome.action)) return false;
  return now - outcome.at < REJECTION_STANDS_MS;
}

const REJECTED = "A person rejected this call";

/**
 * The check's reason with what the person wrote, read from the hold: check and log keep only that somebody rejected, so that
 * what is erased with the hold is nowhere else (G9).
 */
export function reasonFor({ reason }: Pick<Check, "reason">, { outcome }: Hold): string {
  if (reason !== `${REJECTED}.` || outcome?.kind !== "decided") return reason;
  const { data } = outcome;
  const words = data["reason"] ?? data["feedback"] ?? data["note"];
  return typeof words === "string" ? `${REJECTED}: ${words}` : reason;
}

/** Whether the rules now want more people, or other people, to agree than those who were asked. */
export function isStricter(now: DecisionRule | undefined, then: DecisionRule | undefined): boolean {
  return now !== undefined && !sameJson(now, then);
}

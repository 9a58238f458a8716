/**
 * Taking an approval back. The outcome stays what it was, for somebody did approve (G1, G5); what changes is that nobody
 * can claim it any more. What was claimed before cannot be undone, and who comes too late is told so.
 */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { mayOperate } from "../principal.ts";
import { about } from "./about.ts";
import { isApproved, isUsedUp } from "./claim.ts";
import type { RevokeHold } from "./commands.ts";
import type { Hold } from "./hold.ts";
import { byOf, sees } from "./who.ts";

export function revokeHold(command: RevokeHold, draft: Draft, { now }: Context): Reply {
  const hold = draft.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(failure("not_found", "no such hold"));
  const { by } = command;
  // Who asked may narrow what they were given; only an answer could widen it.
  if (!mayOperate(by) && hold.createdBy !== by.name)
    return refuse(failure("not_allowed", "approvals are taken back by operators, or by who asked"));
  if (hold.revoked !== undefined) return accept(hold.id);
  const late = whyNotRevoke(hold);
  if (late !== null) return refuse(late);
  const revoked = { at: now, by: byOf(by) };
  draft.state(about(hold, { type: "hold.revoked", revoked }, now, by));
  return accept(hold.id);
}

function whyNotRevoke(hold: Hold): Failure | null {
  if (!isApproved(hold)) return failure("not_claimable", "only an approval can be taken back");
  // A failed execution may yet be released and tried again; a finished one may not.
  if (hold.claim?.state !== "done" || !isUsedUp(hold)) return null;
  const detail = { claim_id: hold.claim.id, state: hold.claim.state };
  return failure("claim_taken", "it was executed before it was taken back", { detail });
}

/**
 * Revokes an approval. The outcome stays, because somebody did approve (G1, G5), but nobody can claim it any more.
 * Work that was claimed before is not undone; a caller who comes too late gets `claim_taken`.
 */

import { attachmentOf } from "../attachment.ts";
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
    return refuse(failure("not_found", "there is no hold with this id, or this caller may not see it"));
  const { by } = command;
  // The asker may give up a permission it has; only an answer could extend it.
  if (!mayOperate(by) && hold.createdBy !== by.name)
    return refuse(
      failure("not_allowed", "only operators and the agent or app that asked may revoke an approval"),
    );
  if (hold.revoked !== undefined) return accept(hold.id);
  const attached = attachmentOf(hold, draft);
  const late = whyNotRevoke(hold) ?? attached?.rules.revoked?.(attached.id, draft, by, now) ?? null;
  if (late !== null) return refuse(late);
  const revoked = { at: now, by: byOf(by) };
  draft.state(about(hold, { type: "hold.revoked", revoked }, now, by));
  return accept(hold.id);
}

function whyNotRevoke(hold: Hold): Failure | null {
  if (!isApproved(hold)) return failure("not_claimable", "only an approved hold can be revoked");
  // A failed execution can still be released and tried again; one that is done cannot.
  if (hold.claim?.state !== "done" || !isUsedUp(hold)) return null;
  const detail = { claim_id: hold.claim.id, state: hold.claim.state };
  return failure("claim_taken", "the work was executed before the approval was revoked", { detail });
}

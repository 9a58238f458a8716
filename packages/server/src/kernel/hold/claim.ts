/**
 * The execution fence. An approval executes nothing (G10). The caller that executes claims the hold first, once or as
 * often as the ask allows, with the digest of what was approved, and reports the result. If it dies before the
 * report, the claim becomes `unknown` and a person has to check.
 */

import { type Ask, hasUsesLeft, isGranting } from "@holdpoint/protocol/rules";
import { attachmentOf } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { actorText, mayOperate } from "../principal.ts";
import { about } from "./about.ts";
import type { ClaimHold, FinishClaim, ReleaseClaim } from "./commands.ts";
import { type Claim, claimsOf, type Hold } from "./hold.ts";
import { sees } from "./who.ts";

export function claimHold(command: ClaimHold, draft: Draft, context: Context): Reply {
  const { now } = context;
  const hold = draft.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(failure("not_found", "there is no hold with this id, or this caller may not see it"));
  const denied = whyNotMine(hold, command);
  if (denied !== null) return refuse(denied);
  if (!isApproved(hold)) return refuse(failure("not_claimable", "only an approved hold can be claimed"));
  const attached = attachmentOf(hold, draft);
  const stale =
    whyNotClaim(hold, command) ?? attached?.rules.whyNotClaim(attached.id, hold, draft, context) ?? null;
  if (stale !== null) return refuse(stale);
  // The caller lost the reply to this claim and repeats it: it is the same claim.
  if (hold.claim?.id === command.claimId) return accept(hold.id);
  const taken = whyTaken(hold);
  if (taken !== null) return refuse(taken);
  const claim: Claim = {
    id: command.claimId,
    by: actorText(command.by),
    at: now,
    until: now + command.leaseMs,
    state: "claimed",
  };
  draft.state(about(hold, { type: "hold.claimed", claim }, now, command.by));
  return accept(hold.id);
}

function whyNotMine(hold: Hold, { by }: ClaimHold): Failure | null {
  if (by.role === "dev" || hold.createdBy === by.name) return null;
  return failure("not_allowed", "only the agent or app that asked may claim the execution");
}

function whyNotClaim(hold: ApprovedHold, command: ClaimHold): Failure | null {
  if (hold.revoked !== undefined)
    return failure("not_claimable", "the approval was revoked, so it can no longer be claimed");
  if (command.digest !== hold.digest)
    return failure(
      "digest_mismatch",
      "the digest is not the one that was approved; claim with the digest of this hold",
    );
  return null;
}

/** Whether a person approved the hold and its content is not erased. */
export function isApproved(hold: Hold): hold is ApprovedHold {
  const { ask, outcome } = hold;
  return ask !== null && outcome?.kind === "decided" && isGranting(ask, outcome.action);
}

type ApprovedHold = Hold & { readonly ask: Ask };

/** Whether the hold was executed, with success or not, as often as the ask allows. */
export function isUsedUp(hold: ApprovedHold): boolean {
  const hasEnded = hold.claim?.state === "done" || hold.claim?.state === "failed";
  return hasEnded && !hasUsesLeft(hold.ask, claimsOf(hold));
}

/** One execution at a time: while the result of the last one is unknown, there is no next one. */
function whyTaken(hold: ApprovedHold): Failure | null {
  const { claim } = hold;
  if (claim === undefined) return null;
  const detail = { claim_id: claim.id, state: claim.state };
  if (claim.state === "unknown") {
    return failure(
      "claim_unknown",
      "an earlier claim was never reported; a person has to check what ran and release it",
      {
        detail,
      },
    );
  }
  if (claim.state === "claimed" || isUsedUp(hold))
    return failure("claim_taken", TAKEN[claim.state], { detail });
  return null;
}

/** What happened, and what the caller can do next. */
const TAKEN = {
  claimed:
    "somebody has claimed the execution and not reported its result yet; do not execute, and read the hold again later",
  done: "the approved work was executed; do not execute it again, its result is in the hold's `claim`",
  failed:
    "the approved work was executed and failed, and the approval is used up; to try again, ask again: place the question under a new key, or under the same key with this hold's id in `after`",
} as const;

/** A late report is accepted too: it ends a claim whose result is `unknown`. */
export function finishClaim(command: FinishClaim, draft: Draft, { now }: Context): Reply {
  const hold = draft.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(failure("not_found", "there is no hold with this id, or this caller may not see it"));
  const { claim } = hold;
  if (claim === undefined || claim.id !== command.claimId)
    return refuse(failure("not_found", "the hold has no claim with this id"));
  if (command.by.role !== "dev" && hold.createdBy !== command.by.name) {
    return refuse(failure("not_allowed", "only the agent or app that claimed may report the result"));
  }
  const state = command.ok ? "done" : "failed";
  if (claim.state === state) return accept(hold.id);
  if (claim.state === "done" || claim.state === "failed") {
    const detail = { claim_id: claim.id, state: claim.state };
    return refuse(
      failure("claim_taken", "the opposite result was already reported for this claim", { detail }),
    );
  }
  // Content that was erased stays erased, no matter how late the report arrives.
  const detail = hold.erasedAt === undefined ? command.detail : undefined;
  const ended: Claim = { ...claim, state, endedAt: now, ...(detail === undefined ? {} : { detail }) };
  const type = command.ok ? "hold.claim_done" : "hold.claim_failed";
  draft.state(about(hold, { type, claim: ended }, now, command.by));
  return accept(hold.id);
}

/** A person has checked that the work did not run, so it may be claimed again. */
export function releaseClaim(command: ReleaseClaim, draft: Draft, { now }: Context): Reply {
  const hold = draft.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(failure("not_found", "there is no hold with this id, or this caller may not see it"));
  if (!mayOperate(command.by)) return refuse(failure("not_allowed", "only operators may release claims"));
  if (hold.claim === undefined) return accept(hold.id);
  if (hold.claim.state === "done")
    return refuse(failure("not_claimable", "the work was executed, so the claim cannot be released"));
  draft.state(about(hold, { type: "hold.claim_released", claim: hold.claim }, now, command.by));
  return accept(hold.id);
}

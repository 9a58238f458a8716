/**
 * The execution fence. An approval executes nothing (G10); whoever executes claims the hold first, once, against the
 * digest of what was approved, and reports what became of it. A claimer that died leaves `unknown`: a person looks.
 */

import { isGranting } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { actorText, mayOperate } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import type { ClaimHold, FinishClaim, ReleaseClaim } from "./commands.ts";
import type { Claim, Hold } from "./hold.ts";
import { about } from "./settle.ts";
import { sees } from "./who.ts";

export function claimHold(command: ClaimHold, world: World, { now }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(refusal("not_found", "no such hold"));
  const denied = whyNotClaim(hold, command);
  if (denied !== null) return refuse(denied);
  // The same claim asked again, after a lost reply, is the same claim.
  if (hold.claim?.id === command.claimId) return accept("hold", hold.id, []);
  const taken = whyTaken(hold.claim);
  if (taken !== null) return refuse(taken);
  const claim: Claim = {
    id: command.claimId,
    by: actorText(command.by),
    at: now,
    until: now + command.leaseMs,
    state: "claimed",
  };
  return accept("hold", hold.id, [about(hold, { type: "hold.claimed", claim }, now, command.by)]);
}

function whyNotClaim(hold: Hold, command: ClaimHold): Refusal | null {
  if (command.by.role !== "dev" && hold.createdBy !== command.by.name) {
    return refusal("not_allowed", "only who asked may claim the execution");
  }
  const { outcome, ask } = hold;
  if (outcome?.kind !== "decided" || ask === null || !isGranting(ask, outcome.action)) {
    return refusal("not_claimable", "only an approved hold can be claimed");
  }
  if (command.digest !== hold.digest) return refusal("digest_mismatch", "this is not what was approved");
  return null;
}

function whyTaken(claim: Claim | undefined): Refusal | null {
  if (claim === undefined) return null;
  const detail = { claim_id: claim.id, state: claim.state };
  if (claim.state === "unknown") {
    return refusal("claim_unknown", "an earlier claimer never reported; a person has to release it", {
      detail,
    });
  }
  return refusal("claim_taken", "the execution was claimed before", { detail });
}

/** A late report is better than none: it also ends `unknown`. */
export function finishClaim(command: FinishClaim, world: World, { now }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(refusal("not_found", "no such hold"));
  const { claim } = hold;
  if (claim === undefined || claim.id !== command.claimId)
    return refuse(refusal("not_found", "no such claim"));
  if (command.by.role !== "dev" && hold.createdBy !== command.by.name) {
    return refuse(refusal("not_allowed", "only who claimed may report"));
  }
  const state = command.ok ? "done" : "failed";
  if (claim.state === state) return accept("hold", hold.id, []);
  if (claim.state === "done" || claim.state === "failed") {
    const detail = { claim_id: claim.id, state: claim.state };
    return refuse(refusal("claim_taken", "the outcome was reported before", { detail }));
  }
  // What was erased stays erased, however late the report.
  const detail = hold.erasedAt === undefined ? command.detail : undefined;
  const ended: Claim = { ...claim, state, endedAt: now, ...(detail === undefined ? {} : { detail }) };
  const type = command.ok ? "hold.claim_done" : "hold.claim_failed";
  return accept("hold", hold.id, [about(hold, { type, claim: ended }, now, command.by)]);
}

/** A person has looked and found that it did not run: it may be claimed again. */
export function releaseClaim(command: ReleaseClaim, world: World, { now }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(refusal("not_found", "no such hold"));
  if (!mayOperate(command.by)) return refuse(refusal("not_allowed", "claims are released by operators"));
  if (hold.claim === undefined) return accept("hold", hold.id, []);
  if (hold.claim.state === "done") return refuse(refusal("not_claimable", "it was executed"));
  return accept("hold", hold.id, [
    about(hold, { type: "hold.claim_released", claim: hold.claim }, now, command.by),
  ]);
}

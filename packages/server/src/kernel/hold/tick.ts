/**
 * States what has become due on a hold by time alone (G3). The timers run it, and so does every command that finds a
 * hold past its time.
 */

import { attachmentOf } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { SYSTEM } from "../principal.ts";
import type { World } from "../world.ts";
import { about } from "./about.ts";
import type { TickHold } from "./commands.ts";
import { eraseContent } from "./erase.ts";
import { outdatedFiles } from "./files.ts";
import { endsAt, type Hold, isOpen, isPast, type Outcome } from "./hold.ts";
import { settle } from "./settle.ts";
import { eraseAt, passRungs } from "./time.ts";

export function tickHold(command: TickHold, draft: Draft, context: Context): Reply {
  const hold = draft.get("hold", command.holdId);
  if (hold === undefined)
    return refuse(failure("not_found", "there is no hold with this id, or this caller may not see it"));
  stateDue(hold, draft, context.now);
  stateAfterEnd(draft.get("hold", hold.id) as Hold, draft, context);
  return accept(hold.id);
}

/** States what has become due on an open hold. */
export function stateDue(hold: Hold, draft: Draft, now: number): void {
  if (isPast(hold, now)) expire(hold, draft);
  else if (isOpen(hold)) {
    notifyPeople(hold, draft, now, false);
    for (const record of outdatedFiles(hold, now)) draft.state(record);
  }
}

/**
 * A hold expires at its expiry time, no matter how late this runs. Rungs that were not delivered before it are
 * missed.
 */
function expire(hold: Hold, draft: Draft): void {
  const at = endsAt(hold);
  notifyPeople(hold, draft, at, true);
  const last = draft.get("hold", hold.id) as Hold;
  settle(last, expiredAt(last, at, draft), draft, SYSTEM);
}

/** A deadline overrides `onTimeout`, even if both come at the same moment. */
function expiredAt(hold: Hold, at: number, world: World): Outcome {
  const { onTimeout, deadlineAt } = hold;
  if (deadlineAt === at) {
    const reason = attachmentOf(hold, world)?.rules.deadlineReason ?? "deadline";
    return { kind: "expired", at, default: { action: "abort" }, reason };
  }
  return { kind: "expired", at, ...(onTimeout === undefined ? {} : { default: onTimeout }) };
}

function notifyPeople(hold: Hold, draft: Draft, at: number, isExpired: boolean): void {
  const passed = passRungs(hold, at, isExpired);
  if (passed.length === 0) return;
  const attached = attachmentOf(hold, draft);
  attached?.rules.notified(attached.id, hold, passed, draft, at);
  for (const { index, rung } of passed) {
    const type = rung.kind === "attempt" ? "hold.escalated" : "hold.reminded";
    draft.state(about(hold, { type, index, rung }, at, SYSTEM));
  }
}

/** Notifies the next people now, although their time has not come: nobody of the rung before could be reached. */
export function advance(hold: Hold, draft: Draft, now: number): void {
  const next = hold.rungs.find((rung) => rung.state === undefined);
  if (next === undefined) return;
  const early = hold.rungs.map((rung) =>
    rung.at === next.at && rung.state === undefined ? { ...rung, at: now } : rung,
  );
  notifyPeople({ ...hold, rungs: early }, draft, now, false);
}

function stateAfterEnd(hold: Hold, draft: Draft, context: Context): void {
  const { now } = context;
  if (hold.claim?.state === "claimed" && hold.claim.until <= now) {
    const claim = { ...hold.claim, state: "unknown", endedAt: now } as const;
    draft.state(about(hold, { type: "hold.claim_unknown", claim }, now, SYSTEM));
  }
  const erase = eraseAt(hold);
  if (erase !== null && erase <= now) eraseContent(hold, draft, SYSTEM, context);
}

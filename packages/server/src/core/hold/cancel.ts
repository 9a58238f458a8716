/** Withdrawing a hold: by its creator, by an operator, or by a link holder who dismisses it. Nobody has decided then (G5). */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { whyNotOnIntent } from "../intent/who.ts";
import { refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { whySettled } from "./answer.ts";
import type { CancelHold } from "./commands.ts";
import { isPast, type Outcome } from "./hold.ts";
import { linkBy, throughLink } from "./link.ts";
import { settle } from "./settle.ts";
import { whatIsDue } from "./tick.ts";
import { byOf, sees, whyNotCancel } from "./who.ts";

export function cancelHold(command: CancelHold, world: World, { now }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  const link = linkBy(command, world);
  if (hold === undefined || !sees(hold, command.by, link))
    return refuse(refusal("not_found", "no such hold"));
  const denied =
    whyNotCancel(hold, command.by, link) ?? whyNotOnIntent(hold.intentId, command.by, world, now);
  if (denied !== null) return refuse(denied);
  if (isPast(hold, now)) {
    return refuse(refusal("hold_expired", "it ended before you cancelled it"), whatIsDue(hold, world, now));
  }
  const settled = whySettled(hold);
  if (settled !== null) return refuse(settled);
  const by = throughLink(command.by, hold, link);
  return accept("hold", hold.id, settle(hold, cancelled({ ...command, by }, now), world, by));
}

export function cancelled(command: Pick<CancelHold, "by" | "reason">, now: number): Outcome {
  const { by, reason } = command;
  return { kind: "cancelled", cancelledBy: byOf(by), ...(reason === undefined ? {} : { reason }), at: now };
}

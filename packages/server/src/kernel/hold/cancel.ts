/**
 * Cancels a hold: its creator withdraws it, an operator cancels it, or the holder of a link dismisses it. Nobody has
 * decided then (G5).
 */

import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import type { Failure } from "../failure.ts";
import type { Principal } from "../principal.ts";
import type { World } from "../world.ts";
import type { CancelHold } from "./commands.ts";
import { findOpenHold } from "./guard.ts";
import type { Hold, Outcome } from "./hold.ts";
import { type Link, throughLink } from "./link.ts";
import { settle } from "./settle.ts";
import { entitlement, isRuled } from "./voter.ts";
import { byOf, whyNotCancel } from "./who.ts";

export function cancelHold(command: CancelHold, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold, link } = found;
  const denied =
    whyNotCancel(hold, command.by, link) ??
    whyNotDismiss(hold, command.by, link, draft, context.now) ??
    whyNotAttached(hold, command.by, draft, context.now);
  if (denied !== null) return refuse(denied);
  const by = throughLink(command.by, hold, link);
  settle(hold, cancelled({ ...command, by }, context.now), draft, by);
  return accept(hold.id);
}

/** On a hold with a decision rule, the holder of a link dismisses it only if they may vote by that link. */
function whyNotDismiss(
  hold: Hold,
  by: Principal,
  link: Link | undefined,
  world: World,
  now: number,
): Failure | null {
  if (by.role !== "reviewer" || !isRuled(hold)) return null;
  const entitled = entitlement(hold, { by, link }, world, now);
  return "code" in entitled ? entitled : null;
}

export function cancelled(command: Pick<CancelHold, "by" | "reason">, now: number): Outcome {
  const { by, reason } = command;
  return { kind: "cancelled", cancelledBy: byOf(by), ...(reason === undefined ? {} : { reason }), at: now };
}

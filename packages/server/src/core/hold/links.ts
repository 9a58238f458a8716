/** Making and revoking review links. Every delivery gets one of its own, so an answer tells which one it came by. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { whyNotOnIntent } from "../intent/who.ts";
import type { Platform } from "../platform.ts";
import { mayOperate, mayPlace, type Principal } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { whySettled } from "./answer.ts";
import type { MakeLink, RevokeLink } from "./commands.ts";
import { type Hold, isPast } from "./hold.ts";
import { givesLinksToAsker, isAsker, linkBy } from "./link.ts";
import { linkMade } from "./place.ts";
import { about } from "./settle.ts";
import { whatIsDue } from "./tick.ts";
import { sees } from "./who.ts";

/** People and the server's own channels always may. */
function mayHandOut(by: Principal): boolean {
  return mayOperate(by) || by.role === "system";
}

/**
 * G7: the asker may have a token for inline answers where its hold's links go to it, unless the workspace forbids inline
 * answers. The token carries no person, whomever the asker names.
 */
function mayHaveInline(hold: Hold, { link, by }: MakeLink, world: World, platform: Platform): boolean {
  if (link.purpose !== "submit" || !mayPlace(by) || !isAsker(hold, by)) return false;
  return givesLinksToAsker(hold, platform) && world.get("workspace", "settings")?.noInline !== true;
}

/** `dev` answers what it placed itself, so a link that it makes to its own hold is a person's; it still names nobody. */
function isAskersOwn(hold: Hold, by: Principal): boolean {
  return isAsker(hold, by) && by.role !== "dev";
}

export function makeLink(command: MakeLink, world: World, { now, platform }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  if (hold === undefined || !sees(hold, command.by, undefined))
    return refuse(refusal("not_found", "no such hold"));
  if (!mayHandOut(command.by) && !mayHaveInline(hold, command, world, platform))
    return refuse(refusal("not_allowed", "links are made by operators"));
  // Who holds a link may answer, so who may not answer may not make one either.
  const elsewhere = whyNotOnIntent(hold.intentId, command.by, world, now);
  if (elsewhere !== null) return refuse(elsewhere);
  if (isPast(hold, now)) {
    return refuse(refusal("hold_expired", "nobody answered in time"), whatIsDue(hold, world, now));
  }
  const settled = whySettled(hold);
  if (settled !== null) return refuse(settled);
  const givenTo = isAskersOwn(hold, command.by) ? "asker" : "people";
  return accept("hold", hold.id, [linkMade(hold, command.link, command.by, now, givenTo)]);
}

export function revokeLink(command: RevokeLink, world: World, { now }: Context): Decision {
  const hold = world.get("hold", command.holdId);
  const link = linkBy(command, world);
  if (hold === undefined || link?.holdId !== hold.id || !sees(hold, command.by, undefined)) {
    return refuse(refusal("not_found", "no such link"));
  }
  if (!mayHandOut(command.by)) return refuse(refusal("not_allowed", "links are revoked by operators"));
  if (link.revokedAt !== undefined) return accept("hold", hold.id, []);
  return accept("hold", hold.id, [
    about(hold, { type: "hold.link_revoked", link: { ...link, revokedAt: now } }, now, command.by),
  ]);
}

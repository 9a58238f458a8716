/** Making and revoking review links. Every delivery gets one of its own, so an answer tells which one it came by. */

import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import type { Platform } from "../platform.ts";
import { mayOperate, mayPlace, type Principal } from "../principal.ts";
import type { World } from "../world.ts";
import { about } from "./about.ts";
import type { MakeLink, RevokeLink } from "./commands.ts";
import { findHold, findOpenHold } from "./guard.ts";
import type { Hold } from "./hold.ts";
import { givesLinksToAsker, isAsker, linkBy } from "./link.ts";
import { linkMade } from "./place.ts";

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

export function makeLink(command: MakeLink, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold } = found;
  if (!mayHandOut(command.by) && !mayHaveInline(hold, command, draft, context.platform))
    return refuse(failure("not_allowed", "only operators make links"));
  // Who holds a link may answer, so who may not answer may not make one either.
  const denied = whyNotAttached(hold, command.by, draft, context.now);
  if (denied !== null) return refuse(denied);
  const givenTo = isAskersOwn(hold, command.by) ? "asker" : "people";
  draft.state(linkMade(hold, command.link, command.by, context.now, givenTo));
  return accept(hold.id);
}

export function revokeLink({ linkHash, ...command }: RevokeLink, draft: Draft, { now }: Context): Reply {
  const { holdId, by } = command;
  // The link is what is revoked, not what the caller comes by.
  const hold = findHold(command, draft)?.hold;
  const link = linkBy({ holdId, linkHash }, draft);
  if (hold === undefined || link?.holdId !== hold.id) return refuse(failure("not_found", "no such link"));
  if (!mayHandOut(by)) return refuse(failure("not_allowed", "only operators revoke links"));
  if (link.revokedAt === undefined)
    draft.state(about(hold, { type: "hold.link_revoked", link: { ...link, revokedAt: now } }, now, by));
  return accept(hold.id);
}

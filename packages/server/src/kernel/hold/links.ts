/**
 * Makes and revokes review links. Every delivery gets its own link, so an answer shows which delivery it came from.
 */

import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { emailAccountId, recipientPerson } from "../people/person.ts";
import { allowsInline, type Platform } from "../platform.ts";
import { mayOperate, mayPlace, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { about } from "./about.ts";
import type { MakeLink, NewLink, RevokeLink } from "./commands.ts";
import { findHold, findOpenHold } from "./guard.ts";
import type { Hold } from "./hold.ts";
import { givesLinksToAsker, isAsker, linkBy } from "./link.ts";
import { linkMade } from "./place.ts";

/** Operators and the server's own channels may make and revoke any link. */
function mayManageLinks(by: Principal): boolean {
  return mayOperate(by) || by.role === "system";
}

/**
 * G7: the asker may have a token for inline answers if its hold's links go to it and the workspace allows inline
 * answers. The token carries no person, no matter whom the asker names.
 */
function mayHaveInline(hold: Hold, { link, by }: MakeLink, world: World, platform: Platform): boolean {
  if (link.purpose !== "submit" || !mayPlace(by) || !isAsker(hold, by)) return false;
  return givesLinksToAsker(hold, platform) && allowsInline(platform, world.get("workspace", "settings"));
}

/**
 * `dev` may answer what it placed itself, so a link it makes to its own hold counts as given to people; it still
 * names nobody.
 */
function isGivenToItsAsker(hold: Hold, by: Principal): boolean {
  return isAsker(hold, by) && by.role !== "dev";
}

/** What must be loaded to find out who the recipient is, unless the caller knows it. */
export function linkNeeds({ recipient, personId }: NewLink, world: World): readonly Need[] {
  if (recipient === undefined || personId !== undefined) return [];
  return [
    { kind: "account", id: emailAccountId(recipient), read: true },
    { kind: "person", id: recipientPerson(recipient, world), read: true },
  ];
}

/** The link keeps who the recipient is now: it stays refused with this person when somebody else or nobody has the address. */
function withPerson(link: NewLink, world: World): NewLink {
  const { recipient, personId } = link;
  if (recipient === undefined || personId !== undefined) return link;
  const person = world.get("person", recipientPerson(recipient, world));
  return person === undefined ? link : { ...link, personId: person.id };
}

export function makeLink(command: MakeLink, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold } = found;
  if (!mayManageLinks(command.by) && !mayHaveInline(hold, command, draft, context.platform))
    return refuse(failure("not_allowed", "only operators may make links"));
  // The holder of a link may answer, so a caller who may not answer may not make a link either.
  const denied = whyNotAttached(hold, command.by, draft, context.now);
  if (denied !== null) return refuse(denied);
  const givenTo = isGivenToItsAsker(hold, command.by) ? "asker" : "people";
  draft.state(linkMade(hold, withPerson(command.link, draft), command.by, context.now, givenTo));
  return accept(hold.id);
}

export function revokeLink({ linkHash, ...command }: RevokeLink, draft: Draft, { now }: Context): Reply {
  const { holdId, by } = command;
  // `linkHash` names the link to revoke, not the link that the caller uses.
  const hold = findHold(command, draft)?.hold;
  const link = linkBy({ holdId, linkHash }, draft);
  if (hold === undefined || link?.holdId !== hold.id)
    return refuse(failure("not_found", "the hold has no link with this id"));
  if (!mayManageLinks(by)) return refuse(failure("not_allowed", "only operators may revoke links"));
  if (link.revokedAt === undefined)
    draft.state(about(hold, { type: "hold.link_revoked", link: { ...link, revokedAt: now } }, now, by));
  return accept(hold.id);
}

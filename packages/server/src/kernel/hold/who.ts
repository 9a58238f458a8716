/** Who may see, answer and cancel a hold. Who may answer is data on the hold, frozen when it was placed. */

import { type Failure, failure } from "../failure.ts";
import { mayOperate, type Principal, seesAll } from "../principal.ts";
import type { By, Hold } from "./hold.ts";
import { type Link, personOf } from "./link.ts";

/** The hold as this principal may know of it: another agent's hold does not exist. */
export function sees(hold: Hold, by: Principal, link: Link | undefined): boolean {
  if (by.role === "reviewer") return link !== undefined && link.holdId === hold.id;
  return seesAll(by) || hold.createdBy === by.name;
}

/** G9: what is sensitive in an answer is for who asked, or for nobody where it was placed so. */
export function mayKnow(hold: Hold, viewer: Principal): boolean {
  if (hold.withholdSensitive === true) return false;
  return (
    viewer.role === "dev" ||
    (viewer.name === hold.createdBy && (viewer.role === "agent" || viewer.role === "app"))
  );
}

/** G7: who asks cannot answer. */
export function whyNotAnswer(
  hold: Hold,
  by: Principal,
  link: Link | undefined,
  action: string,
): Failure | null {
  switch (by.role) {
    case "dev":
      return null;
    case "reviewer":
      return whyNotByLink(hold, link, action);
    case "app":
      // An app relays its own users' answers to what it asked on their behalf, and says who they are.
      if (by.claimed === undefined) return no("an app answers only for a named end user");
      // An agent may bear the same name; what it asked is not the app's to answer.
      if (hold.createdBy !== by.name || hold.askedByApp !== true)
        return no("an app answers only what it asked itself");
      return whyNotNamed(hold, by.name);
    case "operator":
    case "admin":
      if (hold.createdBy === by.name) return no("nobody answers what they asked themselves");
      return whyNotNamed(hold, by.name);
    default:
      return no(`a key with the role ${by.role} never answers`);
  }
}

function whyNotByLink(hold: Hold, link: Link | undefined, action: string): Failure | null {
  const dead = whyLinkDead(hold, link);
  if (dead !== null || link === undefined) return dead;
  if (link.actions !== undefined && !link.actions.includes(action)) return no(`this link cannot ${action}`);
  return whyNotNamed(hold, personOf(link, hold));
}

function whyLinkDead(hold: Hold, link: Link | undefined): Failure | null {
  if (link === undefined || link.holdId !== hold.id) return no("this link does not belong to the hold");
  return link.revokedAt === undefined ? null : no("this link was revoked");
}

/** A bearer link says nothing about who holds it, so on a hold for named people only links made for them count. */
function whyNotNamed({ answerers }: Hold, name: string | undefined): Failure | null {
  if (answerers === undefined || (name !== undefined && answerers.includes(name))) return null;
  return no("only the people named on the hold may answer it");
}

export function whyNotCancel(hold: Hold, by: Principal, link: Link | undefined): Failure | null {
  if (by.role === "reviewer") {
    const dead = whyLinkDead(hold, link);
    if (dead !== null || link === undefined) return dead;
    if (link.purpose === "submit") return no("an inline token answers; it does not dismiss");
    if (link.actions !== undefined)
      return no(`this link can only ${link.actions.join(" or ")}; it does not dismiss`);
    return whyNotNamed(hold, personOf(link, hold));
  }
  if (mayOperate(by) || hold.createdBy === by.name) return null;
  return no(`a key with the role ${by.role} does not cancel this hold`);
}

/** A look is a person's who might answer: an agent that could leave one would silence its own reminders. */
export function whyNotOpen(hold: Hold, link: Link | undefined, by: Principal): Failure | null {
  if (by.role === "reviewer") return whyLinkDead(hold, link);
  return mayOperate(by) || by.role === "app" ? null : no(`the role ${by.role} looks without leaving a trace`);
}

function no(message: string): Failure {
  return failure("not_allowed", message);
}

/** As it goes onto the outcome. */
export function byOf(principal: Principal): By {
  const { via, id, name, claimed, role, givenTo } = principal;
  if (via === "system") throw new Error("the server itself neither answers nor cancels");
  return {
    kind: role === "app" ? "app" : via,
    id,
    ...(name === "" ? {} : { name }),
    ...(claimed === undefined ? {} : { claimed }),
    ...(givenTo === undefined ? {} : { givenTo }),
  };
}

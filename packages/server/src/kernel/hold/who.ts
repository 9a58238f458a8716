/** Who may see, answer and cancel a hold. The hold's row says who may answer; it is fixed when the hold is placed. */

import { isWithin } from "../browser-token/token.ts";
import { type Failure, failure } from "../failure.ts";
import { mayOperate, type Principal, seesAll } from "../principal.ts";
import type { By, Hold } from "./hold.ts";
import { type Link, personOf } from "./link.ts";

/** Whether the principal may know of the hold. For an agent, another agent's hold does not exist. */
export function sees(hold: Hold, by: Principal, link: Link | undefined): boolean {
  if (by.reach !== undefined && !isWithin(hold, by, by.reach)) return false;
  if (by.role === "reviewer") return link !== undefined && link.holdId === hold.id;
  return seesAll(by) || hold.createdBy === by.name;
}

/** G9: sensitive values of an answer are only for the agent or app that asked, or for nobody if the hold says so. */
export function mayKnow(hold: Hold, viewer: Principal): boolean {
  if (hold.withholdSensitive === true || viewer.reach !== undefined) return false;
  return (
    viewer.role === "dev" ||
    (viewer.name === hold.createdBy && (viewer.role === "agent" || viewer.role === "app"))
  );
}

/** G7: the caller that asked cannot answer. */
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
      // An app relays the answers of its own users to what it asked on their behalf, and names the user.
      if (by.claimed === undefined) return no("an app may answer only for an end user that it names");
      // An agent may have the same name; the app may not answer what that agent asked.
      if (hold.createdBy !== by.name || hold.askedByApp !== true)
        return no("an app may answer only holds that it placed itself");
      return whyNotNamed(hold, by.name);
    case "operator":
    case "admin":
      if (hold.createdBy === by.name) return no("you placed this hold yourself, so you may not answer it");
      return whyNotNamed(hold, by.name);
    default:
      return no(`a key with the role ${by.role} may not answer`);
  }
}

function whyNotByLink(hold: Hold, link: Link | undefined, action: string): Failure | null {
  const invalid = whyLinkInvalid(hold, link);
  if (invalid !== null || link === undefined) return invalid;
  if (link.actions !== undefined && !link.actions.includes(action))
    return no(`this link may not be used to ${action}`);
  return whyNotNamed(hold, personOf(link, hold));
}

function whyLinkInvalid(hold: Hold, link: Link | undefined): Failure | null {
  if (link === undefined || link.holdId !== hold.id) return no("this link does not belong to the hold");
  if (link.purpose === "read") return no("this token only reads the case");
  return link.revokedAt === undefined ? null : no("this link was revoked");
}

/** A link does not prove who holds it. On a hold with named answerers only a link made for one of them counts. */
function whyNotNamed({ answerers }: Hold, name: string | undefined): Failure | null {
  if (answerers === undefined || (name !== undefined && answerers.includes(name))) return null;
  return no("only the people named on the hold may answer it");
}

export function whyNotCancel(hold: Hold, by: Principal, link: Link | undefined): Failure | null {
  if (by.role === "reviewer") {
    const invalid = whyLinkInvalid(hold, link);
    if (invalid !== null || link === undefined) return invalid;
    if (link.purpose === "submit") return no("an inline token can answer the hold, but not dismiss it");
    if (link.actions !== undefined)
      return no(`this link can only ${link.actions.join(" or ")}, not dismiss the hold`);
    return whyNotNamed(hold, personOf(link, hold));
  }
  if (mayOperate(by) || hold.createdBy === by.name) return null;
  return no(`a key with the role ${by.role} may not cancel this hold`);
}

/** Only a caller who might answer leaves an opening on record: otherwise an agent could stop its own reminders. */
export function whyNotOpen(hold: Hold, link: Link | undefined, by: Principal): Failure | null {
  if (by.role === "reviewer") return whyLinkInvalid(hold, link);
  return mayOperate(by) || by.role === "app"
    ? null
    : no(`a key with the role ${by.role} may not open or fill in a hold`);
}

function no(message: string): Failure {
  return failure("not_allowed", message);
}

/** The principal as it is stored on the outcome. */
export function byOf(principal: Principal): By {
  const { via, id, name, claimed, role, givenTo } = principal;
  if (via === "system") throw new Error("Invariant: the server itself cannot answer or cancel a hold");
  return {
    kind: role === "app" ? "app" : via,
    id,
    ...(name === "" ? {} : { name }),
    ...(claimed === undefined ? {} : { claimed }),
    ...(givenTo === undefined ? {} : { givenTo }),
  };
}

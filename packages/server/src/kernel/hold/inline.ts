/** Answers without the review page: what a submit token may answer, and for which accounts. */

import { isObject, type JsonObject, needsNote } from "@holdpoint/protocol/rules";
import { type Failure, failure } from "../failure.ts";
import type { AnswerHold } from "./commands.ts";
import type { Hold } from "./hold.ts";
import type { Link } from "./link.ts";

/** Stored with a hold whose author declared a high risk: only the review page answers it, even if a submit token was made later. */
export const PAGE_ONLY = { risk: "high" } as const;

/** The detail says that the page takes the answer, and whether the action or the account keeps it from being taken here. */
export function whyNotInline(
  { face, ask }: Hold,
  link: Link | undefined,
  { action, by }: Pick<AnswerHold, "action" | "by">,
  isAllowed: boolean,
): Failure | null {
  if (link?.purpose !== "submit") return null;
  const isOnPage =
    link.actions?.includes(action) === false ||
    face?.["risk"] === PAGE_ONLY.risk ||
    (ask !== null && needsNote(ask, action)) ||
    !isAllowed;
  if (isOnPage) return onPage("action", `${action} is taken on the review page`);
  return isRegistered(face, by.claimed)
    ? null
    : onPage("account", "this account is not registered for the case");
}

function onPage(because: "action" | "account", message: string): Failure {
  return failure("not_allowed", message, { detail: { door: "page", because } });
}

/** Whether a hold that names platform accounts names the one that the client says has answered. */
function isRegistered(face: JsonObject | undefined, claimed: JsonObject | undefined): boolean {
  const registered = face?.["submitters"];
  if (!Array.isArray(registered)) return true;
  return registered.some(
    (one) =>
      isObject(one) &&
      one["platform"] === claimed?.["platform"] &&
      one["platform_user_id"] === claimed?.["id"],
  );
}

/**
 * Answers to a bare interrupt: one whose author gave no schema, and whose code may be no more than `if (answer)`.
 *
 * B1  Whatever is not an approval becomes `false`, never an object or a text, which are true (G14).
 * B2  What an app sends as an approval arrives as it was sent. A person who approves elsewhere sends `true`.
 * B3  A payload that says no in a usual way is a rejection, also as a text or as JSON inside a text. A member that decides and is
 *     `null` or an empty list says no.
 */

import type { Decided } from "../client/index.ts";
import { type Answer, isObject, type Json, member } from "../rules/index.ts";

/** The whole of a text that says no. */
const NO = /^(?:n|false|0|null|none|undefined|ignored?|not approved)[.!]?$/i;
/** Words with which a text that says no begins, whatever follows: "No, thanks", "don't pay". */
const NO_FIRST =
  /^(?:no|nope|nah|not|never|nein|non|don['’]?t|do not|reject(?:ed)?|den(?:y|ied)|declined?|refused?|cancel(?:led|ed)?|dismiss(?:ed)?|abort(?:ed)?|stop|skip(?:ped)?|disapproved?)(?![\p{L}\p{N}_])/iu;
/** Members by which apps say yes or no, those by which they name a decision, and those that are a no by themselves. */
const FLAGS = [
  ...["approved", "approve", "isApproved", "is_approved", "confirmed", "confirm", "accepted", "accept"],
  ...["allowed", "allow", "ok", "yes", "proceed", "continue", "granted"],
];
const NAMES = [
  ...["type", "action", "decision", "status", "answer", "value", "response", "result", "choice", "verdict"],
  ...["behavior", "permission"],
];
const REFUSALS = [
  ...["cancelled", "canceled", "cancel", "rejected", "reject", "denied", "deny", "declined", "decline"],
  ...["dismissed", "refused", "aborted", "expired"],
];
const DEPTH_MAX = 8;

export function bareAnswer(payload: Json | undefined): Answer {
  if (payload === undefined || saysNo(payload)) return { action: "reject", data: {} };
  return { action: "approve", data: payload === true ? {} : { value: payload } };
}

export function isBareApproval({ action, data }: Pick<Decided, "action" | "data">): boolean {
  // Changed arguments have no place in a bare value: the agent would run what was not approved.
  return action === "approve" && !Object.hasOwn(data, "edited_args");
}

export function barePayload(decided: Pick<Decided, "action" | "data">): Json {
  return isBareApproval(decided) && (member(decided.data, "value") ?? true);
}

function saysNo(payload: Json, depth = 0): boolean {
  if (depth > DEPTH_MAX) return true;
  if (typeof payload === "string") return textSaysNo(payload, depth);
  if (Array.isArray(payload)) return payload.length === 0 || payload.some((each) => saysNo(each, depth + 1));
  if (!isObject(payload)) return !payload;
  if (Object.keys(payload).length === 0 || REFUSALS.some((name) => member(payload, name) === true))
    return true;
  // A member that is there is judged as it is: `null` and an empty list are no answer, and so no approval.
  const told = [...FLAGS, ...NAMES, "decisions"].filter((name) => Object.hasOwn(payload, name));
  return told.some((name) => saysNo(payload[name] ?? null, depth + 1));
}

function textSaysNo(text: string, depth: number): boolean {
  const said = text.trim();
  if (said === "" || NO.test(said) || NO_FIRST.test(said)) return true;
  try {
    return saysNo(JSON.parse(said) as Json, depth + 1);
  } catch {
    return false;
  }
}

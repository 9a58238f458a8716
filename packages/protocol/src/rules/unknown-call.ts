/**
 * Approvals of a call that nobody can show (G15). The caller that places the ask says so in its context; a person then approves only
 * with words about how they know what will run, never by pressing a button alone.
 */

import { type Ask, isCallUnknown, isGranting } from "./ask.ts";
import { type JsonObject, member } from "./json.ts";
import type { Problem } from "./judge.ts";

/** Whether an action would let an unknown call run, so that it needs a note. */
export function needsNote(ask: Pick<Ask, "type" | "context">, action: string): boolean {
  const isYesOrNo = ask.type === "approval" || ask.type === "confirmation";
  return isYesOrNo && isGranting(ask, action) && isCallUnknown(ask);
}

/** What is missing from an answer that a person gives on a page or in a terminal; none: nothing. */
export function noteProblems(
  ask: Pick<Ask, "type" | "context">,
  action: string,
  data: JsonObject,
): readonly Problem[] {
  const note = member(data, "note");
  if (!needsNote(ask, action) || (typeof note === "string" && note.trim() !== "")) return [];
  const message = "must say how you know what will run: the exact call is unknown";
  return [{ key: "/note", rule: "required", message }];
}

/** Answering a hold. Today's rule: the first valid answer is the outcome; all later ones are told so (G1). */

import { type Ask, checkAnswer, type JsonObject, noteProblems } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { whyNotOnIntent } from "../intent/who.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import type { AnswerHold } from "./commands.ts";
import { untrueFiles } from "./files.ts";
import { type Door, type Hold, isPast, type Outcome } from "./hold.ts";
import { linkBy, throughLink } from "./link.ts";
import { settle } from "./settle.ts";
import { whatIsDue } from "./tick.ts";
import { byOf, sees, whyNotAnswer } from "./who.ts";

export function answerHold(command: AnswerHold, world: World, context: Context): Decision {
  const hold = world.get("hold", command.holdId);
  const link = linkBy(command, world);
  if (hold === undefined || !sees(hold, command.by, link))
    return refuse(refusal("not_found", "no such hold"));
  if (isPast(hold, context.now)) return refuse(gone(hold), whatIsDue(hold, world, context.now));
  const settled = whySettled(hold);
  if (settled !== null) return refuse(settled);

  const denied =
    whyNotAnswer(hold, command.by, link, command.action) ??
    whyNotOnIntent(hold.intentId, command.by, world, context.now) ??
    whyStale(hold, command, world);
  if (denied !== null) return refuse(denied);
  const judged = judge(hold, command.action, command.data, context);
  if ("code" in judged) return refuse(judged);
  const blind = whyBlind(hold, command, judged.data);
  if (blind !== null) return refuse(blind);
  const by = throughLink(command.by, hold, link);
  const outcome = decided({ ...command, by }, judged.data, context.now);
  return accept("hold", hold.id, settle(hold, outcome, world, by));
}

/** Doors with buttons: a press alone must not let a call run that nobody was shown (G15). */
const BUTTON_DOORS: readonly Door[] = ["page", "console", "inline"];

function whyBlind(hold: Hold, { door, action }: AnswerHold, data: JsonObject): Refusal | null {
  const problems = BUTTON_DOORS.includes(door) ? noteProblems(askOf(hold), action, data) : [];
  if (problems.length === 0) return null;
  return refusal("invalid_answer", "the exact call is unknown: say how you know what will run", { problems });
}

export function decided(
  command: Pick<AnswerHold, "action" | "by" | "door" | "shown">,
  data: JsonObject,
  now: number,
): Extract<Outcome, { readonly kind: "decided" }> {
  return {
    kind: "decided",
    action: command.action,
    data,
    by: byOf(command.by),
    door: command.door,
    ...(command.shown === undefined ? {} : { shown: command.shown }),
    at: now,
  };
}

function whyStale(hold: Hold, command: AnswerHold, world: World): Refusal | null {
  if (command.shown !== undefined && command.shown !== hold.digest) {
    return refusal("shown_mismatch", "what was shown is not what this hold asks");
  }
  if (command.ifVersion !== undefined && command.ifVersion !== world.version("hold", hold.id)) {
    return refusal("precondition_failed", "the hold has changed since you read it");
  }
  return null;
}

export function whySettled(hold: Hold): Refusal | null {
  if (hold.status === "open") return null;
  if (hold.status === "expired") return gone(hold);
  return refusal("already_settled", `the hold was ${hold.status} before`, { detail: { hold_id: hold.id } });
}

function gone(hold: Hold): Refusal {
  return refusal("hold_expired", "nobody answered in time", { detail: { hold_id: hold.id } });
}

function askOf({ id, ask }: Hold): Ask {
  if (ask === null) throw new Error(`Invariant: open hold ${id} has no ask`);
  return ask;
}

/** The answer as it will be kept, or why it does not fit the ask. */
export function judge(
  hold: Hold,
  action: string,
  data: JsonObject,
  context: Context,
): Refusal | { readonly data: JsonObject } {
  const checked = checkAnswer(askOf(hold), { action, data }, context.judge);
  if (checked.ok) {
    const untrue = untrueFiles(hold, checked.data);
    if (untrue.length === 0) return { data: checked.data };
    return refusal("invalid_answer", "the answer names a file that is not there", { problems: untrue });
  }
  const message =
    checked.code === "invalid_action" ? "this hold knows no such action" : "the answer does not fit the ask";
  return refusal(checked.code, message, { problems: checked.problems });
}

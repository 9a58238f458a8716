/**
 * Answers a hold. The first valid answer becomes the outcome; every later one is refused and told how the hold ended
 * (G1).
 */

import { type Ask, checkAnswer, type JsonObject, noteProblems } from "@holdpoint/protocol/rules";
import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { whyNotGrant } from "../gating/grants.ts";
import { whyNotEdited } from "../gating/ruled-now.ts";
import { CHALLENGE_MS } from "../passkey/passkey.ts";
import { allowsInline } from "../platform.ts";
import { actorText } from "../principal.ts";
import type { World } from "../world.ts";
import type { AnswerHold, ChallengeAnswer } from "./commands.ts";
import { fileProblems } from "./files.ts";
import { type Found, findOpenHold } from "./guard.ts";
import type { Door, Hold, Outcome } from "./hold.ts";
import { whyNotInline } from "./inline.ts";
import { decisionOf, provenBy, whyNotProven } from "./proof.ts";
import { settle } from "./settle.ts";
import { verify } from "./verification.ts";
import { castVote } from "./vote.ts";
import { isRuled } from "./voter.ts";
import { byOf, whyNotAnswer } from "./who.ts";

export function answerHold(command: AnswerHold, draft: Draft, context: Context): Reply {
  const fitting = fittingAnswer(command, draft, context);
  if ("ok" in fitting) return fitting;
  const { hold, link, data } = fitting;
  const answer = { ...command, data };
  const unproven = whyNotProven({ hold, link }, answer, draft, context);
  if (unproven !== null) return refuse(unproven);
  if (isRuled(hold)) {
    const refused = castVote(hold, { ...answer, link }, draft, context);
    return refused === null ? accept(hold.id) : refuse(refused);
  }
  const by = provenBy(command.by, hold, { ...command, link }, draft);
  const verified = verify(hold, answer, draft, context.now);
  if ("code" in verified) return refuse(verified);
  const { result: verification } = verified;
  const outcome = decided({ ...command, by }, data, context.now);
  settle(hold, verification === undefined ? outcome : { ...outcome, verification }, draft, by);
  return accept(hold.id);
}

/** Makes the challenge for an answer that would be accepted. Whether the signer may give it is checked with the signature. */
export function challengeAnswer(command: ChallengeAnswer, draft: Draft, context: Context): Reply {
  const fitting = fittingAnswer(command, draft, context);
  if ("ok" in fitting) return fitting;
  const { hold, data } = fitting;
  const { challengeId: id, by } = command;
  const { now } = context;
  const expiresAt = now + CHALLENGE_MS;
  const decision = { ...decisionOf(hold, { ...command, data }, context), nonce: id, expires: expiresAt };
  const fact = { type: "challenge.made", challenge: { id, purpose: "answer", decision, expiresAt } } as const;
  draft.state({ kind: "challenge", id, fact, at: now, actor: actorText(by) });
  return accept(id);
}

interface Fitting extends Found {
  readonly data: JsonObject;
}

/** The open hold and the answer as it would be stored, or why this caller cannot give it. */
function fittingAnswer(command: AnyAnswer, draft: Draft, context: Context): Fitting | Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold, link } = found;
  const denied =
    whyNotInline(hold, link, command, allowsInline(context.platform, draft.get("workspace", "settings"))) ??
    whyNotAnswer(hold, command.by, link, command.action) ??
    whyNotAttached(hold, command.by, draft, context.now) ??
    whyStale(hold, command, draft);
  if (denied !== null) return refuse(denied);
  const judged = judge(hold, command.action, command.data, context);
  if ("code" in judged) return refuse(judged);
  const wrong =
    whyUnknownCall(hold, command, judged.data) ??
    whyNotEdited(hold, command.action, judged.data, draft, context);
  if (wrong !== null) return refuse(wrong);
  const ungrantable =
    command.grant === undefined
      ? null
      : whyNotGrant(hold, command.action, judged.data, command.grant, draft, context);
  if (ungrantable !== null) return refuse(ungrantable);
  return { hold, link, data: judged.data };
}

type AnyAnswer = AnswerHold | ChallengeAnswer;

/** Doors where one press or one word answers: that alone must not approve a call that nobody was shown (G15). */
const BUTTON_DOORS: readonly Door[] = ["page", "console", "inline", "channel", "cli"];

export function whyUnknownCall(
  hold: Hold,
  { door, action, by }: Pick<AnyAnswer, "door" | "action" | "by">,
  data: JsonObject,
): Failure | null {
  // Behind a browser token there is a page of an app, whatever door it names.
  const isByButton = BUTTON_DOORS.includes(door) || by.reach !== undefined;
  const problems = isByButton ? noteProblems(askOf(hold), action, data) : [];
  if (problems.length === 0) return null;
  return failure(
    "invalid_answer",
    "the exact call is unknown; add a note that says how you know what will run",
    { problems },
  );
}

export function decided(
  command: Pick<AnswerHold, "action" | "by" | "door" | "shown" | "grant">,
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
    ...(command.grant === undefined ? {} : { grant: command.grant }),
    at: now,
  };
}

function whyStale(hold: Hold, command: AnyAnswer, world: World): Failure | null {
  if (command.shown !== undefined && command.shown !== hold.digest) {
    return failure(
      "shown_mismatch",
      "the digest in `shown` is not the digest of this hold; read the hold again and answer what it asks",
    );
  }
  if (command.ifVersion !== undefined && command.ifVersion !== world.version("hold", hold.id)) {
    return failure(
      "precondition_failed",
      "the hold has changed since you read it; read it again and repeat the answer",
    );
  }
  return null;
}

function askOf({ id, ask }: Hold): Ask {
  if (ask === null) throw new Error(`Invariant: open hold ${id} has no ask`);
  return ask;
}

/** Returns the answer as it will be stored, or why it does not fit the ask. */
export function judge(
  hold: Hold,
  action: string,
  data: JsonObject,
  context: Context,
): Failure | { readonly data: JsonObject } {
  const checked = checkAnswer(askOf(hold), { action, data }, context.judge);
  if (checked.ok) {
    const wrongFiles = fileProblems(hold, checked.data);
    if (wrongFiles.length === 0) return { data: checked.data };
    return failure("invalid_answer", "the answer names a file that was not uploaded to this hold", {
      problems: wrongFiles,
    });
  }
  const message =
    checked.code === "invalid_action"
      ? "this hold does not offer that action"
      : "the answer does not fit the ask";
  return failure(checked.code, message, { problems: checked.problems });
}

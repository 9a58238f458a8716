/** Reads a person's OpenIntent answer and answers the hold with it. The intent resumes as with any other door. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { answerHold, decided } from "../../../kernel/hold/answer.ts";
import { endHold } from "../../../kernel/hold/settle.ts";
import { whyNotAnswer } from "../../../kernel/hold/who.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { Draft } from "../world.ts";
import { adopt } from "./adopt.ts";
import { openAnswer, readValue, wordsOf } from "./ask-codec.ts";
import type { RespondToSuspension } from "./commands.ts";
import { logEnding } from "./ending.ts";
import { type Asker, type Intent, SUSPENDED } from "./intent.ts";
import { begin, nextVersion } from "./intent-log.ts";
import { whyClosed, whyMismatch } from "./mismatch.ts";
import { type AskingHold, openHoldOf } from "./open-hold.ts";
import { readRecord } from "./record.ts";
import { whyStale } from "./stale.ts";
import { choicesShown, writtenRecord } from "./suspension.ts";
import { actorOf, whyNot } from "./who.ts";

export function respondToSuspension(
  command: RespondToSuspension,
  intent: Intent,
  draft: Draft,
  context: Context,
): Reply {
  const { by, suspensionId } = command;
  const denied = whyNot(intent, by, "write", context.now) ?? whyNeverAnswers(by);
  if (denied !== null) return refuse(denied);
  const stale = whyStale(intent, command.ifVersion);
  if (stale !== null) return refuse(stale);
  if (intent.status !== SUSPENDED) return refuse(whyClosed(intent, suspensionId, draft));
  if (intent.asker !== undefined) return answerUnasked(command, intent, intent.asker, draft, context);
  const { ref, hold } = openHoldOf(intent, draft);
  const mismatch = whyMismatch(ref, suspensionId);
  return mismatch === null ? answerIt(command, intent, hold, draft, context) : refuse(mismatch);
}

/** Refuses by role (G7) before the reply can reveal anything about the suspension. */
function whyNeverAnswers({ role }: Principal): Failure | null {
  const answers = role === "operator" || role === "admin" || role === "app" || role === "dev";
  return answers
    ? null
    : failure("not_allowed", `Role '${role}' cannot answer holds. Use an operator or app key.`);
}

function answerIt(
  command: RespondToSuspension,
  intent: Intent,
  hold: AskingHold,
  draft: Draft,
  context: Context,
): Reply {
  const read = readAnswer(command, hold);
  if ("code" in read) return refuse(read);
  const { workspace, by } = command;
  const answer = { kind: "answer_hold", workspace, by, holdId: hold.id, door: "openintent" } as const;
  const reply = answerHold({ ...answer, ...read }, draft, context);
  return reply.ok ? accept(intent.id) : refuse(inOpenIntentTerms(reply.failure, hold, command.value));
}

interface Given {
  readonly action: string;
  readonly data: JsonObject;
}

function readAnswer({ value }: RespondToSuspension, hold: AskingHold): Given | Failure {
  const type = writtenRecord(hold)?.["response_type"] ?? wordsOf(hold.ask).response_type;
  if (value === undefined && type !== "form") {
    return failure("invalid_value", "a value is required");
  }
  const read = readValue(value ?? null, hold.ask);
  if ("answer" in read) return read.answer;
  return read.wrong === "choice"
    ? invalidChoice(hold, value)
    : failure("invalid_value", "a text that is not empty is required");
}

function invalidChoice(hold: AskingHold, value: Json | undefined): Failure {
  const choices = choicesShown(hold, hold.ask);
  const values = choices.map((choice) => choice["value"] as Json);
  const message = `Value ${shorten(JSON.stringify(value ?? null))} is not one of the choices`;
  return failure("invalid_choice", message, { detail: { valid_choices: values, choices: [...choices] } });
}

function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

function inOpenIntentTerms(refused: Failure, hold: AskingHold, value: Json | undefined): Failure {
  switch (refused.code) {
    case "invalid_action":
      return invalidChoice(hold, value);
    case "invalid_answer":
      return { ...refused, code: "invalid_value" };
    case "not_found":
      // The caller may read the intent, so a not_found for its hold becomes not_allowed.
      return failure("not_allowed", "this key may answer only the holds it placed itself");
    case "not_entitled":
    case "strength_too_low":
      return failure("not_allowed", refused.message);
    default:
      return refused;
  }
}

/**
 * The intent is suspended without a record: the answer names the suspension, and any value is accepted. The hold is placed
 * in the asker's name and decided in the same commit, so that the log has both.
 */
function answerUnasked(
  command: RespondToSuspension,
  intent: Intent,
  asker: Asker,
  draft: Draft,
  context: Context,
): Reply {
  const { by, suspensionId, value = null, made } = command;
  const read = readRecord({ id: suspensionId }, "lenient");
  if ("problems" in read) return refuse(failure("invalid_value", "the suspension id is not valid", read));
  const asking: Principal = { ...asker, via: "key" };
  const intentLog = nextVersion(begin(intent, draft, context.now, by));
  const adopted = adopt({ ...intentLog, actor: actorOf(asking) }, read.record, asking, made, context);
  if ("code" in adopted) {
    return refuse(
      failure("suspension_mismatch", "suspension_id mismatch: it belongs to an earlier suspension"),
    );
  }
  const { hold } = adopted;
  const { action, data } = openAnswer(value);
  const denied = whyNotAnswer(hold, by, undefined, action);
  if (denied !== null) return refuse(denied);
  const outcome = decided({ action, by, door: "openintent" }, data, context.now);
  endHold(hold, outcome, draft, by);
  logEnding({ ...adopted.intentLog, actor: intentLog.actor }, hold, outcome);
  return accept(intent.id);
}

/** A person's answer, in OpenIntent's words. It is the hold that is answered; the intent hears of it like everybody else. */

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
  if (intent.asker !== undefined) return answerBare(command, intent, intent.asker, draft, context);
  const { ref, hold } = openHoldOf(intent, draft);
  const mismatch = whyMismatch(ref, suspensionId);
  return mismatch === null ? answerIt(command, intent, hold, draft, context) : refuse(mismatch);
}

/** G7, said before anything is told about the suspension. */
function whyNeverAnswers({ role }: Principal): Failure | null {
  const answers = role === "operator" || role === "admin" || role === "app" || role === "dev";
  return answers ? null : failure("not_allowed", `a key with the role ${role} never answers`);
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
  return reply.ok ? accept(intent.id) : refuse(inOurWords(reply.failure, hold, command.value));
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

function inOurWords(refused: Failure, hold: AskingHold, value: Json | undefined): Failure {
  switch (refused.code) {
    case "invalid_action":
      return invalidChoice(hold, value);
    case "invalid_answer":
      return { ...refused, code: "invalid_value" };
    case "not_found":
      // The intent is there for everybody who may read it, so its question is too.
      return failure("not_allowed", "this key answers only what it asked itself");
    default:
      return refused;
  }
}

/**
 * Suspended without a question: whoever answers names the suspension, and any value goes. The hold is placed in the name of
 * who suspended and decided in the same breath, so that the log tells the whole story.
 */
function answerBare(
  command: RespondToSuspension,
  intent: Intent,
  asker: Asker,
  draft: Draft,
  context: Context,
): Reply {
  const { by, suspensionId, value = null, made } = command;
  const read = readRecord({ id: suspensionId }, "lenient");
  if ("problems" in read) return refuse(failure("invalid_value", "this cannot be a suspension's id", read));
  const asking: Principal = { ...asker, via: "key" };
  const intentLog = nextVersion(begin(intent, draft, context.now, by));
  const adopted = adopt({ ...intentLog, actor: actorOf(asking) }, read.record, asking, made, context);
  if ("code" in adopted) {
    return refuse(failure("suspension_mismatch", "suspension_id mismatch: it belongs to an earlier one"));
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

/** A person's answer, in OpenIntent's words. It is the hold that is answered; the intent hears of it like everybody else. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { answerHold, decided } from "../hold/answer.ts";
import { endHold } from "../hold/settle.ts";
import { whyNotAnswer } from "../hold/who.ts";
import type { Principal } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { adopt } from "./adopt.ts";
import type { RespondToSuspension } from "./commands.ts";
import { tellEnding } from "./ending.ts";
import { type Asker, type Intent, SUSPENDED } from "./intent.ts";
import { whyClosed, whyMismatch } from "./mismatch.ts";
import { type AskingHold, openHoldOf } from "./open-hold.ts";
import { readRecord } from "./record.ts";
import { whyStale } from "./stale.ts";
import { begin, bump, weave } from "./story.ts";
import { choicesShown, writtenRecord } from "./suspension.ts";
import { actorOf, whyNot } from "./who.ts";
import { openAnswer, readValue, wordsOf } from "./words.ts";

export function respondToSuspension(
  command: RespondToSuspension,
  intent: Intent,
  world: World,
  context: Context,
): Decision {
  const { by, suspensionId } = command;
  const denied = whyNot(intent, by, "write", context.now) ?? whyNeverAnswers(by);
  if (denied !== null) return refuse(denied);
  const stale = whyStale(intent, command.ifVersion);
  if (stale !== null) return refuse(stale);
  if (intent.status !== SUSPENDED) return refuse(whyClosed(intent, suspensionId, world));
  if (intent.asker !== undefined) return answerBare(command, intent, intent.asker, world, context);
  const { ref, hold } = openHoldOf(intent, world);
  const mismatch = whyMismatch(ref, suspensionId);
  return mismatch === null ? answerIt(command, intent, hold, world, context) : refuse(mismatch);
}

/** G7, said before anything is told about the suspension. */
function whyNeverAnswers({ role }: Principal): Refusal | null {
  const answers = role === "operator" || role === "admin" || role === "app" || role === "dev";
  return answers ? null : refusal("not_allowed", `a key with the role ${role} never answers`);
}

function answerIt(
  command: RespondToSuspension,
  intent: Intent,
  hold: AskingHold,
  world: World,
  context: Context,
): Decision {
  const read = readAnswer(command, hold);
  if ("code" in read) return refuse(read);
  const { workspace, by } = command;
  const answer = { kind: "answer_hold", workspace, by, holdId: hold.id, door: "openintent" } as const;
  const { facts, reply } = answerHold({ ...answer, ...read }, world, context);
  if (!reply.ok) return refuse(inOurWords(reply.refusal, hold, command.value), facts);
  return accept("intent", intent.id, facts);
}

interface Given {
  readonly action: string;
  readonly data: JsonObject;
}

function readAnswer({ value }: RespondToSuspension, hold: AskingHold): Given | Refusal {
  const type = writtenRecord(hold)?.["response_type"] ?? wordsOf(hold.ask).response_type;
  if (value === undefined && type !== "form") {
    return refusal("invalid_value", "a value is required");
  }
  const read = readValue(value ?? null, hold.ask);
  if ("answer" in read) return read.answer;
  return read.wrong === "choice"
    ? invalidChoice(hold, value)
    : refusal("invalid_value", "a text that is not empty is required");
}

function invalidChoice(hold: AskingHold, value: Json | undefined): Refusal {
  const choices = choicesShown(hold, hold.ask);
  const values = choices.map((choice) => choice["value"] as Json);
  const message = `Value ${shorten(JSON.stringify(value ?? null))} is not one of the choices`;
  return refusal("invalid_choice", message, { detail: { valid_choices: values, choices: [...choices] } });
}

function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

function inOurWords(refused: Refusal, hold: AskingHold, value: Json | undefined): Refusal {
  switch (refused.code) {
    case "invalid_action":
      return invalidChoice(hold, value);
    case "invalid_answer":
      return { ...refused, code: "invalid_value" };
    case "not_found":
      // The intent is there for everybody who may read it, so its question is too.
      return refusal("not_allowed", "this key answers only what it asked itself");
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
  world: World,
  context: Context,
): Decision {
  const { by, suspensionId, value = null, made } = command;
  const read = readRecord({ id: suspensionId }, "lenient");
  if ("problems" in read) return refuse(refusal("invalid_value", "this cannot be a suspension's id", read));
  const asking: Principal = { ...asker, via: "key" };
  const story = bump(begin(intent, world, context.now, by));
  const adopted = adopt({ ...story, actor: actorOf(asking) }, read.record, asking, made, context);
  if ("code" in adopted) {
    return refuse(refusal("suspension_mismatch", "suspension_id mismatch: it belongs to an earlier one"));
  }
  const { hold } = adopted;
  const { action, data } = openAnswer(value);
  const denied = whyNotAnswer(hold, by, undefined, action);
  if (denied !== null) return refuse(denied);
  const outcome = decided({ action, by, door: "openintent" }, data, context.now);
  const told = weave({ ...adopted.story, actor: story.actor }, endHold(hold, outcome, world, by));
  return accept("intent", intent.id, tellEnding(told, hold, outcome).facts);
}

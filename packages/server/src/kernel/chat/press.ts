/** Decides what a press or a reply in a chat means. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { answerHold } from "../hold/answer.ts";
import type { AnswerHold, GrantTerms } from "../hold/commands.ts";
import { endsAt, type Hold } from "../hold/hold.ts";
import { isAsker } from "../hold/link.ts";
import { mayAnswer, type Principal, SYSTEM } from "../principal.ts";
import {
  type ChatButton,
  type ChatMessage,
  type ChatQuestion,
  GRANT_USES,
  isSameRef,
  type PressResult,
  pressId,
  QUESTION_MS,
} from "./chat.ts";
import type { PressChat, ReplyChat } from "./commands.ts";
import { formData } from "./form-data.ts";
import { foundByPress } from "./messages.ts";
import { presserAccount, principalOf } from "./presser.ts";
import { stateRefused, stateStray } from "./refused.ts";

const NO_BUTTON = failure("not_found", "there is no such button");
/** The press came in before the reference of its message was stored: the caller waits for that and tries again. */
const NOT_SENT_YET = failure("not_settled", "the message is still being sent");

export function pressChat(command: PressChat, draft: Draft, context: Context): Reply {
  const id = pressId(command.channel, command.press);
  if (draft.get("chat_press", id) !== undefined) return { ok: true, id, fresh: false };
  const made = draft.get("chat_message", command.messageId);
  const button = made?.buttons[command.button];
  if (made === undefined || button === undefined) return refuse(NO_BUTTON);
  const message = made.ref === undefined ? foundByPress(made, command, draft, context.now) : made;
  if (message === undefined) return refuse(NOT_SENT_YET);
  const result = resultOf(command, message, button, draft, context);
  return statePress(command, message, result, draft, context.now);
}

function resultOf(
  command: PressChat,
  message: ChatMessage,
  button: ChatButton,
  draft: Draft,
  context: Context,
): PressResult {
  const { now } = context;
  if (message.channel !== command.channel || !isSameRef(message.ref as never, command.ref)) {
    stateStray(message, command, draft, now);
    return { kind: "refused", code: "other_message" };
  }
  const by = principalOf(command.presser, message, draft);
  if ("refused" in by) {
    stateRefused(message, command.presser, by.refused, undefined, draft, now);
    return { kind: "refused", code: by.refused };
  }
  switch (button.kind) {
    case "answer":
      return answer(command, message, by, button, draft, context);
    case "details":
      return details(message, by, draft, now);
    case "snooze":
      return snooze(message, by, button.forMs, draft, now);
    default:
      return ask(command, message, button, draft, context);
  }
}

interface Given {
  readonly action: string;
  readonly data: JsonObject;
  readonly grant?: GrantTerms;
}

/** The answer is decided by the same rules as at every other door, and refused with their words. */
function answer(
  command: PressChat | ReplyChat,
  message: ChatMessage,
  by: Principal,
  given: Given,
  draft: Draft,
  context: Context,
): PressResult {
  const reply = answerHold(answerBy(command, message, by, given), draft, context);
  if (!reply.ok) {
    const { code, message: why } = reply.failure;
    stateRefused(message, command.presser, code, by.name, draft, context.now);
    return { kind: "refused", code, message: why };
  }
  stateSeen(message, draft, context.now, { actedAt: context.now });
  const { status } = draft.get("hold", message.holdId) as Hold;
  return { kind: "answered", status: status === "open" ? "voted" : "decided", action: given.action };
}

export function answerBy(
  { workspace }: Pick<PressChat, "workspace">,
  { holdId, ask: shown }: ChatMessage,
  by: Principal,
  { action, data, grant }: Given,
): AnswerHold {
  const answer = {
    kind: "answer_hold",
    workspace,
    by,
    holdId,
    action,
    data,
    door: "channel",
    shown,
  } as const;
  return grant === undefined ? answer : { ...answer, grant };
}

/** A person who may answer gets a link of their own. The server makes it, so it must give nobody more than they have. */
function details(message: ChatMessage, by: Principal, draft: Draft, now: number): PressResult {
  const hold = draft.get("hold", message.holdId) as Hold;
  stateSeen(message, draft, now);
  if (hold.status !== "open") return { kind: "refused", code: "already_settled" };
  const isAllowed = mayAnswer(by) && !isAsker(hold, by) && whyNotAttached(hold, by, draft, now) === null;
  return isAllowed ? { kind: "details", person: by.name } : { kind: "refused", code: "not_allowed" };
}

/** A ladder has at most 100 rungs; the others are reminders that people asked for. */
const RUNGS_MAX = 200;

/** Reminds this chat again. The ladder goes on for everybody else. */
function snooze(message: ChatMessage, by: Principal, forMs: number, draft: Draft, now: number): PressResult {
  const hold = draft.get("hold", message.holdId) as Hold;
  const at = now + forMs;
  stateSeen(message, draft, now);
  if (hold.status !== "open") return { kind: "refused", code: "already_settled" };
  if (!mayAnswer(by)) return { kind: "refused", code: "not_allowed" };
  if (at >= endsAt(hold)) return { kind: "refused", code: "ends_before" };
  if (hold.rungs.length >= RUNGS_MAX) return { kind: "refused", code: "too_many_reminders" };
  const { channel, to } = message;
  const rung = {
    ...({ at, kind: "reminder", n: hold.attempt, channel } as const),
    ...(to === undefined ? {} : { to }),
  };
  const frame = { kind: "hold", id: hold.id, at: now, actor: `channel:${by.name}` } as const;
  const person = by.name;
  draft.state({ ...frame, fact: { type: "hold.snoozed", person, until: at }, audience: hold.createdBy });
  draft.state({ ...frame, fact: { type: "hold.reminder_set", rung, person }, audience: hold.createdBy });
  return { kind: "snoozed", until: at };
}

/** Asks first: nothing counts until the same account has replied. */
function ask(
  { fresh, presser, channel, button: number }: PressChat,
  message: ChatMessage,
  button: ChatButton,
  draft: Draft,
  { now }: Context,
): PressResult {
  const hold = draft.get("hold", message.holdId) as Hold;
  stateSeen(message, draft, now);
  if (hold.status !== "open") return { kind: "refused", code: "already_settled" };
  const question: ChatQuestion = {
    id: fresh.questionId,
    ...{ holdId: message.holdId, messageId: message.id, button: number, channel },
    account: presserAccount(presser),
    ...(button.kind === "grant" ? { grantUntil: now + button.forMs } : {}),
    expiresAt: now + QUESTION_MS,
  };
  state(draft, "chat_question", question.id, { type: "chat.asked", question }, now);
  return { kind: "asked", question: question.id };
}

export function replyChat(command: ReplyChat, draft: Draft, context: Context): Reply {
  const id = pressId(command.channel, command.press);
  if (draft.get("chat_press", id) !== undefined) return { ok: true, id, fresh: false };
  const question = draft.get("chat_question", command.questionId);
  const message = question === undefined ? undefined : draft.get("chat_message", question.messageId);
  if (question === undefined || message === undefined) return refuse(NO_BUTTON);
  const result = repliedWith(command, question, message, draft, context);
  return statePress(command, message, result, draft, context.now);
}

function repliedWith(
  command: ReplyChat,
  question: ChatQuestion,
  message: ChatMessage,
  draft: Draft,
  context: Context,
): PressResult {
  const { now } = context;
  if (presserAccount(command.presser) !== question.account) {
    stateRefused(message, command.presser, "not_yours", undefined, draft, now);
    return { kind: "refused", code: "not_yours" };
  }
  if (question.expiresAt <= now) return { kind: "refused", code: "question_over" };
  const by = principalOf(command.presser, message, draft);
  if ("refused" in by) {
    stateRefused(message, command.presser, by.refused, undefined, draft, now);
    return { kind: "refused", code: by.refused };
  }
  const given = givenBy(command, question, message, draft);
  if (given === null) {
    state(draft, "chat_question", question.id, { type: "chat.question_over" }, now);
    return { kind: "refused", code: "declined" };
  }
  const result = answer(command, message, by, given, draft, context);
  if (result.kind === "answered")
    state(draft, "chat_question", question.id, { type: "chat.question_over" }, now);
  return result;
}

/** `null`: the person declined. */
export function givenBy(
  { values, fresh }: ReplyChat,
  { button: number, grantUntil }: ChatQuestion,
  { buttons, holdId }: ChatMessage,
  world: Pick<Draft, "get">,
): Given | null {
  const button = buttons[number] as ChatButton;
  if (values === undefined) return null;
  switch (button.kind) {
    case "grant": {
      const until = { at: grantUntil as number };
      const grant = { id: fresh.grantId, salt: fresh.grantSalt, until, uses: GRANT_USES };
      return { action: button.action, data: {}, grant };
    }
    case "form":
      return { action: button.action, data: formData(world.get("hold", holdId)?.ask?.form, values) };
    case "reason": {
      const text = Object.values(values)[0] ?? "";
      return { action: button.action, data: { [button.field]: text } };
    }
    default:
      throw new Error(`Invariant: a button of the kind ${button.kind} asks no question`);
  }
}

function statePress(
  { channel, press }: Pick<PressChat, "channel" | "press">,
  { id: messageId, holdId }: ChatMessage,
  result: PressResult,
  draft: Draft,
  now: number,
): Reply {
  const id = pressId(channel, press);
  state(
    draft,
    "chat_press",
    id,
    { type: "chat.pressed", press: { holdId, messageId, result, at: now } },
    now,
  );
  return accept(id);
}

function stateSeen(
  { id, holdId }: ChatMessage,
  draft: Draft,
  now: number,
  more: { readonly actedAt?: number } = {},
): void {
  const before = draft.get("chat_message", id) as ChatMessage;
  const message = { ...before, seenAt: before.seenAt ?? now, ...more };
  state(draft, "hold", holdId, { type: "hold.message_seen", message }, now);
}

function state(
  draft: Draft,
  kind: string,
  id: string,
  fact: Parameters<Draft["state"]>[0]["fact"],
  at: number,
): void {
  draft.state({ kind, id, fact, at, actor: SYSTEM.name });
}

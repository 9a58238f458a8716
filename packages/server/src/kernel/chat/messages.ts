/** A message is stored before it is sent, and its reference after. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { findOpenHold } from "../hold/guard.ts";
import type { Hold } from "../hold/hold.ts";
import { SYSTEM } from "../principal.ts";
import { type ChatMessage, isSameRef, type MessageRef } from "./chat.ts";
import type {
  DropChatPress,
  DropChatQuestion,
  MakeChatMessage,
  NoteChatAsked,
  NoteChatClosed,
  NoteChatSent,
  PressChat,
} from "./commands.ts";
import type { ChatFact } from "./facts.ts";

const NO_MESSAGE = failure("not_found", "there is no chat message with this id");

export function makeMessage(command: MakeChatMessage, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold } = found;
  const message: ChatMessage = {
    ...command.message,
    holdId: hold.id,
    ask: hold.digest,
    madeAt: context.now,
  };
  aboutHold(draft, hold, { type: "hold.message_made", message }, context.now);
  return accept(message.id);
}

/** Whether or not the hold is still open: the message is out, and has to be closed if it has ended. */
export function noteSent({ messageId, ref }: NoteChatSent, draft: Draft, { now }: Context): Reply {
  const before = draft.get("chat_message", messageId);
  if (before === undefined) return refuse(NO_MESSAGE);
  stateSent(before, ref, draft, now);
  return accept(messageId);
}

function stateSent(before: ChatMessage, ref: MessageRef, draft: Draft, now: number): void {
  const { ref: other, strays = [] } = before;
  const isCopied = other !== undefined && !isSameRef(other, ref);
  const message = { ...before, ref, sentAt: now, ...(isCopied ? { strays: [...strays, other] } : {}) };
  const hold = draft.get("hold", before.holdId) as Hold;
  aboutHold(draft, hold, { type: "hold.message_sent", message }, now);
}

/**
 * A press shows where a message is whose reference was lost. While its hold is open, the message is sent again; afterwards nobody
 * sends it, and only this press can close it. `undefined`: it may still be on its way.
 */
export function foundByPress(
  message: ChatMessage,
  { channel, ref }: Pick<PressChat, "channel" | "ref">,
  draft: Draft,
  now: number,
): ChatMessage | undefined {
  const { status } = draft.get("hold", message.holdId) as Hold;
  if (status === "open" || message.channel !== channel) return undefined;
  stateSent(message, ref, draft, now);
  return draft.get("chat_message", message.id);
}

export function noteClosed({ messageId }: NoteChatClosed, draft: Draft, { now }: Context): Reply {
  const before = draft.get("chat_message", messageId);
  if (before === undefined) return refuse(NO_MESSAGE);
  if (before.closedAt !== undefined) return { ok: true, id: messageId, fresh: false };
  const hold = draft.get("hold", before.holdId) as Hold;
  aboutHold(draft, hold, { type: "hold.message_closed", message: { ...before, closedAt: now } }, now);
  return accept(messageId);
}

export function noteAsked({ questionId, ref }: NoteChatAsked, draft: Draft, { now }: Context): Reply {
  if (draft.get("chat_question", questionId) === undefined) return refuse(NO_MESSAGE);
  state(draft, "chat_question", questionId, { type: "chat.prompted", ref }, now);
  return accept(questionId);
}

export function dropQuestion({ questionId }: DropChatQuestion, draft: Draft, { now }: Context): Reply {
  const question = draft.get("chat_question", questionId);
  if (question === undefined || question.expiresAt > now) return { ok: true, id: questionId, fresh: false };
  state(draft, "chat_question", questionId, { type: "chat.question_over" }, now);
  return accept(questionId);
}

export function dropPress({ pressId }: DropChatPress, draft: Draft, { now }: Context): Reply {
  state(draft, "chat_press", pressId, { type: "chat.pressed", press: null }, now);
  return accept(pressId);
}

function aboutHold(draft: Draft, { id, createdBy }: Hold, fact: ChatFact, at: number): void {
  draft.state({ kind: "hold", id, fact, at, actor: SYSTEM.name, audience: createdBy });
}

function state(draft: Draft, kind: string, id: string, fact: ChatFact, at: number): void {
  draft.state({ kind, id, fact, at, actor: SYSTEM.name });
}

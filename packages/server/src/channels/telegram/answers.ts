/** Gives the presser their answer, privately (P4): in the small box over the chat, or as a direct message. */

import type { CardQuestion } from "@holdpoint/protocol/chat";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { ChatAnswer, ChatHandlers, ChatResult, MessageRef, PrivateText } from "../chat/platform.ts";
import { mapped, type TelegramClient } from "./client.ts";
import { keyboardOf } from "./message.ts";
import type { TelegramPress, TelegramReply } from "./updates.ts";

export interface Answering {
  readonly client: TelegramClient;
  readonly handlers: ChatHandlers;
  readonly signal: AbortSignal;
}

const ANSWER_LENGTH = 200;
const CANNOT_WRITE =
  "I cannot write to you yet. Open a chat with me, press Start, and press the button again.";

export async function answerPress(
  press: TelegramPress,
  answer: ChatAnswer,
  answering: Answering,
): Promise<void> {
  const { client, signal } = answering;
  const say = (text: string, isAlert: boolean) =>
    client.answerCallbackQuery(
      { callback_query_id: press.query, ...(text === "" ? {} : { text: short(text), show_alert: isAlert }) },
      signal,
    );
  switch (answer.kind) {
    case "done":
      await say(answer.text ?? "", false);
      return;
    case "refused":
      await say(answer.text, true);
      return;
    case "private": {
      const told = await tell(client, press.by.userId, answer.text, signal);
      await say(told.kind === "ok" ? "I sent you a direct message." : CANNOT_WRITE, told.kind !== "ok");
      return;
    }
    case "ask": {
      const asked = await ask(press, answer.question, answering);
      if (asked === undefined) await say(CANNOT_WRITE, true);
      else
        await say(
          asked === press.message.chat ? "Please reply below." : "I asked you in a direct message.",
          false,
        );
    }
  }
}

/** A text cannot be longer in the box over the chat. Every refusal of ours fits; the rest is shortened visibly. */
function short(text: string): string {
  return text.length <= ANSWER_LENGTH ? text : `${text.slice(0, ANSWER_LENGTH - 2)} …`;
}

/** Returns the chat where the question was asked; `undefined`: nowhere. */
async function ask(
  { by, message, isPrivate }: TelegramPress,
  question: CardQuestion,
  { client, handlers, signal }: Answering,
): Promise<string | undefined> {
  const direct = await client.sendMessage(questionBody(by.userId, question), signal);
  const sent =
    direct.kind === "failed" && !isPrivate && question.fields.length > 0
      ? await client.sendMessage(groupQuestion(message, by.userId, by.name, question), signal)
      : direct;
  const at = mapped(sent, refIn);
  if (at.kind === "failed") return undefined;
  await handlers.onAsked(question.id, at.value);
  return at.value.chat;
}

function questionBody(chat: string, question: CardQuestion): JsonObject {
  const [field] = question.fields;
  const markup =
    field === undefined
      ? { inline_keyboard: keyboardOf(question.buttons) }
      : { force_reply: true, input_field_placeholder: field.label.slice(0, PLACEHOLDER_LENGTH) };
  return {
    chat_id: chat,
    text: field === undefined ? question.text : `${question.text} Reply to this message.`,
    link_preview_options: { is_disabled: true },
    protect_content: true,
    reply_markup: markup,
  };
}

const PLACEHOLDER_LENGTH = 64;

/** In the group, where the bot cannot write to the person: it names them, and shows nothing of the request. */
function groupQuestion(
  pressed: MessageRef,
  userId: string,
  name: string,
  question: CardQuestion,
): JsonObject {
  const body = questionBody(pressed.chat, question);
  const shown = name === "" ? "You" : name;
  return {
    ...body,
    text: `${shown}: ${String(body["text"])}`,
    entities: [
      {
        type: "text_mention",
        offset: 0,
        length: shown.length,
        user: { id: Number(userId), is_bot: false, first_name: shown },
      },
    ],
    reply_parameters: { message_id: Number(pressed.message), allow_sending_without_reply: true },
    reply_markup: { ...(body["reply_markup"] as JsonObject), selective: true },
  };
}

/** A reply is answered by a direct message. In a group nothing is said: the request's own message shows what happened. */
export async function answerReply(
  { by, isPrivate }: Pick<TelegramReply, "by" | "chat" | "isPrivate">,
  answer: ChatAnswer,
  { client, signal }: Answering,
): Promise<void> {
  const text = textOf(answer);
  if (text === undefined) return;
  const told = await tell(client, by.userId, text, signal);
  // Nobody can be told in private; the answer itself is committed. A person who writes faster than Telegram lets the bot reply must not
  // keep the bot from handling what others press.
  if (told.kind === "failed" && told.retry && told.error !== "rate_limited" && isPrivate)
    throw new Error("the answer could not be sent");
}

function textOf(answer: ChatAnswer): PrivateText | undefined {
  if (answer.kind === "private") return answer.text;
  if (answer.kind === "ask" || answer.text === undefined) return undefined;
  return { text: answer.text };
}

export async function tell(
  client: TelegramClient,
  userId: string,
  { text, link }: PrivateText,
  signal?: AbortSignal,
): Promise<ChatResult<MessageRef>> {
  const body = {
    chat_id: userId,
    text: link === undefined ? text : `${text}\n\n${link.label}: ${link.url}`,
    link_preview_options: { is_disabled: true },
    protect_content: true,
  };
  return mapped(await client.sendMessage(body, signal), refIn);
}

export function refIn({ chat, message_id: message }: JsonObject): MessageRef {
  return { chat: String((chat as JsonObject)["id"]), message: String(message) };
}

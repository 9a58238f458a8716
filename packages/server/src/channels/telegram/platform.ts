/** Telegram: a bot that polls, so that the server needs no public address. */

import { TELEGRAM_LIMITS } from "@holdpoint/protocol/chat";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import {
  type ChatPlatform,
  type ChatResult,
  type ChatTarget,
  DOES_NOT_FIT,
  type PlatformFactory,
  type SeenChat,
  type SendOptions,
} from "../chat/platform.ts";
import { refIn, tell } from "./answers.ts";
import { mapped, plainFailure, TelegramClient } from "./client.ts";
import { listen } from "./listen.ts";
import { fitsTelegram, telegramBody } from "./message.ts";

export const TELEGRAM = "telegram";

export const telegramPlatform: PlatformFactory = ({ token, apiUrl, clock }): ChatPlatform => {
  const client = new TelegramClient({ token, clock, ...(apiUrl === undefined ? {} : { apiUrl }) });
  return {
    kind: TELEGRAM,
    limits: {
      buttons: 30,
      buttonLabel: TELEGRAM_LIMITS.buttonText,
      dialogFields: 0,
      replyLength: TELEGRAM_LIMITS.text,
    },
    async identify(signal) {
      const me = await client.getMe(signal);
      return mapped(me, ({ id, username }) => ({
        ...{ id: String(id), name: String(username) },
        address: `https://t.me/${String(username)}?start={code}`,
      }));
    },
    fits: fitsTelegram,
    async send(card, target, options) {
      if (!fitsTelegram(card)) return DOES_NOT_FIT;
      const body = { ...telegramBody(card), protect_content: true };
      const sent = await client.sendMessage(
        { ...body, ...addressOf(target), ...replyOf(options) },
        options.signal,
      );
      // A group that became a supergroup has a new number, and Telegram says which.
      if (sent.kind === "failed" && sent.movedTo !== undefined)
        return mapped(await client.sendMessage({ ...body, chat_id: sent.movedTo }, options.signal), refIn);
      return mapped(sent, refIn);
    },
    async edit(ref, card, signal): Promise<ChatResult<null>> {
      if (!fitsTelegram(card)) return DOES_NOT_FIT;
      const where = { chat_id: ref.chat, message_id: Number(ref.message) };
      const edited = await client.editMessageText({ ...telegramBody(card), ...where }, signal);
      if (edited.kind === "ok") return { kind: "ok", value: null };
      // It shows this already, or somebody has deleted it.
      const isDone = edited.error === "not_modified" || edited.error === "message_gone";
      return isDone ? { kind: "ok", value: null } : plainFailure(edited);
    },
    tell: ({ userId }, text, signal) => tell(client, userId, text, signal),
    listen: (handlers, signal) => listen(client, handlers, clock, signal),
    look: async (signal) => mapped(await client.peek(signal), seenIn),
    close: () => client.close(),
  };
};

/** The chats of the updates that wait: where somebody wrote to the bot or added it. */
function seenIn(updates: readonly JsonObject[]): readonly SeenChat[] {
  const chats = updates.flatMap(({ message, my_chat_member: member }) => {
    const of = isObject(message) ? message["chat"] : isObject(member) ? member["chat"] : undefined;
    return isObject(of) ? [of] : [];
  });
  const seen = chats.map((chat) => ({
    chat: String(chat["id"]),
    title: String(chat["title"] ?? chat["first_name"] ?? ""),
    isPrivate: chat["type"] === "private",
  }));
  return [...new Map(seen.map((one) => [one.chat, one])).values()];
}

/** `-1001234/56` is topic 56 of a group. A private chat has the number of the person. */
function addressOf(target: ChatTarget): JsonObject {
  if (target.kind === "account") return { chat_id: target.userId };
  const [chat = "", topic] = target.chat.split("/");
  return { chat_id: chat, ...(topic === undefined ? {} : { message_thread_id: Number(topic) }) };
}

function replyOf({ replyTo }: SendOptions): JsonObject {
  if (replyTo === undefined) return {};
  return { reply_parameters: { message_id: Number(replyTo.message), allow_sending_without_reply: true } };
}

/** Reads Telegram's updates: presses, replies to the bot, and direct messages. Anything else is `undefined`. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { ChatAccount, ChatReply, DirectText, MessageRef, Press } from "../chat/platform.ts";

export interface TelegramPress extends Press {
  /** For the answer to the press. */
  readonly query: string;
  readonly isPrivate: boolean;
}

export interface TelegramReply extends ChatReply {
  readonly chat: string;
  readonly isPrivate: boolean;
}

export type Inbound =
  | { readonly kind: "press"; readonly press: TelegramPress }
  | { readonly kind: "reply"; readonly reply: TelegramReply }
  | { readonly kind: "direct"; readonly text: DirectText };

export function readUpdate(update: JsonObject, botId: string): Inbound | undefined {
  const { callback_query: query, message } = update;
  if (isObject(query)) return readPress(query);
  return isObject(message) ? readMessage(message, botId) : undefined;
}

function readPress(query: JsonObject): Inbound | undefined {
  const { id, data, message, from } = query;
  const by = accountOf(from);
  const at = isObject(message) ? refOf(message) : undefined;
  if (typeof id !== "string" || typeof data !== "string" || by === undefined || at === undefined)
    return undefined;
  const isPrivate = isPrivateChat(message as JsonObject);
  return {
    kind: "press",
    press: { id: `press:${id}`, query: id, button: data, message: at, by, isPrivate },
  };
}

function readMessage(message: JsonObject, botId: string): Inbound | undefined {
  const { text, from, reply_to_message: replied } = message;
  const by = accountOf(from);
  const at = refOf(message);
  if (typeof text !== "string" || by === undefined || at === undefined) return undefined;
  const id = `message:${at.chat}:${at.message}`;
  const isPrivate = isPrivateChat(message);
  const asked =
    isObject(replied) && accountOf(replied["from"])?.userId === botId ? refOf(replied) : undefined;
  if (asked !== undefined)
    return {
      kind: "reply",
      reply: { id, to: { message: asked }, values: { text }, by, chat: at.chat, isPrivate },
    };
  return isPrivate ? { kind: "direct", text: { id, text, by } } : undefined;
}

function refOf({ chat, message_id: message }: JsonObject): MessageRef | undefined {
  const id = isObject(chat) ? chat["id"] : undefined;
  return id === undefined || message === undefined
    ? undefined
    : { chat: String(id), message: String(message) };
}

function isPrivateChat({ chat }: JsonObject): boolean {
  return isObject(chat) && chat["type"] === "private";
}

function accountOf(from: unknown): ChatAccount | undefined {
  if (!isObject(from) || from["id"] === undefined) return undefined;
  const names = [from["first_name"], from["last_name"]].filter((name) => typeof name === "string");
  return {
    userId: String(from["id"]),
    name: names.join(" "),
    ...(from["is_bot"] === true ? { isBot: true as const } : {}),
  };
}

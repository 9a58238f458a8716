/** Discord's outgoing side: cards, edits and texts to one person. */

import { createHash } from "node:crypto";
import type { Card } from "@holdpoint/protocol/chat";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { DirectChats } from "../chat/direct-chats.ts";
import {
  type BotIdentity,
  type ChatResult,
  type ChatTarget,
  DOES_NOT_FIT,
  type MessageRef,
  type PrivateText,
  type SendOptions,
} from "../chat/platform.ts";
import { textAt } from "./read.ts";
import { renderCard, renderPrivate } from "./render.ts";
import type { DiscordApi } from "./rest.ts";

const NONCE = 25;

const NO_CHAT = { kind: "failed", error: "chat_not_found", retry: false } as const;

export class DiscordSender {
  readonly #api: DiscordApi;
  readonly #directChats = new DirectChats();

  constructor(api: DiscordApi) {
    this.#api = api;
  }

  async identify(signal?: AbortSignal): Promise<ChatResult<BotIdentity>> {
    const reply = await this.#api.call("GET", "/users/@me", undefined, { signal });
    if (reply.kind === "failed") return reply;
    const id = textAt(reply.value, "id") ?? "";
    const name = textAt(reply.value, "global_name") ?? textAt(reply.value, "username") ?? id;
    return { kind: "ok", value: { id, name, address: `https://discord.com/users/${id}` } };
  }

  async send(
    card: Card,
    target: ChatTarget,
    { key, replyTo, signal }: SendOptions,
  ): Promise<ChatResult<MessageRef>> {
    const body = renderCard(card);
    if (body === undefined) return DOES_NOT_FIT;
    const chat = await this.#chatOf(target, signal);
    if (chat.kind === "failed") return chat;
    const thread =
      replyTo === undefined
        ? {}
        : { message_reference: { message_id: replyTo.message, fail_if_not_exists: false } };
    // Discord takes the same message only once within a few minutes.
    const once = { nonce: nonceOf(key), enforce_nonce: true };
    return this.post(chat.value, { ...body, ...thread, ...once }, signal);
  }

  async edit({ chat, message }: MessageRef, card: Card, signal?: AbortSignal): Promise<ChatResult<null>> {
    const body = renderCard(card);
    if (body === undefined) return DOES_NOT_FIT;
    const options = { signal, lane: `PATCH /channels/${chat}` };
    const reply = await this.#api.call("PATCH", `/channels/${chat}/messages/${message}`, body, options);
    // Somebody deleted it: nothing is left to press.
    if (reply.kind === "failed" && reply.error !== "message_not_found") return reply;
    return { kind: "ok", value: null };
  }

  async tell(userId: string, text: PrivateText, signal?: AbortSignal): Promise<ChatResult<MessageRef>> {
    const chat = await this.#chatOf({ kind: "account", userId }, signal);
    return chat.kind === "failed" ? chat : this.post(chat.value, renderPrivate(text), signal);
  }

  async post(chat: string, body: JsonObject, signal?: AbortSignal): Promise<ChatResult<MessageRef>> {
    const reply = await this.#api.call("POST", `/channels/${chat}/messages`, body, { signal });
    if (reply.kind === "failed") return reply;
    return { kind: "ok", value: { chat, message: textAt(reply.value, "id") ?? "" } };
  }

  async #chatOf(target: ChatTarget, signal?: AbortSignal): Promise<ChatResult<string>> {
    if (target.kind === "chat") {
      const id = channelId(target.chat);
      return id === undefined ? NO_CHAT : { kind: "ok", value: id };
    }
    return this.#directChats.of(target.userId, async () => {
      const body = { recipient_id: target.userId };
      const reply = await this.#api.call("POST", "/users/@me/channels", body, { signal });
      return reply.kind === "failed" ? reply : { kind: "ok", value: textAt(reply.value, "id") ?? "" };
    });
  }
}

function nonceOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, NONCE);
}

/** An id, a mention of a channel as Discord writes it, or the link that "Copy Link" gives. */
function channelId(chat: string): string | undefined {
  return /^(?:<#|https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/|)(\d{5,20})>?$/.exec(
    chat,
  )?.[1];
}

/** Slack's outgoing side: cards, edits and texts to one person. */

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
import { objectAt, textAt } from "./read.ts";
import { renderCard, renderPrivate } from "./render.ts";
import type { SlackApi } from "./web-api.ts";

/** No previews of links, in any text. */
const NO_PREVIEWS = { unfurl_links: false, unfurl_media: false };

export class SlackSender {
  readonly #api: SlackApi;
  readonly #directChats = new DirectChats();
  #self: BotIdentity | undefined;

  constructor(api: SlackApi) {
    this.#api = api;
  }

  async identify(signal?: AbortSignal): Promise<ChatResult<BotIdentity>> {
    const reply = await this.#api.call("auth.test", {}, { signal });
    if (reply.kind === "failed") return reply;
    const id = textAt(reply.value, "user_id") ?? "";
    const tenant = textAt(reply.value, "team_id") ?? "";
    this.#self = {
      ...{ id, tenant, name: textAt(reply.value, "user") ?? id },
      address: `https://slack.com/app_redirect?team=${tenant}&channel=${id}`,
    };
    return { kind: "ok", value: this.#self };
  }

  async send(
    card: Card,
    target: ChatTarget,
    { replyTo, signal }: SendOptions,
  ): Promise<ChatResult<MessageRef>> {
    const body = renderCard(card);
    if (body === undefined) return DOES_NOT_FIT;
    // The reference of a message names the workspace.
    const known = this.#self ?? (await this.identify(signal));
    if ("kind" in known && known.kind === "failed") return known;
    const chat = await this.#chatOf(target, signal);
    if (chat.kind === "failed") return chat;
    // In the thread of the first message, and shown in the channel too: otherwise nobody would notice a reminder.
    const thread = replyTo === undefined ? {} : { thread_ts: replyTo.message, reply_broadcast: true };
    return this.post(chat.value, { ...body, ...thread }, signal);
  }

  async edit({ chat, message }: MessageRef, card: Card, signal?: AbortSignal): Promise<ChatResult<null>> {
    const body = renderCard(card);
    if (body === undefined) return DOES_NOT_FIT;
    const options = { signal, lane: `chat.update ${chat}` };
    const reply = await this.#api.call("chat.update", { channel: chat, ts: message, ...body }, options);
    // Somebody deleted it: nothing is left to press.
    if (reply.kind === "failed" && reply.error !== "message_not_found") return reply;
    return { kind: "ok", value: null };
  }

  async tell(userId: string, text: PrivateText, signal?: AbortSignal): Promise<ChatResult<MessageRef>> {
    const chat = await this.#chatOf({ kind: "account", userId }, signal);
    return chat.kind === "failed" ? chat : this.post(chat.value, { ...renderPrivate(text) }, signal);
  }

  /** Beside a message in the chat, seen by this person only; directly if they are not in the chat. */
  async whisper(chat: string, userId: string, text: PrivateText): Promise<void> {
    const body = { ...renderPrivate(text), ...NO_PREVIEWS };
    const shown = await this.#api.call("chat.postEphemeral", { channel: chat, user: userId, ...body });
    if (shown.kind === "failed") await this.tell(userId, text);
  }

  async post(chat: string, body: JsonObject, signal?: AbortSignal): Promise<ChatResult<MessageRef>> {
    const whole = { channel: chat, ...NO_PREVIEWS, ...body };
    const options = { signal, lane: `chat.postMessage ${chat}` };
    const reply = await this.#api.call("chat.postMessage", whole, options);
    if (reply.kind === "failed") return reply;
    const tenant = this.#self?.tenant;
    return {
      kind: "ok",
      value: {
        chat: textAt(reply.value, "channel") ?? chat,
        message: textAt(reply.value, "ts") ?? "",
        ...(tenant === undefined ? {} : { tenant }),
      },
    };
  }

  async #chatOf(target: ChatTarget, signal?: AbortSignal): Promise<ChatResult<string>> {
    if (target.kind === "chat") return { kind: "ok", value: target.chat };
    return this.#directChats.of(target.userId, async () => {
      const reply = await this.#api.call("conversations.open", { users: target.userId }, { signal });
      if (reply.kind === "failed") return reply;
      return { kind: "ok", value: textAt(objectAt(reply.value, "channel") ?? {}, "id") ?? "" };
    });
  }
}

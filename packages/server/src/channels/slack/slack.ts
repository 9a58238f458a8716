/** Slack as a chat platform: the Web API to send and edit, Socket Mode to listen. No public address is needed. */

import { randomInt } from "node:crypto";
import type { Card, CardQuestion } from "@holdpoint/protocol/chat";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { createChatApi } from "../chat/api.ts";
import { createBackoff, pause } from "../chat/backoff.ts";
import type {
  BotIdentity,
  ChatAnswer,
  ChatHandlers,
  ChatPlatform,
  ChatResult,
  ChatTarget,
  MessageRef,
  PlatformFactory,
  PrivateText,
  SendOptions,
} from "../chat/platform.ts";
import { type Incoming, readEnvelope, textAt } from "./read.ts";
import { renderCard, renderNotice, renderPrivate, renderQuestion } from "./render.ts";
import { runSocketMode } from "./sockets.ts";
import { createUsers } from "./users.ts";
import { createSlackApi } from "./web-api.ts";

const ROOT = "https://slack.com/api";
/** Slack waits three seconds for the acknowledgement, and the trigger of a modal is good for as long. */
const ACK_MS = 2_000;
/** No previews of links, in any text. */
const NO_PREVIEWS = { unfurl_links: false, unfurl_media: false };

const random = () => randomInt(1000) / 1000;

const DOES_NOT_FIT = { kind: "failed", error: "does_not_fit", retry: false } as const;

export const slackPlatform: PlatformFactory = (parts): ChatPlatform => {
  const { clock, token, appToken = "", apiUrl = ROOT } = parts;
  const http = createChatApi(clock);
  const api = createSlackApi(http, apiUrl, token);
  const app = createSlackApi(http, apiUrl, appToken);
  const users = createUsers(api, clock);
  const directChats = new Map<string, string>();
  let self: BotIdentity | undefined;

  async function identify(signal?: AbortSignal): Promise<ChatResult<BotIdentity>> {
    const reply = await api.call("auth.test", {}, { signal });
    if (reply.kind === "failed") return reply;
    const id = textAt(reply.value, "user_id") ?? "";
    const tenant = textAt(reply.value, "team_id") ?? "";
    self = {
      id,
      tenant,
      name: textAt(reply.value, "user") ?? id,
      address: `https://slack.com/app_redirect?team=${tenant}&channel=${id}`,
    };
    return { kind: "ok", value: self };
  }

  async function chatOf(target: ChatTarget, signal?: AbortSignal): Promise<ChatResult<string>> {
    if (target.kind === "chat") return { kind: "ok", value: target.chat };
    const known = directChats.get(target.userId);
    if (known !== undefined) return { kind: "ok", value: known };
    const reply = await api.call("conversations.open", { users: target.userId }, { signal });
    if (reply.kind === "failed") return reply;
    const chat = textAt((reply.value["channel"] ?? {}) as JsonObject, "id") ?? "";
    if (directChats.size >= 1000) directChats.clear();
    directChats.set(target.userId, chat);
    return { kind: "ok", value: chat };
  }

  async function post(chat: string, body: JsonObject, signal?: AbortSignal): Promise<ChatResult<MessageRef>> {
    const reply = await api.call(
      "chat.postMessage",
      { channel: chat, ...NO_PREVIEWS, ...body },
      { signal, lane: `chat.postMessage ${chat}` },
    );
    if (reply.kind === "failed") return reply;
    const message = textAt(reply.value, "ts") ?? "";
    return {
      kind: "ok",
      value: { chat: textAt(reply.value, "channel") ?? chat, message, ...tenantOf(self) },
    };
  }

  const platform: ChatPlatform = {
    kind: "slack",
    limits: { buttons: 25, buttonLabel: 75, dialogFields: 10, replyLength: 3000 },
    identify,
    fits: (card) => renderCard(card) !== undefined,
    close: () => http.close(),

    async send(card: Card, target: ChatTarget, { replyTo, signal }: SendOptions) {
      const body = renderCard(card);
      if (body === undefined) return DOES_NOT_FIT;
      if (self === undefined) {
        const known = await identify(signal);
        if (known.kind === "failed") return known;
      }
      const chat = await chatOf(target, signal);
      if (chat.kind === "failed") return chat;
      // In the thread of the first message, and shown in the channel too: otherwise nobody would notice a reminder.
      const thread = replyTo === undefined ? {} : { thread_ts: replyTo.message, reply_broadcast: true };
      return post(chat.value, { ...body, ...thread }, signal);
    },

    async edit({ chat, message }, card, signal) {
      const body = renderCard(card);
      if (body === undefined) return DOES_NOT_FIT;
      const reply = await api.call(
        "chat.update",
        { channel: chat, ts: message, ...body },
        { signal, lane: `chat.update ${chat}` },
      );
      // Somebody deleted it: nothing is left to press.
      if (reply.kind === "failed" && reply.error !== "message_not_found") return reply;
      return { kind: "ok", value: null };
    },

    async tell({ userId }, text, signal) {
      const chat = await chatOf({ kind: "account", userId }, signal);
      return chat.kind === "failed" ? chat : post(chat.value, { ...renderPrivate(text) }, signal);
    },

    async listen(handlers, signal) {
      const team = await ownTeam(handlers, signal);
      if (team === undefined) return;
      await runSocketMode(
        {
          clock,
          random,
          onState: (state) => handlers.onState(state),
          address: async (stop) => {
            const reply = await app.call("apps.connections.open", {}, { signal: stop });
            return reply.kind === "failed" ? reply : { kind: "ok", value: textAt(reply.value, "url") ?? "" };
          },
          onEnvelope: (envelope, ack) => onEnvelope(envelope, ack, handlers, team),
        },
        signal,
      );
    },
  };

  /** Asks until Slack answers. `undefined`: listening was stopped. */
  async function ownTeam(handlers: ChatHandlers, signal: AbortSignal): Promise<string | undefined> {
    const backoff = createBackoff({ firstMs: 1000, mostMs: 60_000, random });
    while (!signal.aborted) {
      const known = await identify(signal);
      if (known.kind === "ok") return known.value.tenant ?? "";
      if (signal.aborted) return undefined;
      handlers.onState(known);
      if (known.error === "bad_token") throw new Error("Slack refused the bot token: bad_token");
      await pause(clock, Math.max(known.retryAfterMs ?? 0, backoff.next()), signal);
    }
    return undefined;
  }

  async function onEnvelope(
    envelope: JsonObject,
    ack: (payload?: JsonObject) => void,
    handlers: ChatHandlers,
    team: string,
  ): Promise<void> {
    const incoming = readEnvelope(envelope, team);
    if (incoming === undefined) return;
    // A commit that takes long must not look to the person as if the press had failed.
    let isLate = false;
    const cancel = clock.at(clock.now() + ACK_MS, () => {
      isLate = true;
      ack();
    });
    try {
      const answer = await answerTo(incoming, handlers, team);
      const inDialog = isLate ? undefined : await inTime(incoming, answer, ack);
      if (inDialog === undefined) await privately(incoming, answer);
    } finally {
      cancel();
    }
  }

  async function answerTo(incoming: Incoming, handlers: ChatHandlers, team: string): Promise<ChatAnswer> {
    const by = await users.account(incoming.user, team);
    const { id } = incoming;
    switch (incoming.kind) {
      case "press":
        return handlers.onPress({ id, button: incoming.button, message: incoming.message, by });
      case "submission":
        return handlers.onReply({ id, to: { question: incoming.question }, values: incoming.values, by });
      case "direct":
        return handlers.onDirect({ id, text: incoming.text, by });
    }
  }

  /** Answers that need the acknowledgement or the trigger of a modal. `undefined`: there is something left to say. */
  async function inTime(
    incoming: Incoming,
    answer: ChatAnswer,
    ack: (payload?: JsonObject) => void,
  ): Promise<"done" | undefined> {
    if (incoming.kind === "press" && answer.kind === "ask") {
      return openDialog(incoming.trigger, answer.question, incoming.message.chat);
    }
    if (incoming.kind !== "submission") return undefined;
    const payload = dialogReply(incoming, answer);
    if (payload === undefined) return undefined;
    ack(payload);
    return "done";
  }

  async function openDialog(
    trigger: string,
    question: CardQuestion,
    chat: string,
  ): Promise<"done" | undefined> {
    const view = renderQuestion(question, { chat, question: question.id });
    const reply = await api.call("views.open", { trigger_id: trigger, view });
    return reply.kind === "ok" ? "done" : undefined;
  }

  /** What only the presser sees (P4): beside the message that they pressed, or in their direct messages. */
  async function privately(incoming: Incoming, answer: ChatAnswer): Promise<void> {
    const text = textOf(answer);
    if (text === undefined) return;
    const body = { ...renderPrivate(text), ...NO_PREVIEWS };
    const user = incoming.user.id;
    const chat = incoming.kind === "press" ? incoming.message.chat : incoming.chat;
    if (incoming.kind === "direct") {
      await post(chat, body);
      return;
    }
    const shown = await api.call("chat.postEphemeral", { channel: chat, user, ...body });
    // Somebody who is not in the channel, as after a submission from elsewhere, is written to directly.
    if (shown.kind === "failed") await platform.tell({ userId: user }, text);
  }

  return platform;
};

function tenantOf(self: BotIdentity | undefined): { readonly tenant?: string } {
  return self?.tenant === undefined ? {} : { tenant: self.tenant };
}

/** A refusal stays in the dialog, so that what was written is not lost. */
function dialogReply(
  incoming: Incoming & { readonly kind: "submission" },
  answer: ChatAnswer,
): JsonObject | undefined {
  const field = Object.keys(incoming.values)[0];
  if (answer.kind === "refused" && field !== undefined) {
    return { response_action: "errors", errors: { [field]: answer.text } };
  }
  if (answer.kind === "refused") {
    return { response_action: "update", view: renderNotice(incoming.title, { text: answer.text }) };
  }
  if (answer.kind === "ask") {
    const place = { chat: incoming.chat, question: answer.question.id };
    return { response_action: "update", view: renderQuestion(answer.question, place) };
  }
  return undefined;
}

function textOf(answer: ChatAnswer): PrivateText | undefined {
  switch (answer.kind) {
    case "done":
      return answer.text === undefined ? undefined : { text: answer.text };
    case "refused":
      return { text: answer.text };
    case "private":
      return answer.text;
    case "ask":
      return { text: "The dialog could not be opened in time. Please press again." };
  }
}

/** Discord as a chat platform: REST to send and edit, the Gateway to listen. No public address is needed. */

import { createHash, randomInt } from "node:crypto";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { createChatApi } from "../chat/api.ts";
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
} from "../chat/platform.ts";
import { type GatewayInfo, newGatewayMemory, runGateway } from "./gateway.ts";
import { type Incoming, type Interaction, MODAL, objectAt, readDispatch, textAt } from "./read.ts";
import { EPHEMERAL, renderCard, renderChoice, renderModal, renderPrivate } from "./render.ts";
import { createDiscordApi } from "./rest.ts";

const ROOT = "https://discord.com/api";
/** Discord waits three seconds for the first answer. */
const ANSWER_MS = 2_000;
/** How many direct chats are kept in memory. */
const CHATS = 1000;
const NONCE = 25;

const DOES_NOT_FIT = { kind: "failed", error: "does_not_fit", retry: false } as const;

/** Types of the first answer to an interaction. */
const MESSAGE = 4;
const NOTHING = 6;
const UPDATE = 7;
const DIALOG = 9;

export const discordPlatform: PlatformFactory = ({ clock, token, apiUrl = ROOT }): ChatPlatform => {
  const http = createChatApi(clock);
  const api = createDiscordApi(http, `${apiUrl}/v10`, token);
  const memory = newGatewayMemory();
  const directChats = new Map<string, string>();

  async function chatOf(target: ChatTarget, signal?: AbortSignal): Promise<ChatResult<string>> {
    if (target.kind === "chat") {
      const id = channelId(target.chat);
      return id === undefined
        ? { kind: "failed", error: "chat_not_found", retry: false }
        : { kind: "ok", value: id };
    }
    const known = directChats.get(target.userId);
    if (known !== undefined) return { kind: "ok", value: known };
    const reply = await api.call("POST", "/users/@me/channels", { recipient_id: target.userId }, { signal });
    if (reply.kind === "failed") return reply;
    const chat = textAt(reply.value, "id") ?? "";
    if (directChats.size >= CHATS) directChats.clear();
    directChats.set(target.userId, chat);
    return { kind: "ok", value: chat };
  }

  async function post(chat: string, body: JsonObject, signal?: AbortSignal): Promise<ChatResult<MessageRef>> {
    const reply = await api.call("POST", `/channels/${chat}/messages`, body, { signal });
    if (reply.kind === "failed") return reply;
    return { kind: "ok", value: { chat, message: textAt(reply.value, "id") ?? "" } };
  }

  const platform: ChatPlatform = {
    kind: "discord",
    limits: { buttons: 25, buttonLabel: 80, dialogFields: 5, replyLength: 4000 },
    fits: (card) => renderCard(card) !== undefined,
    close: () => http.close(),

    async identify(signal) {
      const reply = await api.call("GET", "/users/@me", undefined, { signal });
      if (reply.kind === "failed") return reply;
      const id = textAt(reply.value, "id") ?? "";
      const name = textAt(reply.value, "global_name") ?? textAt(reply.value, "username") ?? id;
      const identity: BotIdentity = { id, name, address: `https://discord.com/users/${id}` };
      return { kind: "ok", value: identity };
    },

    async send(card, target, { key, replyTo, signal }) {
      const body = renderCard(card);
      if (body === undefined) return DOES_NOT_FIT;
      const chat = await chatOf(target, signal);
      if (chat.kind === "failed") return chat;
      const reference =
        replyTo === undefined
          ? {}
          : { message_reference: { message_id: replyTo.message, fail_if_not_exists: false } };
      // Discord takes the same message only once within a few minutes.
      return post(chat.value, { ...body, ...reference, nonce: nonceOf(key), enforce_nonce: true }, signal);
    },

    async edit({ chat, message }, card, signal) {
      const body = renderCard(card);
      if (body === undefined) return DOES_NOT_FIT;
      const options = { signal, lane: `PATCH /channels/${chat}` };
      const reply = await api.call("PATCH", `/channels/${chat}/messages/${message}`, body, options);
      // Somebody deleted it: nothing is left to press.
      if (reply.kind === "failed" && reply.error !== "message_not_found") return reply;
      return { kind: "ok", value: null };
    },

    async tell({ userId }, text, signal) {
      const chat = await chatOf({ kind: "account", userId }, signal);
      return chat.kind === "failed" ? chat : post(chat.value, renderPrivate(text), signal);
    },

    async listen(handlers, signal) {
      const running = new Set<Promise<void>>();
      await runGateway(
        {
          token,
          clock,
          memory,
          random: () => randomInt(1000) / 1000,
          info: gatewayInfo,
          onState: (state) => handlers.onState(state),
          onDispatch: (type, data) => {
            const incoming = readDispatch(type, data);
            if (incoming === undefined) return;
            // A handler that fails leaves the press unanswered: Discord tells the person, who can press again (P2).
            const work = onIncoming(incoming, handlers).catch(() => undefined);
            running.add(work);
            void work.finally(() => running.delete(work));
          },
        },
        signal,
      );
      await Promise.all(running);
    },
  };

  async function gatewayInfo(signal: AbortSignal): Promise<ChatResult<GatewayInfo>> {
    const reply = await api.call("GET", "/gateway/bot", undefined, { signal });
    if (reply.kind === "failed") return reply;
    const limit = objectAt(reply.value, "session_start_limit") ?? {};
    return {
      kind: "ok",
      value: {
        url: textAt(reply.value, "url") ?? "",
        remaining: Number(limit["remaining"] ?? 1),
        resetAfterMs: Number(limit["reset_after"] ?? 60_000),
      },
    };
  }

  async function onIncoming(incoming: Incoming, handlers: ChatHandlers): Promise<void> {
    const { by } = incoming;
    if (incoming.kind === "direct") {
      const answer = await handlers.onDirect({ id: incoming.id, text: incoming.text, by });
      const text = textOf(answer);
      if (text !== undefined) await post(incoming.chat, renderPrivate(text));
      return;
    }
    const { interaction } = incoming;
    // A commit that takes long must not look to the person as if the press had failed.
    let early: Promise<unknown> | undefined;
    const cancel = clock.at(clock.now() + ANSWER_MS, () => {
      early = respond(interaction, { type: NOTHING });
    });
    try {
      const answer =
        incoming.kind === "press"
          ? await handlers.onPress({
              id: interaction.id,
              button: incoming.button,
              message: incoming.message,
              by,
            })
          : await handlers.onReply({
              id: interaction.id,
              to: { question: incoming.question },
              values: incoming.values,
              by,
            });
      cancel();
      if (early === undefined) await respond(interaction, firstAnswer(incoming, answer));
      else await later(interaction, early, answer);
    } finally {
      cancel();
    }
  }

  function respond({ id, token: own }: Interaction, body: JsonObject): Promise<ChatResult<JsonObject>> {
    return api.call("POST", `/interactions/${id}/${own}/callback`, body, {
      lane: `interaction ${id}`,
      withoutToken: true,
    });
  }

  /** The first answer is given already; what is left to say follows by the interaction's token. */
  async function later(interaction: Interaction, early: Promise<unknown>, answer: ChatAnswer): Promise<void> {
    await early;
    const body =
      answer.kind === "ask" && answer.question.fields.length === 0
        ? renderChoice(answer.question)
        : bodyOf(answer);
    if (body === undefined) return;
    const { application, token: own, id } = interaction;
    await api.call(
      "POST",
      `/webhooks/${application}/${own}`,
      { ...body, flags: EPHEMERAL },
      { lane: `interaction ${id}`, withoutToken: true },
    );
  }

  return platform;
};

function firstAnswer(incoming: Exclude<Incoming, { kind: "direct" }>, answer: ChatAnswer): JsonObject {
  // A private message with buttons, such as a question, is replaced: its buttons have served.
  const isPrivate = incoming.kind === "press" && incoming.isEphemeral;
  const message = (body: JsonObject): JsonObject =>
    isPrivate
      ? { type: UPDATE, data: { components: [], ...body } }
      : { type: MESSAGE, data: { ...body, flags: EPHEMERAL } };
  if (answer.kind === "ask" && answer.question.fields.length === 0)
    return message(renderChoice(answer.question));
  // A modal cannot follow a modal.
  if (answer.kind === "ask" && incoming.kind === "press") {
    return { type: DIALOG, data: renderModal(answer.question, `${MODAL}${answer.question.id}`) };
  }
  const body = bodyOf(answer);
  return body === undefined ? { type: NOTHING } : message(body);
}

function bodyOf(answer: ChatAnswer): JsonObject | undefined {
  const text = textOf(answer);
  return text === undefined ? undefined : renderPrivate(text);
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

function nonceOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, NONCE);
}

/** An id, a mention of a channel as Discord writes it, or the link that "Copy Link" gives. */
function channelId(chat: string): string | undefined {
  return /^(?:<#|https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/|)(\d{5,20})>?$/.exec(
    chat,
  )?.[1];
}

/**
 * Carries messages to chats.
 *
 * C1  The message's row is committed before the message is sent and its reference after, so that the end of the hold finds it.
 * C2  An edit shows the hold as it is when the edit is made, and is repeated if the hold changed meanwhile. So the last edit
 *     that arrives shows the last state, in whatever order edits were made.
 * C3  A hold that ends while its message is on its way: the commit of the reference queues the closing edit.
 * C4  Messages to one chat are sent one after another, in the order of their rows. A platform that asks to wait costs no try.
 */

import type { EntityOf } from "../../domains.ts";
import type { Engine } from "../../engine/engine.ts";
import { strayCard } from "../../kernel/chat/card.ts";
import type { ChatMessage } from "../../kernel/chat/chat.ts";
import { laneOfChannel } from "../../kernel/lane.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import type { OutboxRow } from "../../kernel/record.ts";
import type { Ids } from "../../system/ids.ts";
import type { Carrier, Delivery, DeliveryFailed } from "../delivery.ts";
import { botNamed, type ChatBot, type ChatBots } from "./bot.ts";
import type { InOrder } from "./in-order.ts";
import type { ChatFailure, MessageRef } from "./platform.ts";
import { type RecipientParts, targetOf } from "./recipients.ts";
import { draftMessage, type RenderParts, redraw } from "./render.ts";

export interface ChatCarrierParts extends RenderParts, RecipientParts {
  readonly bots: ChatBots;
  readonly ids: Ids;
}

const SENT: Delivery = { kind: "sent" };
const WITHDRAWN: Delivery = { kind: "withdrawn" };

/** New messages about a hold. */
export function chatNotices(parts: ChatCarrierParts, order: InOrder): Carrier {
  return {
    async prepare(row) {
      const bot = botNamed(parts.bots, row.endpoint);
      if (bot === undefined) return { kind: "no_channel" };
      const hold = await holdOf(row, parts.engine);
      if (hold?.body.status !== "open") return { kind: "withdrawn" };
      return {
        kind: "ready",
        lane: laneOfChannel(row.endpoint),
        send: (signal) =>
          order.run(chatKey(row), () =>
            inPlace(row, order, parts.engine, () =>
              throttled(row, order, parts.engine, () => send(row, bot, parts, signal)),
            ),
          ),
      };
    },
  };
}

async function send(
  row: OutboxRow,
  bot: ChatBot,
  parts: ChatCarrierParts,
  signal: AbortSignal,
): Promise<Delivery> {
  const { engine } = parts;
  const { workspace } = row;
  const hold = await holdOf(row, engine);
  if (hold?.body.status !== "open") return WITHDRAWN;
  const to = textIn(row, "to");
  const target = await targetOf(workspace, to, bot, parts);
  if (target.kind === "failed") return target;
  const before = await messagesOf(hold, engine);
  const own = before.find(({ delivery }) => delivery === row.id);
  if (own?.ref !== undefined) return SENT;
  const first = before.find((one) => one.channel === bot.name && one.to === to && one.ref !== undefined);
  const isReminder = first !== undefined;
  const draft = await draftMessage(hold, bot, { isReminder }, parts);
  const message = own ?? (await make(row, hold.id, draft.buttons, to, target.kind === "account", parts));
  if (message === null) return WITHDRAWN;
  const card = await draft.card(message);
  const sent = await bot.platform.send(card, target, {
    key: message.id,
    ...(first?.ref === undefined ? {} : { replyTo: first.ref }),
    signal,
  });
  if (sent.kind === "failed") return deliveryOf(sent);
  await engine.run({
    ...({ kind: "note_chat_sent", workspace, by: SYSTEM } as const),
    ...{ holdId: hold.id, messageId: message.id, ref: sent.value },
  });
  return SENT;
}

/** `null`: the hold has ended meanwhile. */
async function make(
  { id: delivery, endpoint: channel, workspace, detail }: OutboxRow,
  holdId: string,
  buttons: ChatMessage["buttons"],
  to: string | undefined,
  isDirect: boolean,
  { engine, ids }: ChatCarrierParts,
): Promise<ChatMessage | null> {
  const attempt = typeof detail["attempt"] === "number" ? detail["attempt"] : 1;
  const message = {
    ...{ id: ids.token().slice(0, MESSAGE_ID_LENGTH), channel, delivery, attempt, buttons },
    ...(to === undefined ? {} : { to }),
    ...(isDirect ? { isDirect: true as const } : {}),
  };
  const made = await engine.run({ kind: "make_chat_message", workspace, by: SYSTEM, holdId, message });
  return made.ok ? made.entity.body : null;
}

/** 192 bits; with the number of a button it fits into what every platform carries. */
const MESSAGE_ID_LENGTH = 32;

/** Edits of messages that chats show already. */
export function chatUpdates(parts: ChatCarrierParts, order: InOrder): Carrier {
  return {
    async prepare(row) {
      const bot = botNamed(parts.bots, row.endpoint);
      if (bot === undefined) return { kind: "no_channel" };
      return {
        kind: "ready",
        lane: laneOfChannel(row.endpoint),
        send: (signal) => throttled(row, order, parts.engine, () => update(row, bot, parts, signal)),
      };
    },
  };
}

/** A hold that changes all the time must not keep one try busy; what changes later brings an edit of its own. */
const REDRAWS_MAX = 5;

async function update(
  row: OutboxRow,
  bot: ChatBot,
  parts: ChatCarrierParts,
  signal: AbortSignal,
): Promise<Delivery> {
  const { engine } = parts;
  const { workspace } = row;
  for (let redraws = 0; redraws < REDRAWS_MAX; redraws += 1) {
    const hold = await holdOf(row, engine);
    const message = await messageNamed(workspace, textIn(row, "message") ?? "", engine);
    // Without a reference there is nothing to edit yet; its commit queues the edit that is missing (C3).
    if (hold === undefined || message?.ref === undefined) return SENT;
    const isOver = hold.body.status !== "open";
    // A copy may come to light after the message was closed; it must lose its buttons too.
    const isClosed = message.closedAt !== undefined && (message.strays ?? []).length === 0;
    if (isClosed && row.event.type !== "hold.erased") return SENT;
    const card = await redraw(hold, message, bot, { isReminder: false }, parts);
    const failure = await editAll(bot, message, card, signal);
    if (failure !== null) return deliveryOf(failure);
    if ((await holdOf(row, engine))?.version !== hold.version) continue;
    if (isOver)
      await engine.run({
        ...({ kind: "note_chat_closed", workspace, by: SYSTEM } as const),
        ...{ holdId: hold.id, messageId: message.id },
      });
    return SENT;
  }
  return { kind: "failed", error: "changing", retry: true };
}

async function editAll(
  { platform }: ChatBot,
  { ref, strays = [] }: ChatMessage,
  card: Parameters<ChatBot["platform"]["edit"]>[1],
  signal: AbortSignal,
): Promise<ChatFailure | null> {
  const edits = [{ at: ref as MessageRef, card }, ...strays.map((at) => ({ at, card: strayCard(card) }))];
  for (const edit of edits) {
    const result = await platform.edit(edit.at, edit.card, signal);
    if (result.kind === "failed") return result;
  }
  return null;
}

/** Texts to one person about their own account. */
export function chatTells(
  { bots, engine }: Pick<ChatCarrierParts, "bots" | "engine">,
  textOf: (row: OutboxRow) => Promise<string | null>,
): Carrier {
  return {
    async prepare(row) {
      const bot = botNamed(bots, row.endpoint);
      const text = bot === undefined ? null : await textOf(row);
      if (bot === undefined) return { kind: "no_channel" };
      if (text === null) return { kind: "withdrawn" };
      return {
        kind: "ready",
        lane: laneOfChannel(row.endpoint),
        async send(signal) {
          const id = textIn(row, "person") ?? "";
          const [person] = await engine.store.load([
            { workspace: row.workspace, kind: "person", id, read: true },
          ]);
          const accounts = (person?.body.accounts ?? []).filter(
            ({ platform }) => platform === bot.platform.kind,
          );
          for (const account of accounts) {
            const told = await bot.platform.tell(account, { text }, signal);
            if (told.kind === "failed") return deliveryOf(told);
          }
          return SENT;
        },
      };
    },
  };
}

function chatKey({ endpoint, detail }: OutboxRow): string {
  return `${endpoint}\n${String(detail["to"] ?? "")}`;
}

/** How long a message that came before its turn waits at least. */
const TURN_MS = 1_000;

/** C4: a message that the platform made wait keeps its place before later ones to the same chat. */
async function inPlace(
  row: OutboxRow,
  order: InOrder,
  { clock }: Engine,
  work: () => Promise<Delivery>,
): Promise<Delivery> {
  const [key, now] = [chatKey(row), clock.now()];
  const turnAt = order.turnAt(key, row, now);
  const delivery: Delivery =
    turnAt === undefined
      ? await work()
      : {
          kind: "failed",
          error: "rate_limited",
          isThrottled: true,
          retryAfterMs: Math.max(TURN_MS, turnAt - now),
        };
  if (delivery.kind === "failed" && delivery.isThrottled === true)
    order.putBack(key, row, clock.now() + (delivery.retryAfterMs ?? TURN_MS));
  else order.isDone(key, row);
  return delivery;
}

/** While a platform asks to wait, nothing more is sent to it. */
async function throttled(
  { endpoint }: OutboxRow,
  order: InOrder,
  { clock }: Engine,
  work: () => Promise<Delivery>,
): Promise<Delivery> {
  const restMs = order.restMs(endpoint, clock.now());
  if (restMs > 0) return { kind: "failed", error: "rate_limited", isThrottled: true, retryAfterMs: restMs };
  const delivery = await work();
  if (delivery.kind === "failed" && delivery.isThrottled === true)
    order.rest(endpoint, clock.now() + (delivery.retryAfterMs ?? 0));
  return delivery;
}

/** While a token is replaced, the old one is refused: the message waits for the server to start with the new one. */
export const BAD_TOKEN = "bad_token";

export function deliveryOf({ error, retry, retryAfterMs, status }: ChatFailure): DeliveryFailed {
  return {
    ...{ kind: "failed", error, retry: retry || error === BAD_TOKEN },
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs, isThrottled: true as const }),
  };
}

async function holdOf(
  { workspace, holdId }: OutboxRow,
  { store }: Engine,
): Promise<EntityOf<"hold"> | undefined> {
  if (holdId === null) return undefined;
  const [hold] = await store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  return hold;
}

async function messagesOf(
  { workspace, body }: EntityOf<"hold">,
  { store }: Engine,
): Promise<readonly ChatMessage[]> {
  const ids = (body.chats ?? []).map(({ id }) => id);
  const found = await store.load(
    ids.map((id) => ({ workspace, kind: "chat_message" as const, id, read: true as const })),
  );
  return found.map((entity) => entity.body).toSorted((one, other) => one.madeAt - other.madeAt);
}

async function messageNamed(
  workspace: string,
  id: string,
  { store }: Engine,
): Promise<ChatMessage | undefined> {
  return (await store.load([{ workspace, kind: "chat_message", id, read: true }]))[0]?.body;
}

function textIn({ detail }: OutboxRow, name: string): string | undefined {
  const text = detail[name];
  return typeof text === "string" ? text : undefined;
}

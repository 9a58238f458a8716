/**
 * A chat app and the people in it, in this process and on the seed: it loses replies and connections, asks to wait, delivers a press
 * again, and keeps what it was told to show. It is what the port `channels/chat/platform.ts` sees; the real platforms have
 * fakes of their own, which need sockets.
 */

import type { Card, CardButton, CardQuestion } from "@holdpoint/protocol/chat";
import type {
  ChatAnswer,
  ChatFailure,
  ChatHandlers,
  ChatPlatform,
  ChatReply,
  ChatResult,
  MessageRef,
  Press,
  SendOptions,
} from "../src/channels/chat/platform.ts";
import type { Clock } from "../src/system/clock.ts";
import type { Random } from "./random.ts";

export const CHAT = "chat";
export const GROUP = "#ops";

export interface Shown {
  readonly ref: MessageRef;
  readonly key: string;
  /** What it offered when it was sent: a screen that was not refreshed still shows it. */
  readonly offered: readonly CardButton[];
  card: Card;
}

/** Something that one account did. Delivered again, it has the same id. */
export interface Act {
  readonly id: string;
  readonly user: string;
  readonly at: number;
  /** The button, or the one whose question is answered. */
  readonly button: string;
  readonly on: MessageRef;
  readonly deliver: (to: ChatHandlers) => Promise<ChatAnswer>;
  /** What the account was told, each time. */
  readonly told: ChatAnswer[];
}

interface Connection {
  readonly handlers: ChatHandlers;
  readonly isDead: () => boolean;
}

/** How long the app waits before it delivers again what nobody acknowledged. */
const AGAIN_MS = 30_000;
const TIMED_OUT: ChatFailure = { kind: "failed", error: "timed_out", retry: true };
const TOO_FAST: ChatFailure = { kind: "failed", error: "rate_limited", retry: true, retryAfterMs: 2_000 };

export class ChatApp {
  readonly shown: Shown[] = [];
  readonly acts: Act[] = [];
  /** Questions that the bot asked one account. */
  readonly questions: { readonly question: CardQuestion; readonly act: Act }[] = [];
  readonly #random: Random;
  readonly #failing: () => number;
  /** Whether the app knows a message by its key and shows it once. */
  readonly #isDeduplicating: boolean;
  #connection: Connection | undefined;
  readonly #clock: Clock;
  #waiting: Act[] = [];

  constructor(random: Random, clock: Clock, failing: () => number) {
    this.#random = random;
    this.#clock = clock;
    this.#failing = failing;
    this.#isDeduplicating = random.chance(0.5);
  }

  get isListenedTo(): boolean {
    return this.#connection !== undefined && !this.#connection.isDead();
  }

  /** The bot, as one process of the server uses it. */
  platform(isDead: () => boolean): ChatPlatform {
    return {
      kind: CHAT,
      limits: { buttons: 10, buttonLabel: 64, dialogFields: 5, replyLength: 4_000 },
      identify: async () => ({ kind: "ok", value: { id: "bot", name: "bot" } }),
      fits: () => true,
      send: async (card, target, options) =>
        this.#send(card, target.kind === "chat" ? target.chat : `@${target.userId}`, options, isDead),
      edit: async (ref, card) => this.#edit(ref, card, isDead),
      tell: async ({ userId }) => ({ kind: "ok", value: { chat: `@${userId}`, message: "0" } }),
      listen: (handlers, signal) => this.#listen({ handlers, isDead }, signal),
    };
  }

  #send(card: Card, chat: string, { key }: SendOptions, isDead: () => boolean): ChatResult<MessageRef> {
    if (isDead() || this.#fails()) return this.#random.chance(0.3) ? TOO_FAST : TIMED_OUT;
    const known = this.#isDeduplicating ? this.shown.find((one) => one.key === key) : undefined;
    const ref = known?.ref ?? { chat, message: String(this.shown.length + 1) };
    if (known === undefined) this.shown.push({ ref, key, card, offered: card.buttons });
    return this.#fails() ? TIMED_OUT : { kind: "ok", value: ref };
  }

  #edit(ref: MessageRef, card: Card, isDead: () => boolean): ChatResult<null> {
    if (isDead() || this.#fails()) return this.#random.chance(0.3) ? TOO_FAST : TIMED_OUT;
    const found = this.shown.find((one) => one.ref.message === ref.message);
    if (found !== undefined) found.card = card;
    return this.#fails() ? TIMED_OUT : { kind: "ok", value: null };
  }

  #fails(): boolean {
    return this.#random.chance(this.#failing());
  }

  async #listen(connection: Connection, signal: AbortSignal): Promise<void> {
    this.#connection = connection;
    connection.handlers.onState("connected");
    this.#deliverWaiting();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    if (this.#connection === connection) this.#connection = undefined;
  }

  press(
    user: string,
    message: Shown,
    button: string,
    at: number,
    on: MessageRef = message.ref,
  ): Promise<void> {
    const id = `press-${this.acts.length}`;
    const press: Press = { id, button, message: on, by: { userId: user, name: user } };
    return this.#begin({ id, user, at, button, on, deliver: (to) => to.onPress(press), told: [] });
  }

  /** Whoever replies, the question was for the account that had pressed. */
  reply(user: string, number: number, text: string, at: number): Promise<void> {
    const { question, act } = this.questions[number] as (typeof this.questions)[number];
    const id = `reply-${this.acts.length}`;
    const values = Object.fromEntries(question.fields.map(({ key }) => [key, text]));
    const reply: ChatReply = { id, to: { question: question.id }, values, by: { userId: user, name: user } };
    const { button, on } = act;
    return this.#begin({ id, user, at, button, on, deliver: (to) => to.onReply(reply), told: [] });
  }

  #begin(act: Act): Promise<void> {
    this.acts.push(act);
    return this.deliver(act);
  }

  /** What nobody acknowledged is delivered again, after a while or as soon as somebody listens. */
  async deliver(act: Act): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || connection.isDead()) return this.#keep(act);
    const answer = await this.#inTime(act.deliver(connection.handlers));
    if (answer === undefined || connection.isDead()) return this.#keep(act);
    act.told.push(answer);
    if (answer.kind === "ask") this.questions.push({ question: answer.question, act });
  }

  /** `undefined`: refused, or nobody answered, because the process died for instance. */
  async #inTime(answer: Promise<ChatAnswer>): Promise<ChatAnswer | undefined> {
    const late = Promise.withResolvers<undefined>();
    const cancel = this.#clock.at(this.#clock.now() + AGAIN_MS, () => late.resolve(undefined));
    const first = await Promise.race([answer.catch(() => undefined), late.promise]);
    cancel();
    return first;
  }

  #keep(act: Act): void {
    if (this.#waiting.length === 0)
      this.#clock.at(this.#clock.now() + AGAIN_MS, () => this.#deliverWaiting());
    this.#waiting.push(act);
  }

  #deliverWaiting(): void {
    for (const act of this.#waiting.splice(0)) void this.deliver(act);
  }
}

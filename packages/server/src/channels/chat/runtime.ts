/** Everything that a server does for chats: carriers for the outbox, and one listener for each bot. */

import type { OutboxRow } from "../../kernel/record.ts";
import type { Carrier } from "../delivery.ts";
import type { ChatBot } from "./bot.ts";
import { type ChatCarrierParts, chatNotices, chatTells, chatUpdates } from "./carrier.ts";
import { InOrder } from "./in-order.ts";
import { type InboxParts, inboxOf } from "./inbox.ts";
import { ChatListener, type ListenerState } from "./listener.ts";
import type { BotIdentity } from "./platform.ts";

export interface ChatRuntimeOptions extends ChatCarrierParts, InboxParts {
  readonly leaseMs?: number;
  /** The text of a message to one person; `null`: there is nothing to say any more. */
  readonly tellText: (row: OutboxRow) => Promise<string | null>;
  readonly onFault: (error: unknown) => void;
}

export interface ChatChannelState {
  readonly name: string;
  readonly platform: string;
  readonly isFull: boolean;
  readonly listener: ListenerState;
}

export class ChatRuntime {
  readonly notices: Carrier;
  readonly updates: Carrier;
  readonly tells: Carrier;
  readonly #options: ChatRuntimeOptions;
  /** The carriers look into it for each message, so that bots can come and go. */
  readonly #bots: Record<string, ChatBot>;
  readonly #listeners = new Map<string, ChatListener>();
  readonly #identities = new Map<string, BotIdentity>();
  readonly #holder: string;
  #isStarted = false;

  constructor(given: ChatRuntimeOptions) {
    this.#bots = { ...given.bots };
    const options = { ...given, bots: this.#bots };
    this.#options = options;
    this.#holder = options.ids.token();
    const order = new InOrder();
    this.notices = chatNotices(options, order);
    this.updates = chatUpdates(options, order);
    this.tells = chatTells(options, options.tellText);
    for (const bot of Object.values(this.#bots)) this.#listeners.set(bot.name, this.#listenerOf(bot));
  }

  #listenerOf(bot: ChatBot): ChatListener {
    const { engine, onFault, leaseMs } = this.#options;
    const handlers = inboxOf(bot, this.#options);
    const lease = leaseMs === undefined ? {} : { leaseMs };
    return new ChatListener({ engine, bot, handlers, holder: this.#holder, onFault, ...lease });
  }

  has(channel: string): boolean {
    return Object.hasOwn(this.#bots, channel);
  }

  /** Adds a bot, or replaces the one of the same name: the old connection ends before the new one begins. */
  async put(bot: ChatBot): Promise<void> {
    await this.remove(bot.name);
    this.#bots[bot.name] = bot;
    const listener = this.#listenerOf(bot);
    this.#listeners.set(bot.name, listener);
    if (this.#isStarted) listener.start();
  }

  async remove(name: string): Promise<void> {
    const bot = this.has(name) ? this.#bots[name] : undefined;
    const listener = this.#listeners.get(name);
    delete this.#bots[name];
    this.#listeners.delete(name);
    this.#identities.delete(name);
    await listener?.stop();
    await bot?.platform.close?.();
  }

  start(): void {
    this.#isStarted = true;
    for (const listener of this.#listeners.values()) listener.start();
  }

  /** Takes no press any more. What is being sent goes on. */
  async stop(): Promise<void> {
    await Promise.all([...this.#listeners.values()].map((listener) => listener.stop()));
  }

  /** After the sender has stopped. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#bots).map(({ platform }) => platform.close?.()));
  }

  states(): readonly ChatChannelState[] {
    return Object.values(this.#bots).map(({ name, platform, isFull }) => ({
      ...{ name, platform: platform.kind, isFull },
      listener: this.#listeners.get(name)?.state ?? "standby",
    }));
  }

  /** Where a person begins a direct message to the bot. Asked of the platform once. */
  async identity(channel: string): Promise<BotIdentity | undefined> {
    const known = this.#identities.get(channel);
    if (known !== undefined || !this.has(channel)) return known;
    const found = await this.#bots[channel]?.platform.identify();
    if (found?.kind !== "ok") return undefined;
    this.#identities.set(channel, found.value);
    return found.value;
  }
}

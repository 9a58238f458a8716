/** Everything that a server does for chats: carriers for the outbox, and one listener for each bot. */

import type { OutboxRow } from "../../kernel/record.ts";
import type { Carrier } from "../delivery.ts";
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
  readonly listener: ListenerState;
}

export class ChatRuntime {
  readonly notices: Carrier;
  readonly updates: Carrier;
  readonly tells: Carrier;
  readonly #options: ChatRuntimeOptions;
  readonly #listeners: ReadonlyMap<string, ChatListener>;
  readonly #identities = new Map<string, BotIdentity>();

  constructor(options: ChatRuntimeOptions) {
    this.#options = options;
    const order = new InOrder();
    this.notices = chatNotices(options, order);
    this.updates = chatUpdates(options, order);
    this.tells = chatTells(options, options.tellText);
    const { bots, engine, onFault, leaseMs } = options;
    const holder = options.ids.token();
    this.#listeners = new Map(
      Object.values(bots).map((bot) => {
        const handlers = inboxOf(bot, options);
        const lease = leaseMs === undefined ? {} : { leaseMs };
        return [bot.name, new ChatListener({ engine, bot, handlers, holder, onFault, ...lease })];
      }),
    );
  }

  has(channel: string): boolean {
    return Object.hasOwn(this.#options.bots, channel);
  }

  start(): void {
    for (const listener of this.#listeners.values()) listener.start();
  }

  /** Takes no press any more. What is being sent goes on. */
  async stop(): Promise<void> {
    await Promise.all([...this.#listeners.values()].map((listener) => listener.stop()));
  }

  /** After the sender has stopped. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#options.bots).map(({ platform }) => platform.close?.()));
  }

  states(): readonly ChatChannelState[] {
    return Object.values(this.#options.bots).map(({ name, platform }) => ({
      ...{ name, platform: platform.kind },
      listener: this.#listeners.get(name)?.state ?? "standby",
    }));
  }

  /** Where a person begins a direct message to the bot. Asked of the platform once. */
  async identity(channel: string): Promise<BotIdentity | undefined> {
    const known = this.#identities.get(channel);
    if (known !== undefined || !this.has(channel)) return known;
    const found = await this.#options.bots[channel]?.platform.identify();
    if (found?.kind !== "ok") return undefined;
    this.#identities.set(channel, found.value);
    return found.value;
  }
}

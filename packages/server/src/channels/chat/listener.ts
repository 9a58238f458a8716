/**
 * Keeps one inbound connection for each bot, on one of the servers that share the database.
 *
 * L1  A server listens only while it holds the bot's lease. The lease is a row: taken, renewed at a third of its time, and free
 *     for another server once it has ended.
 * L2  A server whose lease has ended takes no press any more, even if it could not notice because it was paused: the handlers
 *     refuse, and the platform delivers the press to the next listener.
 * L3  Stopping ends the connection first and frees the lease after it.
 */

import type { Engine } from "../../engine/engine.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import type { ChatBot } from "./bot.ts";
import type { ChatFailure, ChatHandlers } from "./platform.ts";

/** As the console shows it. */
export type ListenerState = "starting" | "standby" | "connected" | ChatFailure;

export interface ListenerOptions {
  readonly engine: Engine;
  readonly bot: ChatBot;
  readonly handlers: Omit<ChatHandlers, "onState">;
  /** Random; names this server. */
  readonly holder: string;
  readonly leaseMs?: number;
  readonly onFault: (error: unknown) => void;
}

const LEASE_MS = 15_000;
/** The workspace of rows that belong to the server itself. */
const WORKSPACE = "_log";

export class ChatListener {
  readonly #options: ListenerOptions;
  readonly #leaseMs: number;
  #state: ListenerState = "starting";
  #isStopped = false;
  #wake: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #until = 0;
  #connection: AbortController | null = null;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  get state(): ListenerState {
    return this.#state;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#connection?.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    let listening: Promise<void> = Promise.resolve();
    while (!this.#isStopped) {
      const isHeld = await this.#take();
      if (isHeld && this.#connection === null && !this.#isStopped) listening = this.#listen();
      if (!isHeld) {
        this.#connection?.abort();
        await listening;
        this.#state = "standby";
      }
      await this.#pause(this.#leaseMs / 3);
    }
    this.#connection?.abort();
    await listening;
    await this.#leave();
  }

  /** Takes or renews the lease. If the store fails, the lease counts until it ends. */
  async #take(): Promise<boolean> {
    const { engine, bot, holder, onFault } = this.#options;
    try {
      const asked = engine.clock.now();
      const taken = await engine.run({
        ...({ kind: "take_listener", workspace: WORKSPACE, by: SYSTEM } as const),
        ...{ name: bot.name, holder, leaseMs: this.#leaseMs },
      });
      this.#until = taken.ok ? asked + this.#leaseMs : 0;
      return taken.ok;
    } catch (error) {
      onFault(error);
      return this.#until > engine.clock.now();
    }
  }

  async #leave(): Promise<void> {
    const { engine, bot, holder, onFault } = this.#options;
    this.#until = 0;
    await engine
      .run({ kind: "leave_listener", workspace: WORKSPACE, by: SYSTEM, name: bot.name, holder })
      .catch(onFault);
  }

  async #listen(): Promise<void> {
    const { bot, handlers, onFault } = this.#options;
    const connection = new AbortController();
    this.#connection = connection;
    this.#state = "starting";
    try {
      await bot.platform.listen(
        {
          onPress: (press) => this.#held(() => handlers.onPress(press)),
          onReply: (reply) => this.#held(() => handlers.onReply(reply)),
          onDirect: (text) => this.#held(() => handlers.onDirect(text)),
          onAsked: (question, ref) => handlers.onAsked(question, ref),
          onState: (state) => {
            this.#state = state;
          },
        },
        connection.signal,
      );
    } catch (error) {
      onFault(error);
    } finally {
      // The next round of the loop connects again.
      this.#connection = null;
    }
  }

  /** L2 */
  async #held<T>(work: () => Promise<T>): Promise<T> {
    if (this.#until <= this.#options.engine.clock.now())
      throw new Error("the lease of this connection has ended; another server takes over");
    return work();
  }

  #pause(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    const { clock } = this.#options.engine;
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now() + ms, () => this.#wake());
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** One socket of Socket Mode, from its greeting to its end. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import { type ChatSocket, openSocket } from "../chat/socket.ts";

export interface ConnectionOptions {
  /** Resolves once the envelope may be acknowledged. `ack` may be called before, once. */
  readonly onEnvelope: (envelope: JsonObject, ack: (payload?: JsonObject) => void) => Promise<void>;
  readonly onConnected: () => void;
  readonly clock: Clock;
}

/** Why a successor is needed. */
export type Leaving = "before_hello" | "announced" | "closed";

const HELLO_MS = 10_000;
const PING_MS = 15_000;
const SILENCE_MS = 40_000;
/** A replaced socket that Slack does not close is closed after this. */
const OLD_SOCKET_MS = 30_000;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #signal: AbortSignal;
  readonly #socket: ChatSocket;
  readonly #leaving = Promise.withResolvers<Leaving>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #stop = () => {
    if (this.#pending === 0) this.#socket.close();
  };
  #timers: Record<"hello" | "ping" | "old", () => void>;
  #isGreeted = false;
  #isLeaving = false;
  #pending = 0;
  #aliveAt: number;

  constructor(url: string, options: ConnectionOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const { clock } = options;
    this.#aliveAt = clock.now();
    this.#socket = openSocket(url, clock, {
      onAlive: () => {
        this.#aliveAt = clock.now();
      },
      onObject: (payload) => this.#receive(payload),
      onClose: () => this.#over(),
    });
    const hello = clock.at(clock.now() + HELLO_MS, () => {
      if (!this.#isGreeted) this.#socket.cut();
    });
    this.#timers = { hello, ping: () => {}, old: () => {} };
    if (signal.aborted) this.#stop();
    else signal.addEventListener("abort", this.#stop, { once: true });
  }

  /** Resolves when a successor is needed. */
  get leaving(): Promise<Leaving> {
    return this.#leaving.promise;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  #receive(message: JsonObject): void {
    const { type, envelope_id: id } = message;
    if (type === "hello") this.#greet();
    else if (type === "disconnect") this.#leave();
    else if (typeof id === "string") void this.#handle(message, id);
  }

  #greet(): void {
    this.#isGreeted = true;
    this.#timers.hello();
    this.#options.onConnected();
    this.#watch();
  }

  /** M3 */
  #watch(): void {
    const { clock } = this.#options;
    this.#timers.ping = clock.at(clock.now() + PING_MS, () => {
      if (clock.now() - this.#aliveAt > SILENCE_MS) {
        this.#socket.cut();
        return;
      }
      this.#socket.ping();
      this.#watch();
    });
  }

  /** M2 */
  #leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#leaving.resolve("announced");
    const { clock } = this.#options;
    this.#timers.old = clock.at(clock.now() + OLD_SOCKET_MS, () => this.#socket.cut());
  }

  /** M1. A handler that fails is not acknowledged: Slack tells the person, who can press again (P2). */
  async #handle(envelope: JsonObject, id: string): Promise<void> {
    this.#pending += 1;
    let isAcked = false;
    const ack = (payload?: JsonObject) => {
      if (isAcked) return;
      isAcked = true;
      this.#socket.send(JSON.stringify({ envelope_id: id, ...(payload === undefined ? {} : { payload }) }));
    };
    await this.#options.onEnvelope(envelope, ack).then(
      () => ack(),
      () => undefined,
    );
    this.#pending -= 1;
    if (this.#signal.aborted) this.#stop();
  }

  #over(): void {
    for (const cancel of Object.values(this.#timers)) cancel();
    this.#signal.removeEventListener("abort", this.#stop);
    this.#leaving.resolve(this.#isGreeted ? "closed" : "before_hello");
    this.#closed.resolve();
  }
}

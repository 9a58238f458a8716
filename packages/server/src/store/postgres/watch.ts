/**
 * Watches for other servers' commits. A notification is only a hint: the receiver reads the log from its last
 * position. So a lost connection loses nothing, and neither does a database without NOTIFY, because the log is also
 * polled. Nor can a notification do harm: every role that may connect to the database can send one.
 */

import { endedIn } from "../ended.ts";
import type { Hint } from "../port.ts";
import { type Address, type Connection, connect } from "./connect.ts";
import type { LocalClock } from "./database-clock.ts";

/** How often to poll without notifications. */
const POLL_MS = 50;
const RECONNECT_MS = 250;

export interface WatchOptions {
  readonly address: Address;
  readonly channel: string;
  /** The name of this server, whose own notifications are ignored. */
  readonly self: string;
  readonly clock: LocalClock;
  readonly onMore: (hint?: Hint) => void;
  /** What other servers tell through `toldChannel`. */
  readonly onTold?: (text: string) => void;
  /** How often to check for notifications that a lost connection missed. */
  readonly lookMs: number;
}

/** A channel of its own: earlier versions understand only positions. */
export function toldChannel(channel: string): string {
  return `${channel}_told`;
}

/** Earlier versions leave it out. */
function timeIn(text: string | undefined): number | undefined {
  const at = Number(text);
  return Number.isSafeInteger(at) ? at : undefined;
}

export class Watch {
  readonly #options: WatchOptions;
  #connection: Connection | null = null;
  #stopped = false;
  #cancelPoll: () => void = () => undefined;
  #cancelConnect: () => void = () => undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#poll();
    if (options.address.notify) void this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelPoll();
    this.#cancelConnect();
    await this.#connection?.client.end().catch(() => undefined);
  }

  #poll(): void {
    const { clock, onMore, address, lookMs } = this.#options;
    const everyMs = address.notify ? lookMs : POLL_MS;
    this.#cancelPoll = clock.at(clock.now() + everyMs, () => {
      if (this.#stopped) return;
      onMore();
      this.#poll();
    });
  }

  async #listen(): Promise<void> {
    const { address, channel, self, onMore, onTold } = this.#options;
    let connection: Connection | null = null;
    try {
      connection = await connect(address, { onBroken: () => this.#reconnect() });
      this.#connection = connection;
      connection.client.on("notification", ({ payload = "", channel: on }) => {
        // The position is for earlier versions.
        const [from = "", _position, at, ended] = payload.split(" ");
        if (from === self) return;
        if (on === channel) onMore({ at: timeIn(at), ended: endedIn(ended) });
        else onTold?.(payload.slice(from.length + 1));
      });
      await connection.client.query(`LISTEN "${channel}"`);
      await connection.client.query(`LISTEN "${toldChannel(channel)}"`);
      if (this.#stopped) await connection.client.end();
      // Checks for commits from before the connection was ready.
      else onMore();
    } catch {
      // Closes a connection that cannot LISTEN, as on a standby, before the next attempt.
      await connection?.client.end().catch(() => undefined);
      this.#reconnect();
    }
  }

  #reconnect(): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    this.#cancelConnect();
    this.#cancelConnect = clock.at(clock.now() + RECONNECT_MS, () => this.#listen());
  }
}

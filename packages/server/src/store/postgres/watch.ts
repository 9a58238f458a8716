/**
 * Hears of other servers' commits. A notice is only a hint: whoever hears it reads the log from where it was. So a lost
 * connection loses nothing, and neither does a database that knows no NOTIFY; it is looked at now and then in any case.
 */

import { type Address, type Connection, connect } from "./connect.ts";
import type { LocalClock } from "./database-clock.ts";

/** Without notices, looking is all there is. */
const POLL_MS = 50;
const RECONNECT_MS = 250;

export interface WatchOptions {
  readonly address: Address;
  readonly channel: string;
  /** Whose notices are not news. */
  readonly self: string;
  readonly clock: LocalClock;
  readonly onMore: (upTo?: number) => void;
  /** How often to look for what a cut connection swallowed. */
  readonly lookMs: number;
}

export class Watch {
  readonly #options: WatchOptions;
  #connection: Connection | null = null;
  #stopped = false;
  #cancelLook: () => void = () => undefined;
  #cancelConnect: () => void = () => undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#look();
    if (options.address.notify) void this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelLook();
    this.#cancelConnect();
    await this.#connection?.client.end().catch(() => undefined);
  }

  #look(): void {
    const { clock, onMore, address, lookMs } = this.#options;
    const everyMs = address.notify ? lookMs : POLL_MS;
    this.#cancelLook = clock.at(clock.now() + everyMs, () => {
      if (this.#stopped) return;
      onMore();
      this.#look();
    });
  }

  async #listen(): Promise<void> {
    const { address, channel, self, onMore } = this.#options;
    let connection: Connection | null = null;
    try {
      connection = await connect(address, { onBroken: () => this.#listenAgain() });
      this.#connection = connection;
      connection.client.on("notification", ({ payload = "" }) => {
        const [from, upTo] = payload.split(" ");
        if (from !== self) onMore(upTo === undefined ? undefined : Number(upTo));
      });
      await connection.client.query(`LISTEN "${channel}"`);
      if (this.#stopped) await connection.client.end();
      // What was committed before the connection stood.
      else onMore();
    } catch {
      // One that cannot listen, as on a standby, is not kept beside the next.
      await connection?.client.end().catch(() => undefined);
      this.#listenAgain();
    }
  }

  #listenAgain(): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    this.#cancelConnect();
    this.#cancelConnect = clock.at(clock.now() + RECONNECT_MS, () => this.#listen());
  }
}

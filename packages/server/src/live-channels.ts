/**
 * Channels of one kind that were connected in the console, among the channels that deliveries look up.
 *
 * M1  A channel of the configuration keeps its name.
 * M2  Secrets are opened in memory only. A server that cannot open one says so, and its deliveries are tried again later.
 */

import type { Channel } from "./channels/channel.ts";

export interface MadeChannel<State> {
  /** `null`: this server cannot read its secrets. */
  readonly channel: Channel | null;
  /** What is shown of it. */
  readonly state: State;
}

export class LiveChannels<Row extends { readonly name: string }, State> {
  readonly #channels: Map<string, Channel>;
  readonly #make: (row: Row) => MadeChannel<State>;
  /** What each channel was made from, and what is shown of it. */
  readonly #made = new Map<string, { readonly text: string; readonly state: State }>();

  /** Deliveries look `channels` up. Those of the configuration are in it from the start. */
  constructor(channels: Map<string, Channel>, make: (row: Row) => MadeChannel<State>) {
    this.#channels = channels;
    this.#make = make;
  }

  has(name: string): boolean {
    return this.#made.has(name);
  }

  states(): readonly State[] {
    return [...this.#made.values()].map(({ state }) => state);
  }

  use(rows: readonly Row[]): void {
    for (const name of this.#made.keys())
      if (!rows.some((row) => row.name === name)) {
        this.#made.delete(name);
        this.#channels.delete(name);
      }
    for (const row of rows) {
      const text = JSON.stringify(row);
      if (this.#made.get(row.name)?.text === text) continue;
      const { channel, state } = this.#make(row);
      this.#made.set(row.name, { text, state });
      this.#channels.set(row.name, channel ?? UNREADABLE);
    }
  }
}

export const UNREADABLE_REASON = "secret_key_differs";

const UNREADABLE: Channel = {
  kind: "unreadable",
  deliver: async () => ({ kind: "failed", reason: UNREADABLE_REASON, retry: true }),
};

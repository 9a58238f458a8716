/**
 * Discards cached plans regularly. A session keeps its plans until statistics are collected again, which may be long
 * after a table has grown, and an index choice that was fine for an empty table may be bad for a large one.
 */

import type { ClientBase } from "pg";
import type { LocalClock } from "./database-clock.ts";

export const KEPT_MS = 10_000;

export class FreshPlans {
  readonly #clock: LocalClock;
  readonly #madeSince = new WeakMap<ClientBase, number>();

  constructor(clock: LocalClock) {
    this.#clock = clock;
  }

  /** Discards the plans before the next statement, if they are old. Must be called outside of a transaction. */
  refresh(client: ClientBase): void {
    const now = this.#clock.now();
    const since = this.#madeSince.get(client);
    if (since !== undefined && now - since < KEPT_MS) return;
    this.#madeSince.set(client, now);
    // A database that does not know the statement uses its own planning.
    if (since !== undefined) client.query("DISCARD PLANS").catch(() => undefined);
  }
}

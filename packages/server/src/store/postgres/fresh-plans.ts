/**
 * A session keeps its plans until statistics are taken anew, which may be long after a table has grown. What was as good as
 * anything while it was empty, one index or the other, need not be later: so plans are kept for a moment only.
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

  /** Goes ahead of whatever is asked next, in no transaction. */
  keep(client: ClientBase): void {
    const now = this.#clock.now();
    const since = this.#madeSince.get(client);
    if (since !== undefined && now - since < KEPT_MS) return;
    this.#madeSince.set(client, now);
    // A database that does not know it plans in its own way.
    if (since !== undefined) client.query("DISCARD PLANS").catch(() => undefined);
  }
}

/**
 * Deletes messages that were settled longer ago than the retention time: their results are no longer needed, and their
 * recipients should not be stored longer than necessary. It deletes in small batches, so that other work does not wait.
 */

import type { Store } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";

export interface PrunerOptions {
  readonly store: Pick<Store, "pruneOutbox">;
  readonly clock: Clock;
  /** Asked each time, because admins change it while the server runs. */
  readonly keepMs: () => number;
  readonly onFault?: (fault: unknown) => void;
}

const EVERY_MS = 3_600_000;
const AT_ONCE = 500;

export class Pruner {
  readonly #options: PrunerOptions;
  #cancel: () => void = () => undefined;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: PrunerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  #look(): void {
    this.#running = this.#prune()
      .catch((fault: unknown) => this.#options.onFault?.(fault))
      .finally(() => {
        if (this.#stopped) return;
        const { clock } = this.#options;
        this.#cancel = clock.at(clock.now() + EVERY_MS, () => this.#look());
      });
  }

  async #prune(): Promise<void> {
    const { store, clock, keepMs } = this.#options;
    const before = clock.now() - keepMs();
    while (!this.#stopped && (await store.pruneOutbox(before, AT_ONCE)) === AT_ONCE);
  }
}

/**
 * Limits the backlog of each webhook endpoint. If a receiver is unreachable for so long that more messages wait, the newest
 * are dropped: each becomes `failed` with `backlog_full` in the list of deliveries and can be replayed. The oldest are kept,
 * so that the receiver sees no gap in what it gets. Callbacks and notices are never dropped, because a caller or a person
 * waits for each of them.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Backlog, Store } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";

export interface BacklogLimits {
  /** The most messages that may wait for one endpoint. */
  readonly most: number;
  /** The number of new messages between two checks. The limit is never exceeded by more than this. */
  readonly messagesBetween: number;
  /** The most messages dropped in one turn of the event loop. */
  readonly atOnce: number;
}

const LIMITS: BacklogLimits = { most: 10_000, messagesBetween: 1_000, atOnce: 200 };
/** The most endpoints per check, those with the longest backlog first. */
const ENDPOINTS_MAX = 100;
/** The first check comes sooner, so that a server that restarts often checks too. */
const BEFORE_FIRST = 100;

export interface BacklogKeeperOptions {
  readonly store: Pick<Store, "backlogs" | "dropOutbox">;
  readonly clock: Clock;
  readonly limits?: Partial<BacklogLimits>;
  readonly onDropped?: (count: number) => void;
  readonly onFault?: (fault: unknown) => void;
}

export class BacklogKeeper {
  readonly #options: BacklogKeeperOptions;
  readonly #limits: BacklogLimits;
  #messages: number;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: BacklogKeeperOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#messages = Math.max(0, this.#limits.messagesBetween - BEFORE_FIRST);
  }

  /** Called after each commit with the number of new messages. */
  committed(messages: number): void {
    this.#messages += messages;
    if (this.#messages < this.#limits.messagesBetween || this.#isStopped || this.#running) return;
    this.#messages = 0;
    this.#running = this.#keep()
      .catch((fault: unknown) => this.#options.onFault?.(fault))
      .finally(() => {
        this.#running = null;
        this.committed(0);
      });
  }

  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #keep(): Promise<void> {
    const { most } = this.#limits;
    const found = await this.#options.store.backlogs({ atLeast: most + 1, limit: ENDPOINTS_MAX });
    for (const backlog of found) if (backlog.kind === "webhook") await this.#shorten(backlog);
  }

  async #shorten(backlog: Backlog): Promise<void> {
    const { store, clock, onDropped } = this.#options;
    const { most, atOnce } = this.#limits;
    let left = backlog.waiting - most;
    while (left > 0 && !this.#isStopped) {
      const attempt = { at: clock.now(), ok: false, error: "backlog_full", durationMs: 0 };
      const dropped = await store.dropOutbox(backlog, attempt, Math.min(left, atOnce));
      if (dropped === 0) return;
      left -= dropped;
      onDropped?.(dropped);
      await nextTurn();
    }
  }
}

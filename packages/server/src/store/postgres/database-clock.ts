/**
 * The clock that all servers share: the database's time as last received. It was read a moment ago, so this clock is
 * never ahead: a server that wakes by it finds that the database's own time has come.
 */

/** Smaller corrections of the database's clock are waited out. */
const SLACK_MS = 1_000;

export interface LocalClock {
  now(): number;
  elapsed?(): number;
  at(dueAt: number, wake: () => void | Promise<void>): () => void;
}

export class DatabaseClock implements LocalClock {
  readonly #local: LocalClock;
  #aheadMs = 0;

  constructor(local: LocalClock) {
    this.#local = local;
  }

  /** Sets the database's time, just received. The local clock counts whole milliseconds, so one may be missing. */
  set(now: number): void {
    this.#aheadMs = now - this.#local.now() - 1;
  }

  now(): number {
    return this.#local.now() + this.#aheadMs;
  }

  elapsed(): number {
    return this.#local.elapsed?.() ?? 0;
  }

  at(dueAt: number, wake: () => void | Promise<void>): () => void {
    const arm = (): (() => void) => this.#local.at(dueAt - this.#aheadMs, look);
    // The clock may have been adjusted meanwhile. If it was set back by more, the time to wait has passed all the same.
    const look = () => {
      const leftMs = dueAt - this.now();
      if (leftMs > 0 && leftMs <= SLACK_MS) cancel = arm();
      else void wake();
    };
    let cancel = arm();
    return () => cancel();
  }
}

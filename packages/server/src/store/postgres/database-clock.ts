/**
 * The clock that all servers share: the database's, as last heard of. What is heard was read a moment ago, so this clock is
 * never ahead: whoever wakes by it finds that the database's own has come as far.
 */

export interface LocalClock {
  now(): number;
  at(dueAt: number, wake: () => void | Promise<void>): () => void;
}

export class DatabaseClock implements LocalClock {
  readonly #local: LocalClock;
  #aheadMs = 0;

  constructor(local: LocalClock) {
    this.#local = local;
  }

  /** `now` of the database, just received. The local clock counts whole milliseconds, so one may be missing. */
  hear(now: number): void {
    this.#aheadMs = now - this.#local.now() - 1;
  }

  now(): number {
    return this.#local.now() + this.#aheadMs;
  }

  at(dueAt: number, wake: () => void | Promise<void>): () => void {
    const arm = (): (() => void) => this.#local.at(dueAt - this.#aheadMs, look);
    // The clock may have been set meanwhile.
    const look = () => {
      if (this.now() < dueAt) cancel = arm();
      else void wake();
    };
    let cancel = arm();
    return () => cancel();
  }
}

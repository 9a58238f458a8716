/** Runs work one after another for each key, in the order in which it came, and remembers until when a key must rest. */

export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #restUntil = new Map<string, number>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const running = before.then(work, work);
    this.#last.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === running) this.#last.delete(key);
    }
  }

  /** How long the key still has to rest. */
  restMs(key: string, now: number): number {
    const until = this.#restUntil.get(key) ?? 0;
    if (until > now) return until - now;
    this.#restUntil.delete(key);
    return 0;
  }

  rest(key: string, until: number): void {
    this.#restUntil.set(key, Math.max(until, this.#restUntil.get(key) ?? 0));
  }
}

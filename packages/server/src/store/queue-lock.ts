/**
 * A queue lock: one holder at a time, in order of request. A store with a single writer runs its batches under it
 * (S4).
 */
export class QueueLock {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when every earlier holder has released the lock. The returned function releases it. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

/** One at a time, in the order of asking: how a store with a single writer keeps batches apart (S4). */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when every earlier turn has ended. The function given back ends this one. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}

/** Hands values from one that works to one that reads, no faster than they are read; for nobody, once the reader has left. */

export class Pipe<Value> {
  readonly #left = new AbortController();
  #waiting: { readonly value: Value } | undefined;
  #taken: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #isClosed = false;

  /** Aborts when nobody reads any more. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /** Resolves when the reader has come back for more, or has left. */
  push(value: Value): Promise<void> {
    if (this.left.aborted) return Promise.resolve();
    return new Promise((taken) => {
      this.#waiting = { value };
      this.#taken = taken;
      this.#wake();
    });
  }

  /** There is no more to come. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The reader reads no more; whoever works is not kept waiting. */
  leave(): void {
    this.#left.abort();
    this.#taken();
  }

  async *values(): AsyncGenerator<Value, void, void> {
    for (;;) {
      while (this.#waiting === undefined && !this.#isClosed) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#waiting === undefined) return;
      const { value } = this.#waiting;
      this.#waiting = undefined;
      yield value;
      this.#taken();
    }
  }
}

/** Passes values from a producer to a reader one at a time. The producer waits for the reader, but not once the reader has left. */

export class PacedQueue<Value> {
  readonly #left = new AbortController();
  #waiting: { readonly value: Value } | undefined;
  #taken: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #isClosed = false;

  /** Aborts when the reader leaves. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /** Resolves when the reader asks for the next value, or has left. */
  push(value: Value): Promise<void> {
    if (this.left.aborted) return Promise.resolve();
    return new Promise((taken) => {
      this.#waiting = { value };
      this.#taken = taken;
      this.#wake();
    });
  }

  /** The producer calls this after its last value. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The reader calls this when it stops; the producer no longer waits for it. */
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

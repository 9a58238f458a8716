/** Hands values from one that works to one that reads, no faster than they are read. */

export class Pipe<Value> {
  #waiting: { readonly value: Value; readonly taken: () => void } | undefined;
  #wake: () => void = () => undefined;
  #isClosed = false;

  /** Resolves when the reader has come back for more. */
  push(value: Value): Promise<void> {
    return new Promise((taken) => {
      this.#waiting = { value, taken };
      this.#wake();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *values(): AsyncGenerator<Value, void, void> {
    for (;;) {
      while (this.#waiting === undefined && !this.#isClosed) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#waiting === undefined) return;
      const { value, taken } = this.#waiting;
      this.#waiting = undefined;
      yield value;
      taken();
    }
  }
}

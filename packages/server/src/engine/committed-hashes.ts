/**
 * Hashes of events as they were committed, so that a checkpoint of a busy server need not read its log again. Only an
 * unbroken run of positions counts: who has heard them all has missed nothing, whatever other servers commit.
 */

import type { StoredEvent } from "../kernel/record.ts";

/** Far more than lie between two checkpoints, unless making them fails; then the log is read after all. */
const HASHES_MAX = 20_000;

export class HeardHashes {
  /** Position of the first hash; the others follow it one by one. */
  #first = 1;
  #hashes: string[] = [];

  hear(events: readonly Pick<StoredEvent, "position" | "hash">[]): void {
    for (const { position, hash } of events) {
      const isNext = position === this.#first + this.#hashes.length;
      if (!isNext || this.#hashes.length === HASHES_MAX) {
        this.#first = position;
        this.#hashes = [];
      }
      this.#hashes.push(hash);
    }
  }

  /** All that come after this position; `undefined` when one of them, or any at all, was not heard. */
  after(position: number): readonly string[] | undefined {
    if (position + 1 < this.#first) return undefined;
    const hashes = this.#hashes.slice(position + 1 - this.#first);
    return hashes.length === 0 ? undefined : hashes;
  }

  forgetUpTo(position: number): void {
    const count = Math.min(this.#hashes.length, position + 1 - this.#first);
    if (count <= 0) return;
    this.#hashes = this.#hashes.slice(count);
    this.#first += count;
  }
}

/**
 * Keeps the hashes of events as they are committed, so that a busy server's checkpoints need not read the log again.
 * Only a run of positions without gaps is used: it cannot miss events that other servers committed.
 */

import type { StoredEvent } from "../kernel/record.ts";

/** Far more events than between two checkpoints. If checkpoints fail for so long, the log is read instead. */
const HASHES_MAX = 20_000;

export class CommittedHashes {
  /** Position of the first hash; the others have the positions after it. */
  #first = 1;
  #hashes: string[] = [];

  add(events: readonly Pick<StoredEvent, "position" | "hash">[]): void {
    for (const { position, hash } of events) {
      const isNext = position === this.#first + this.#hashes.length;
      if (!isNext || this.#hashes.length === HASHES_MAX) {
        this.#first = position;
        this.#hashes = [];
      }
      this.#hashes.push(hash);
    }
  }

  /** All hashes after this position; `undefined` if one of them is missing or there are none. */
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

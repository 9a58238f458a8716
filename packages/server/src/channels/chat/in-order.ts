/** Runs work one after another for each key, in the order in which it came, and remembers until when a key must rest. */

export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #restUntil = new Map<string, number>();
  readonly #back = new Map<string, Map<string, Placed & { readonly until: number }>>();

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

  /** A message that was put back: later ones of its key wait for it, for as long as somebody may still send it. */
  putBack(key: string, message: Placed, until: number): void {
    const back = this.#back.get(key) ?? new Map<string, Placed & { readonly until: number }>();
    this.#back.set(key, back.set(message.id, { ...message, until: until + GRACE_MS }));
  }

  isDone(key: string, { id }: Placed): void {
    const back = this.#back.get(key);
    back?.delete(id);
    if (back?.size === 0) this.#back.delete(key);
  }

  /** When the earlier messages of the key that were put back are due; `undefined`: none is still to be sent. */
  turnAt(key: string, message: Placed, now: number): number | undefined {
    let last: number | undefined;
    for (const other of this.#back.get(key)?.values() ?? []) {
      if (other.until <= now) this.isDone(key, other);
      else if (isEarlier(other, message)) last = Math.max(last ?? 0, other.until - GRACE_MS);
    }
    return last;
  }
}

export interface Placed {
  readonly id: string;
  readonly createdAt: number;
  readonly holdId: string | null;
}

/** Another server may have taken the message that was put back; then this one does not hear of its end. */
const GRACE_MS = 30_000;

/** Ids of holds grow with time, so they order what was made in one millisecond. */
function isEarlier(one: Placed, other: Placed): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return (one.holdId ?? "") < (other.holdId ?? "");
}

/** Counts who is under way to where, so that one slow receiver cannot take every slot. */
export class Lanes {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns how to leave, or null when the lane is full. */
  enter(lane: string): (() => void) | null {
    const taken = this.#taken.get(lane) ?? 0;
    if (taken >= this.#most) return null;
    this.#taken.set(lane, taken + 1);
    return () => this.#leave(lane);
  }

  #leave(lane: string): void {
    const left = (this.#taken.get(lane) ?? 0) - 1;
    if (left > 0) this.#taken.set(lane, left);
    else this.#taken.delete(lane);
  }
}

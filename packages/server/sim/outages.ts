/** When no server could do what was due, in simulated time. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

export class Outages {
  #spans: Span[] = [];

  get spans(): readonly Span[] {
    return this.#spans;
  }

  /** A server died. The others find what it left within `foundMs`; nobody does if there are none. */
  died(now: number, foundMs: number): void {
    this.#spans.push({ from: now, to: now + foundMs });
  }

  /** A server started, which does whatever is due. */
  started(now: number): void {
    this.#spans = this.#spans.map(({ from, to }) => ({ from, to: Math.min(to, Math.max(from, now)) }));
  }

  /** A server could neither read nor write. */
  cut(now: number, ms: number): void {
    this.#spans.push({ from: now, to: now + ms });
  }
}

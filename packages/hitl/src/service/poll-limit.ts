/** How often a case may be asked about. Counted in this process: a service of several gives each its own budget. */

import type { Runtime } from "@holdpoint/protocol/http";
import { REQUESTS_PER_MINUTE } from "./declaration.ts";

const WINDOW_MS = 60_000;
/** Cases remembered at once; with more than this only the oldest are forgotten. */
const CASES_MAX = 10_000;

export interface Spent {
  readonly remaining: number;
  /** Only when there was nothing left to spend. */
  readonly retryAfterMs?: number;
}

export class PollLimit {
  readonly #clock: Pick<Runtime, "now">;
  readonly #windows = new Map<string, { readonly endsAt: number; spent: number }>();

  constructor(clock: Pick<Runtime, "now">) {
    this.#clock = clock;
  }

  spend(caseId: string): Spent {
    const window = this.#window(caseId);
    if (window.spent >= REQUESTS_PER_MINUTE)
      return { remaining: 0, retryAfterMs: window.endsAt - this.#clock.now() };
    window.spent += 1;
    return { remaining: REQUESTS_PER_MINUTE - window.spent };
  }

  #window(caseId: string) {
    const now = this.#clock.now();
    const known = this.#windows.get(caseId);
    if (known !== undefined && known.endsAt > now) return known;
    this.#windows.delete(caseId);
    const fresh = { endsAt: now + WINDOW_MS, spent: 0 };
    this.#windows.set(caseId, fresh);
    const oldest = this.#windows.keys().next().value;
    if (this.#windows.size > CASES_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return fresh;
  }
}

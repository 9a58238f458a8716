/** Time as the agent sees it, so that tests can drive it. */

import { pause, type Runtime } from "@holdpoint/protocol/http";

export type Clock = Pick<Runtime, "now" | "after">;

/** A sleep that can be cut short from outside. A wake that comes before the sleep is not lost. */
export class Alarm {
  readonly #clock: Clock;
  #ringing = false;
  #waker: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#ringing = true;
    this.#waker?.abort();
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#ringing && ms > 0) {
      const waker = new AbortController();
      this.#waker = waker;
      const either = signal === undefined ? waker.signal : AbortSignal.any([waker.signal, signal]);
      try {
        await pause(this.#clock, ms, either);
      } catch (cause) {
        if (!waker.signal.aborted) throw cause;
      } finally {
        this.#waker = undefined;
      }
    }
    signal?.throwIfAborted();
    this.#ringing = false;
  }
}

/** Time as the agent sees it, so that tests can drive it. */

export interface Clock {
  now(): number;
  /** Resolves after so long; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Longer delays overflow the timers of every runtime and would fire at once. */
const SLEEP_MAX_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(
        () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
        Math.min(Math.max(ms, 0), SLEEP_MAX_MS),
      );
      signal.addEventListener("abort", stop, { once: true });
    }),
};

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
        await this.#clock.sleep(ms, either);
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

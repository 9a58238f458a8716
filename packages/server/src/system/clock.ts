/**
 * Time as a port: everything that waits or stamps asks a `Clock`, so that tests and simulations can own it (G3).
 *
 * C1  `wake` is called at most once, never before `now() >= dueAt`, never from inside `at` itself.
 * C2  After `cancel` it is not called any more; cancelling twice, or after the call, does nothing.
 * C3  One call to `at` holds at most one timer of the operating system, however far away `dueAt` is.
 */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `wake` once `dueAt` is reached; a time already past means as soon as possible. Returns how to cancel. */
  at(dueAt: number, wake: () => void | Promise<void>): () => void;
}

/**
 * Long waits are cut into pieces. Node turns delays above 2^31-1 ms into 1 ms, and its timers neither see the wall clock
 * being set nor a machine that slept; looking again every minute bounds how late such a wake can be.
 */
const PIECE_MS = 60_000;

/** What the system clock stands on; tests hand in their own. */
export interface ClockSource {
  readonly now: () => number;
  readonly setTimer: (run: () => void, delayMs: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
}

const operatingSystem: ClockSource = {
  now: () => Date.now(),
  setTimer: (run, delayMs) => setTimeout(run, delayMs),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

export function clockOver(source: ClockSource): Clock {
  return {
    now: source.now,
    at(dueAt, wake) {
      if (Number.isNaN(dueAt)) throw new TypeError("a wake needs a time");
      let timer: unknown = arm();

      function arm(): unknown {
        const delayMs = Math.ceil(dueAt - source.now());
        return source.setTimer(look, Math.max(0, Math.min(delayMs, PIECE_MS)));
      }
      function look(): void {
        // A timer may fire a millisecond early by the wall clock, and a piece is rarely the whole wait.
        if (source.now() < dueAt) timer = arm();
        else void wake();
      }
      return () => source.clearTimer(timer);
    },
  };
}

export const systemClock: Clock = clockOver(operatingSystem);

/**
 * Time as a port: everything that waits or records a time uses a `Clock`, so that tests and simulations control it (G3).
 *
 * C1  `wake` is called at most once, never before `now() >= dueAt`, and never from inside `at`. If the clock was set back
 *     meanwhile, it is called when as much time has passed as there was to wait: an alarm must not be late by the hour that somebody
 *     set the clock back.
 * C2  After `cancel` it is not called. Cancelling twice, or after the call, does nothing.
 * C3  One call of `at` holds at most one operating system timer, however far away `dueAt` is.
 */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some moment, by a counter that setting the clock does not change. Absent: there is none. */
  elapsed?(): number;
  /** Calls `wake` once `dueAt` is reached; for a past time, as soon as possible. Returns a function that cancels. */
  at(dueAt: number, wake: () => void | Promise<void>): () => void;
}

/**
 * Long waits are split into pieces. Node turns delays above 2^31-1 ms into 1 ms, and its timers notice neither a changed wall
 * clock nor a machine that slept. Checking every minute limits how late such a wake can be.
 */
const PIECE_MS = 60_000;
/** Where the clock and the counter differ by more, the clock was set; less is a correction or an early timer, and is waited out. */
const SLACK_MS = 1_000;

/** What the system clock is built on; tests pass in a fake. */
export interface ClockSource {
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly setTimer: (run: () => void, delayMs: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
}

const operatingSystem: ClockSource = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer: (run, delayMs) => setTimeout(run, delayMs),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

export function clockOver(source: ClockSource): Clock {
  return {
    now: source.now,
    elapsed: source.elapsed,
    at(dueAt, wake) {
      if (Number.isNaN(dueAt)) throw new TypeError("dueAt must be a number, not NaN");
      /** How far the clock was set back since `at` was called. */
      let behindMs = 0;
      /** How far the clock was ahead of the counter when the present piece began. */
      let aheadMs = 0;
      let timer: unknown = arm();

      function arm(): unknown {
        const now = source.now();
        aheadMs = now - source.elapsed();
        const delayMs = Math.ceil(dueAt - behindMs - now);
        return source.setTimer(look, Math.max(0, Math.min(delayMs, PIECE_MS)));
      }
      function look(): void {
        const now = source.now();
        const setBackMs = aheadMs - (now - source.elapsed());
        if (Math.abs(setBackMs) > SLACK_MS) behindMs = Math.max(0, behindMs + setBackMs);
        // A timer may fire a millisecond early by the wall clock, and a piece is rarely the whole wait.
        if (now < dueAt - behindMs) timer = arm();
        else void wake();
      }
      return () => source.clearTimer(timer);
    },
  };
}

export const systemClock: Clock = clockOver(operatingSystem);

/** Never runs backwards, whatever happens to the wall clock; its times mean nothing outside this process. */
export const monotonicClock: Clock = clockOver({ ...operatingSystem, now: () => performance.now() });

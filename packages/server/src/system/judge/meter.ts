/** Counts the steps of work on a client's input and stops it at a limit. Steps, unlike time, are the same on every machine. */

class TooMuchWork extends Error {
  override name = "TooMuchWork";
}

export interface Meter {
  /** Call this before doing that much work. */
  spend(steps: number): void;
  /** The result of `work`, or `null` if it needed too many steps or too much stack. */
  run<T>(work: () => T): T | null;
}

export function createMeter(stepsMax: number): Meter {
  let left = 0;
  return {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new TooMuchWork();
    },
    run(work) {
      left = stepsMax;
      try {
        return work();
      } catch (error) {
        if (error instanceof TooMuchWork || error instanceof RangeError) return null;
        throw error;
      }
    },
  };
}

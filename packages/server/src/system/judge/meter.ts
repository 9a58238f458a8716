/** Work done on a stranger's behalf, counted in steps and stopped when there are too many. Steps, unlike time, are the same on every machine. */

class TooMuchWork extends Error {
  override name = "TooMuchWork";
}

export interface Meter {
  /** Call before doing that much work. */
  spend(steps: number): void;
  /** What `work` returns, or null when it wanted more steps, or more stack, than there are. */
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

/** Lets a few through at a time, in the order they came. */

export interface Turns {
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function turns(max: number): Turns {
  let busy = 0;
  const queue: (() => void)[] = [];
  return {
    async take(work) {
      if (busy >= max) await new Promise<void>((resolve) => queue.push(resolve));
      else busy += 1;
      try {
        return await work();
      } finally {
        // The place goes straight to the next in the queue, so that nobody can slip in between.
        const next = queue.shift();
        if (next === undefined) busy -= 1;
        else next();
      }
    },
  };
}

/** Waits for the long rows that follow a change in small batches, each a commit of its own. */

import type { Clock } from "../../system/clock.ts";

/** Clients give up on a request not much later, and would repeat a change that was made. */
const WAIT_MS = 10_000;

interface Followed {
  readonly body: { readonly behind?: unknown };
}

/**
 * The entity when everything has followed its change, or after ten seconds, or when `step` finds that the server stops: a timer goes
 * on with the rest. `step` runs one batch.
 */
export async function followUp<E extends Followed>(
  changed: E,
  clock: Pick<Clock, "now">,
  step: () => Promise<E | undefined>,
): Promise<E> {
  const until = clock.now() + WAIT_MS;
  let last = changed;
  while (last.body.behind !== undefined && clock.now() < until) {
    const next = await step();
    if (next === undefined) return last;
    last = next;
  }
  return last;
}

/**
 * Turns of the event loop for long work (G13). All callbacks of `setImmediate` that wait when a turn begins run in that same turn, so
 * many requests that each wait for "the next turn" would go on together, and pause the server for as long as all of them take.
 */

import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

/** Await this before each long step of a request: of all that wait for it, one goes on in each turn, in the order of their calls. */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}

/** Takes each step of a long work in a turn of its own. */
export async function inOwnTurns<Value>(steps: Generator<unknown, Value>): Promise<Value> {
  for (;;) {
    await ownTurn();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

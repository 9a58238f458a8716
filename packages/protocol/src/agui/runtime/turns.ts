/** What is long is worked on in several turns of the event loop, so that others are served in between (G13). */

const LONG_TEXT = 64 * 1024;

/** A runtime without it cannot be asked for a turn in any way that costs no time. */
const inNextTurn: (resume: () => void) => void = globalThis.setImmediate ?? queueMicrotask;

/** To be awaited between two pieces of work on a text of this length. */
export async function afterLong(length: number): Promise<void> {
  if (length > LONG_TEXT) await new Promise<void>((resolve) => inNextTurn(resolve));
}

/**
 * Keeps the code that V8 has compiled while a server waits for holds. After some seconds without work, V8 runs a collection that
 * reduces memory as far as it can: it also drops the shapes of objects that nobody holds at that moment, and with them the
 * optimised code and the caches that were made for these shapes. The next requests took twice the processor time, for seconds.
 */

import { setFlagsFromString } from "node:v8";

/** A server that nobody used for this long gives the memory back. */
const IDLE_MS = 600_000;

export function keepCompiledCode(): void {
  // V8 reads both whenever it plans such a collection, so they count for a running program.
  setFlagsFromString(`--memory-reducer-delay-ms=${IDLE_MS}`);
  setFlagsFromString(`--gc-memory-reducer-start-delay-ms=${IDLE_MS}`);
}

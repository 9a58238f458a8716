/** What the client takes from the machine it runs on. Tests hand in their own. */

export interface Runtime {
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `wake` once, after `ms`; what it returns takes that back. */
  after(ms: number, wake: () => void): () => void;
  /** At least 0, below 1. */
  random(): number;
  /** A key that nobody else makes. */
  newKey(): string;
}

/** Longer delays than this fire at once in every JavaScript engine, so they are waited for in pieces. */
const TIMER_MAX_MS = 2_000_000_000;

const systemRuntime: Runtime = {
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => Date.now(),
  random: () => Math.random(),
  after,
  newKey() {
    // Not randomUUID: browsers have it on https pages only.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return `auto-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  },
};

/** The machine's own where nothing is given. Called as methods, so that what is given may be a class. */
export function runtimeOver(given: Partial<Runtime> = {}): Runtime {
  return {
    fetch: (input, init) =>
      (given.fetch === undefined ? systemRuntime : (given as Runtime)).fetch(input, init),
    now: () => (given.now === undefined ? systemRuntime : (given as Runtime)).now(),
    after: (ms, wake) => (given.after === undefined ? systemRuntime : (given as Runtime)).after(ms, wake),
    random: () => (given.random === undefined ? systemRuntime : (given as Runtime)).random(),
    newKey: () => (given.newKey === undefined ? systemRuntime : (given as Runtime)).newKey(),
  };
}

function after(ms: number, wake: () => void): () => void {
  const piece = Math.min(ms, TIMER_MAX_MS);
  let takeBack = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    if (piece === ms) wake();
    else takeBack = after(ms - piece, wake);
  }, piece);
  return () => takeBack();
}

/** Waits; rejects with the signal's reason as soon as it aborts. */
export function pause(runtime: Pick<Runtime, "after">, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      takeBack();
      reject(signal?.reason);
    };
    const takeBack = runtime.after(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

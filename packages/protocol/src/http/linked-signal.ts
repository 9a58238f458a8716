/** A signal that follows another one and can be ended on its own, leaving no listener behind. */

export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Stops following. Called whatever happened, or the parent keeps a listener for each call ever made. */
  release(): void;
}

export function linked(parent: AbortSignal | undefined): LinkedSignal {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  parent?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent?.removeEventListener("abort", follow),
  };
}

/** The promise, or the signal's reason if it aborts first. The promise is heard in any case: it may fail later. */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

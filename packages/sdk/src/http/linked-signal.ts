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

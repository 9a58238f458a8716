/** Reads again whenever something has changed: at first, each time the stream opens, and for each event. */

import type { FollowOptions, HoldEvent } from "@holdpoint/protocol/client";
import type { PageClient } from "./browser-client.ts";

export interface Watching {
  readonly holdIds?: readonly string[];
  /** Everything may have changed. */
  readonly onOpen: (signal: AbortSignal) => Promise<void>;
  readonly onEvent: (event: HoldEvent, signal: AbortSignal) => Promise<void>;
  /** It does not work, and trying again is useless: the token is refused, for example. */
  readonly onTrouble: (error: unknown) => void;
}

/** Returns a function that ends it. */
export function watch(client: PageClient, { holdIds, onOpen, onEvent, onTrouble }: Watching): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const told = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      if (!signal.aborted) onTrouble(error);
    });
  const options: FollowOptions = {
    signal,
    ...(holdIds === undefined ? {} : { holdIds }),
    onOpen: () => void told(onOpen(signal)),
  };
  async function follow(): Promise<void> {
    for await (const event of client.follow(options)) void told(onEvent(event, signal));
  }
  // Not only when the stream is open: where streams do not work, the page still shows what there is.
  void told(onOpen(signal));
  void told(follow());
  return () => stop.abort();
}

export function wordsOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : "The server cannot be reached.";
}

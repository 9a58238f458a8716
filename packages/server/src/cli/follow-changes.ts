/** Follows the event stream and reports every change of the list of open holds, until the signal aborts. */

import type { HoldClient } from "@holdpoint/protocol/client";

const TYPES = ["hold.placed", "hold.decided", "hold.expired", "hold.cancelled"];

export interface Following {
  readonly signal: AbortSignal;
  /** Called at every change. If it rejects, the list is read again at the next change. */
  changed(): Promise<void>;
  /** The stream ended and no more changes will be reported, for example because the key was revoked. */
  lost(why: string): void;
}

/** Never rejects: the caller does not await it, and a person can still refresh the list. */
export async function followChanges(hp: Pick<HoldClient, "follow">, following: Following): Promise<void> {
  const { signal } = following;
  try {
    for await (const _event of hp.follow({ signal, types: TYPES })) {
      await following.changed().catch(() => undefined);
    }
  } catch (fault) {
    if (!signal.aborted) following.lost((fault as Error).message);
  }
}

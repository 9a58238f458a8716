/** Tells of every change of the list of open holds, for as long as anybody looks at it. */

import type { Holdpoint } from "@holdpoint/sdk";

const TYPES = ["hold.placed", "hold.decided", "hold.expired", "hold.cancelled"];

export interface Following {
  readonly signal: AbortSignal;
  /** A list that cannot be read now is read again at the next change. */
  changed(): Promise<void>;
  /** Nothing more will be told: the key was taken away, say. */
  lost(why: string): void;
}

/** Never rejects: nobody waits for it, and who looks at the list can still ask for it. */
export async function followChanges(hp: Pick<Holdpoint, "follow">, following: Following): Promise<void> {
  const { signal } = following;
  try {
    for await (const _event of hp.follow({ signal, types: TYPES })) {
      await following.changed().catch(() => undefined);
    }
  } catch (fault) {
    if (!signal.aborted) following.lost((fault as Error).message);
  }
}

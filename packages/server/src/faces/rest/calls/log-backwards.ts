/** Reads the log of a workspace from its end, a window at a time, up to a bound. */

import type { StoredEvent } from "../../../kernel/record.ts";
import type { Store } from "../../../store/port.ts";

const WINDOW = 1_000;
/** How far one request goes back. */
export const READ_MAX = 10_000;

/** Yields the events before `before`, newest first, with the position that the windows have come to. */
export async function* backwards(
  store: Pick<Store, "events">,
  workspace: string,
  before: number,
): AsyncGenerator<{ readonly events: readonly StoredEvent[]; readonly from: number }> {
  const end = Math.max(0, before - 1 - READ_MAX);
  for (let upTo = before - 1; upTo > end; ) {
    const after = Math.max(end, upTo - WINDOW);
    const events = await store.events({ workspace, after, upTo, limit: WINDOW });
    yield { events: events.toReversed(), from: after + 1 };
    upTo = after;
  }
}

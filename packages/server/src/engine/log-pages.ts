/** Reads the log page by page, each page in a turn of its own, because events may be long (G13). */

import type { StoredEvent } from "../kernel/record.ts";
import { mayGoOn } from "../store/event-pages.ts";
import type { EventQuery, Reader } from "../store/port.ts";
import { ownTurn } from "../system/own-turn.ts";

const EVENTS_A_PAGE = 500;

type Page = readonly StoredEvent[];
type Log = Pick<Reader, "events">;

/** Where a caller who got this page goes on; `undefined`: nothing follows it. */
export function nextAfter(page: Page, limit: number): number | undefined {
  return mayGoOn(page, limit) ? page.at(-1)?.position : undefined;
}

/** All events that the query asks for, in order, each page in a turn of its own. */
export async function* pagesOf(log: Log, query: EventQuery): AsyncGenerator<Page> {
  let [after, left] = [query.after, query.limit];
  while (left > 0) {
    const limit = Math.min(left, EVENTS_A_PAGE);
    const page = await log.events({ ...query, after, limit });
    if (page.length > 0) yield page;
    if (!mayGoOn(page, limit)) return;
    after = page.at(-1)?.position ?? after;
    left -= page.length;
    await ownTurn();
  }
}

export interface Stretch {
  /** The places after this one, up to and including the other. */
  readonly after: number;
  readonly upTo: number;
}

/** Events in their order, and the place after which they begin. */
export interface EventWindow {
  readonly events: Page;
  readonly after: number;
}

/**
 * The newest places first, at most `most` at once, and fewer where events are long. `read` returns the events of a stretch, at most
 * as many as it is asked for.
 */
export async function* windowsBack(
  { after: first, upTo: last }: Stretch,
  most: number,
  read: (stretch: Stretch, limit: number) => Promise<Page>,
): AsyncGenerator<EventWindow> {
  let size = most;
  for (let upTo = last; upTo > first; ) {
    const after = Math.max(first, upTo - size);
    const limit = upTo - after + 1;
    const events = await read({ after, upTo }, limit);
    if (upTo - after > 1 && mayGoOn(events, limit)) {
      size = Math.max(1, Math.min(events.length, Math.floor((upTo - after) / 2)));
    } else {
      yield { events, after };
      upTo = after;
      size = Math.min(most, size * 2);
    }
    await ownTurn();
  }
}

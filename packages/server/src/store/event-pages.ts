/**
 * Pages of the log. An agent chooses how long its events are, up to the limit of a body, so a page ends where its events are long, and
 * the next one is read in another turn of the event loop (G13). A page always has one event if there is one.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredEvent } from "../kernel/record.ts";
import type { EventQuery, Reader } from "./port.ts";

/** A page ends after the event with which its content has as many characters, or bytes where the database counts them. */
export const PAGE_LENGTH = 1024 * 1024;
/** No character has more bytes, so a page of fewer characters than `PAGE_LENGTH` divided by this was not cut by either measure. */
const BYTES_MAX = 4;
const EVENTS_A_PAGE = 500;

type Page = readonly StoredEvent[];
type Log = Pick<Reader, "events">;

/** The events up to and including the one with which they are long enough for a page. */
export function cutPage<Event extends Pick<StoredEvent, "data">>(events: Iterable<Event>): readonly Event[] {
  const page: Event[] = [];
  let length = 0;
  for (const event of events) {
    page.push(event);
    length += event.data.length;
    if (length >= PAGE_LENGTH) break;
  }
  return page;
}

/** Whether the log may have more events for a query that returned this page. */
export function mayGoOn(page: Page, limit: number): boolean {
  return page.length >= limit || lengthOf(page) * BYTES_MAX >= PAGE_LENGTH;
}

function lengthOf(page: Page): number {
  return page.reduce((sum, { data }) => sum + data.length, 0);
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
    await nextTurn();
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
    await nextTurn();
  }
}

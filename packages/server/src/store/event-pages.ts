/**
 * Pages of the log. An agent chooses how long its events are, up to the limit of a body, so a page ends where its events are long, and
 * `engine/log-pages.ts` reads the next one in another turn of the event loop (G13). A page always has one event if there is one.
 */

import type { StoredEvent } from "../kernel/record.ts";

/** A page ends after the event with which its content has as many characters, or bytes where the database counts them. */
export const PAGE_LENGTH = 1024 * 1024;
/** No character has more bytes, so a page of fewer characters than `PAGE_LENGTH` divided by this was not cut by either measure. */
const BYTES_MAX = 4;

type Page = readonly StoredEvent[];

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

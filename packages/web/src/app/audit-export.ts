/** What the audit page exports: the entries that fit its filters, and the whole log, which other programs can verify. */

import type { ActivityOut, EventListOut } from "@holdpoint/protocol";
import type { HoldEvent } from "@holdpoint/protocol/client";
import { dayStart } from "./activity/days.ts";
import type { Narrowed } from "./activity/narrow.tsx";
import { type Activity, sentenceOf } from "./activity/sentence.ts";
import { addressOf } from "./address.ts";
import { type Api, eventOf } from "./api.ts";
import type { Column } from "./export.ts";

const PAGE = 200;

export const LOG_COLUMNS: readonly Column<HoldEvent>[] = [
  ["position", (event) => String(event.position)],
  ["at", (event) => event.at],
  ["type", (event) => event.type],
  ["stream", (event) => event.stream],
  ["seq", (event) => String(event.seq)],
  ["actor", (event) => event.actor],
  ["data", (event) => JSON.stringify(event.data)],
  ["previous", (event) => event.previous],
  ["hash", (event) => event.hash],
];

/** As the page tells them; `nameOf` knows people by their ids. */
export function entryColumns(nameOf: (id: string) => string): readonly Column<Activity>[] {
  return [
    ["position", (entry) => String(entry.position)],
    ["at", (entry) => entry.at],
    ["what", (entry) => sentenceOf(entry, false, nameOf)],
    ["type", (entry) => entry.type],
    ["stream", (entry) => entry.stream],
    ["actor", (entry) => entry.actor],
    ["who", (entry) => entry.who ?? ""],
    ["data", (entry) => JSON.stringify(entry.data)],
    ["hash", (entry) => entry.hash],
  ];
}

/** What is asked of the server; days are the reader's own. */
export function activityPath(narrowed: Narrowed, before: string, limit: number): string {
  const { person, agent, tool, ending, door, from, until } = narrowed;
  const asked = {
    ...{ person, agent, tool, ending, door, before },
    from: from === "" ? undefined : dayStart(from),
    until: until === "" ? undefined : dayStart(until, 1),
  };
  return addressOf("/v1/activity", { ...asked, limit: String(limit) });
}

/** All entries that fit the filters, newest first. A page may be empty though there are more. */
export async function* entryPages(
  api: Pick<Api, "get">,
  narrowed: Narrowed,
): AsyncGenerator<readonly Activity[]> {
  for (let before: string | undefined = ""; before !== undefined; ) {
    const page: ActivityOut = await api.get<ActivityOut>(activityPath(narrowed, before, PAGE));
    yield page.activities;
    before = page.next_before === undefined ? undefined : String(page.next_before);
  }
}

/** The whole log, oldest first. */
export async function* logPages(api: Pick<Api, "get">): AsyncGenerator<readonly HoldEvent[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: EventListOut = await api.get<EventListOut>(`/v1/log?after=${after}&limit=${PAGE}`);
    yield page.events.map(eventOf);
    after = page.next_after;
  }
}

/** The log of one hold, and the stream of everything. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { EventListOut, EventOut } from "../wire/event.ts";
import { EventsQuery, HoldEventsQuery } from "../wire/query.ts";
import { FIND, IdParams, READ } from "./shared.ts";

export const holdEvents = defineOperation({
  id: "holdEvents",
  method: "GET",
  path: "/v1/holds/{id}/events",
  tag: "events",
  summary: "The hold's log, oldest first",
  security: "key",
  params: IdParams,
  query: HoldEventsQuery,
  replies: { 200: EventListOut },
  errors: [...READ, "invalid_query"],
});

export const streamEvents = defineOperation({
  id: "streamEvents",
  method: "GET",
  path: "/v1/events",
  tag: "events",
  summary: "Follow events as they are committed (server-sent events)",
  description:
    "Each frame has the event's position as `id:`, its type as `event:` and an EventOut as `data:`. The stream opens with a " +
    "frame that has an `id:` (where it starts) and no data, and says something at least every 15 seconds, if only a " +
    "comment. After a lost connection send the last `id` as `Last-Event-ID`: nothing is left out and nothing comes twice.",
  security: "key",
  browser: true,
  query: EventsQuery,
  headers: z.strictObject({
    accept: z.string().exactOptional().describe("Must allow `text/event-stream`."),
    "last-event-id": z
      .string()
      .exactOptional()
      .describe("Position of the last frame seen; goes on after it."),
  }),
  replies: { 200: EventOut },
  media: "text/event-stream",
  errors: [...FIND, "not_acceptable"],
});

/** Summaries for operators. */

import { defineOperation } from "../operation.ts";
import { ActivityOut, OverviewOut } from "../wire/overview.ts";
import { ActivityQuery, OverviewQuery } from "../wire/query.ts";
import { FIND } from "./shared.ts";

export const overview = defineOperation({
  id: "overview",
  method: "GET",
  path: "/v1/overview",
  tag: "desk",
  summary: "What waits and for whom, what ends soon, what reached nobody, what stalled, and what ended",
  security: "key",
  query: OverviewQuery,
  replies: { 200: OverviewOut },
  errors: [...FIND, "not_allowed"],
});

export const activity = defineOperation({
  id: "activity",
  method: "GET",
  path: "/v1/activity",
  tag: "events",
  summary: "What happened, newest first, with names and with the hold that each event is about",
  description:
    "Filters are applied to a bounded part of the log a request, so a page may be short or empty and still have `next_before`. One request reads at most 10,000 events and returns at most `limit`; `next_before` leads through all of them.",
  security: "key",
  query: ActivityQuery,
  replies: { 200: ActivityOut },
  errors: [...FIND, "not_allowed"],
});

/** Skips: that nobody was asked, on record. */

import { defineOperation } from "../operation.ts";
import { PageQuery } from "../wire/query.ts";
import { SkipIn, SkipListOut, SkipOut } from "../wire/skip.ts";
import { BODY, FIND, MANAGE } from "./shared.ts";

export const recordSkip = defineOperation({
  id: "recordSkip",
  method: "POST",
  path: "/v1/skips",
  tag: "skips",
  summary: "Record that work goes on without a person because its request chose so",
  description: "Nothing is placed and nobody is told. It is in the log as `skip.recorded`.",
  security: "key",
  body: SkipIn,
  replies: { 201: SkipOut },
  errors: [...MANAGE, ...BODY],
});

export const listSkips = defineOperation({
  id: "listSkips",
  method: "GET",
  path: "/v1/skips",
  tag: "skips",
  summary: "What went on without a person, newest first",
  security: "key",
  query: PageQuery,
  replies: { 200: SkipListOut },
  errors: [...FIND, "not_allowed", "invalid_cursor"],
});

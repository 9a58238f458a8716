/** Working through what waits: assign, comment, give more time, put off, count. */

import { defineOperation } from "../operation.ts";
import { AssignIn, CommentIn, CountOut, ExtendIn, LookersOut, SnoozeIn } from "../wire/desk.ts";
import { HoldOut } from "../wire/hold.ts";
import { CountQuery } from "../wire/query.ts";
import { ACT, BODY, FIND, IdempotencyHeaders, IdParams } from "./shared.ts";

const OPEN = ["already_settled", "hold_expired"] as const;

export const assignHold = defineOperation({
  id: "assignHold",
  method: "POST",
  path: "/v1/holds/{id}/assign",
  tag: "desk",
  summary: "Say who takes care of an open hold; the person who is handed one is notified",
  security: "key",
  params: IdParams,
  body: AssignIn,
  replies: { 200: HoldOut },
  errors: [...ACT, ...BODY, ...OPEN, "unknown_person"],
});

export const commentHold = defineOperation({
  id: "commentHold",
  method: "POST",
  path: "/v1/holds/{id}/comments",
  tag: "desk",
  summary: "Write a comment, or ask back: the asker is told once, by its callback, webhooks and events",
  security: "key",
  params: IdParams,
  headers: IdempotencyHeaders,
  body: CommentIn,
  replies: { 201: HoldOut },
  errors: [...ACT, ...BODY, ...OPEN, "invalid_query", "too_many_comments"],
});

export const extendHold = defineOperation({
  id: "extendHold",
  method: "POST",
  path: "/v1/holds/{id}/extend",
  tag: "desk",
  summary: "Give people more time: move the expiry of an open hold",
  security: "key",
  params: IdParams,
  body: ExtendIn,
  replies: { 200: HoldOut },
  errors: [...ACT, ...BODY, ...OPEN, "not_extendable"],
});

export const snoozeHold = defineOperation({
  id: "snoozeHold",
  method: "POST",
  path: "/v1/holds/{id}/snooze",
  tag: "desk",
  summary: "Hide an open hold from your own inbox for a while; with an empty body, show it again",
  security: "key",
  params: IdParams,
  body: SnoozeIn,
  replies: { 200: HoldOut },
  errors: [...ACT, ...BODY, ...OPEN, "not_extendable"],
});

export const lookAtHold = defineOperation({
  id: "lookAtHold",
  method: "POST",
  path: "/v1/holds/{id}/looking",
  tag: "desk",
  summary: "Say that you have the hold open, for the next 30 seconds, and learn who else has",
  security: "key",
  params: IdParams,
  replies: { 200: LookersOut },
  errors: ACT,
});

export const countHolds = defineOperation({
  id: "countHolds",
  method: "GET",
  path: "/v1/hold-counts",
  tag: "desk",
  summary: "Count open holds, up to 1,000 of each kind",
  security: "key",
  query: CountQuery,
  replies: { 200: CountOut },
  errors: [...FIND, "not_allowed"],
});

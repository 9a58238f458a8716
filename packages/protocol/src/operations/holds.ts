/** Placing, reading and ending holds. */

import { defineOperation } from "../operation.ts";
import { AnswerIn, CancelIn } from "../wire/answer.ts";
import { HoldListOut, HoldOut } from "../wire/hold.ts";
import { PasskeyChallengeOut } from "../wire/passkey.ts";
import { PlaceIn } from "../wire/place.ts";
import { ListQuery, WaitQuery } from "../wire/query.ts";
import {
  ACT,
  ANSWER,
  BODY,
  FIND,
  IdempotencyHeaders,
  IdParams,
  IfMatch,
  IfNoneMatch,
  MANAGE,
  PLACE,
  READ,
} from "./shared.ts";

export const placeHold = defineOperation({
  id: "placeHold",
  method: "POST",
  path: "/v1/holds",
  tag: "holds",
  summary: "Place a hold; with a key, find the one placed before",
  security: "key",
  headers: IdempotencyHeaders,
  body: PlaceIn,
  replies: { 201: HoldOut, 200: HoldOut },
  errors: [...MANAGE, ...BODY, "invalid_query", ...PLACE],
});

export const listHolds = defineOperation({
  id: "listHolds",
  method: "GET",
  path: "/v1/holds",
  tag: "holds",
  summary: "List and search holds, newest first",
  security: "key",
  browser: true,
  query: ListQuery,
  replies: { 200: HoldListOut },
  errors: [...FIND, "invalid_cursor"],
});

export const getHold = defineOperation({
  id: "getHold",
  method: "GET",
  path: "/v1/holds/{id}",
  tag: "holds",
  summary: "Read a hold; with `wait`, as soon as it has an outcome",
  security: "key",
  browser: true,
  params: IdParams,
  query: WaitQuery,
  headers: IfNoneMatch,
  replies: { 200: HoldOut, 304: null },
  errors: [...READ, "invalid_query"],
});

export const answerHold = defineOperation({
  id: "answerHold",
  method: "POST",
  path: "/v1/holds/{id}/answer",
  tag: "holds",
  summary:
    "Answer a hold as the person the credential stands for; with a `decision`, cast or change their vote",
  security: "key",
  browser: true,
  params: IdParams,
  headers: IfMatch,
  body: AnswerIn,
  replies: { 200: HoldOut },
  errors: [
    ...ACT,
    ...BODY,
    ...ANSWER,
    "already_settled",
    "precondition_failed",
    "not_grantable",
    "grant_too_long",
    "not_entitled",
    "fresh_sign_in_required",
    "strength_too_low",
    "not_proven",
    "passkeys_unavailable",
    "verification_required",
    "verification_failed",
  ],
});

export const challengeAnswer = defineOperation({
  id: "challengeAnswer",
  method: "POST",
  path: "/v1/holds/{id}/challenge",
  tag: "holds",
  summary: "Ask for the challenge that a passkey signs to give exactly this answer",
  description:
    "The challenge is the SHA-256 of the canonical JSON of hold, ask digest, action, answer digest, nonce and expiry. It can be used once, for five minutes. Answer with `passkey` afterwards.",
  security: "key",
  params: IdParams,
  body: AnswerIn,
  replies: { 200: PasskeyChallengeOut },
  errors: [
    ...ACT,
    ...BODY,
    ...ANSWER,
    "already_settled",
    "not_grantable",
    "grant_too_long",
    "passkeys_unavailable",
  ],
});

export const withdrawVote = defineOperation({
  id: "withdrawVote",
  method: "DELETE",
  path: "/v1/holds/{id}/vote",
  tag: "holds",
  summary: "Take back your vote on an open hold with a `decision`",
  security: "key",
  browser: true,
  params: IdParams,
  replies: { 200: HoldOut },
  errors: [...READ, "not_allowed", "no_vote", "strength_too_low", "already_settled", "hold_expired"],
});

export const cancelHold = defineOperation({
  id: "cancelHold",
  method: "POST",
  path: "/v1/holds/{id}/cancel",
  tag: "holds",
  summary: "Withdraw the question; nobody is recorded as having decided",
  security: "key",
  params: IdParams,
  body: CancelIn,
  replies: { 200: HoldOut },
  errors: [...ACT, ...BODY, "already_settled", "hold_expired"],
});

export const eraseHold = defineOperation({
  id: "eraseHold",
  method: "POST",
  path: "/v1/holds/{id}/erase",
  tag: "holds",
  summary: "Erase what was asked and answered, before retention would; that it happened stays in the log",
  security: "key",
  params: IdParams,
  replies: { 200: HoldOut },
  errors: [...ACT, "not_settled"],
});

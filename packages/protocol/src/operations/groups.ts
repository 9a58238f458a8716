/** Holds that belong together. */

import { defineOperation } from "../operation.ts";
import { GroupAnswerIn, GroupIn, GroupOut } from "../wire/group.ts";
import { WaitQuery } from "../wire/query.ts";
import { ACT, ANSWER, BODY, IdParams, MANAGE, PLACE, READ } from "./shared.ts";

export const placeGroup = defineOperation({
  id: "placeGroup",
  method: "POST",
  path: "/v1/groups",
  tag: "groups",
  summary: "Place several holds in one commit",
  security: "key",
  body: GroupIn,
  replies: { 201: GroupOut, 200: GroupOut },
  errors: [...MANAGE, ...BODY, ...PLACE],
});

export const getGroup = defineOperation({
  id: "getGroup",
  method: "GET",
  path: "/v1/groups/{id}",
  tag: "groups",
  summary: "Read a group; with `wait`, as soon as all its holds have outcomes",
  security: "key",
  params: IdParams,
  query: WaitQuery,
  replies: { 200: GroupOut },
  errors: [...READ, "invalid_query"],
});

export const answerGroup = defineOperation({
  id: "answerGroup",
  method: "POST",
  path: "/v1/groups/{id}/answer",
  tag: "groups",
  summary: "Settle all open holds of a group in one commit, or none",
  security: "key",
  params: IdParams,
  body: GroupAnswerIn,
  replies: { 200: GroupOut },
  errors: [
    ...ACT,
    ...BODY,
    ...ANSWER,
    "group_incomplete",
    "not_entitled",
    "fresh_sign_in_required",
    "strength_too_low",
  ],
});

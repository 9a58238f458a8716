/** Releases: what became of complete answers, and a person's word where nobody knows. */

import { defineOperation } from "../operation.ts";
import { ReleaseDecisionIn, ReleaseOut, ReleasePage, ReleaseQuery } from "../wire/release.ts";
import { ACT, BODY, IdParams, MANAGE, READ } from "./shared.ts";

export const listReleases = defineOperation({
  id: "listReleases",
  method: "GET",
  path: "/v1/releases",
  tag: "releases",
  summary: "Answers on their way to agents behind a proxy, newest first",
  security: "key",
  query: ReleaseQuery,
  replies: { 200: ReleasePage },
  errors: [...MANAGE, "invalid_query"],
});

export const getRelease = defineOperation({
  id: "getRelease",
  method: "GET",
  path: "/v1/releases/{id}",
  tag: "releases",
  summary: "Read one",
  security: "key",
  params: IdParams,
  replies: { 200: ReleaseOut },
  errors: [...READ, "not_allowed"],
});

export const decideRelease = defineOperation({
  id: "decideRelease",
  method: "POST",
  path: "/v1/releases/{id}/decide",
  tag: "releases",
  summary: "Send it again, or call it done",
  security: "key",
  params: IdParams,
  body: ReleaseDecisionIn,
  replies: { 200: ReleaseOut },
  errors: [...ACT, ...BODY, "release_not_stuck"],
});

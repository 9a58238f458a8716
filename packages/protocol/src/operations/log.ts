/** The whole log, for those who may see all of it. */

import { defineOperation } from "../operation.ts";
import { EventListOut } from "../wire/event.ts";
import { VerificationOut } from "../wire/log.ts";
import { HoldEventsQuery } from "../wire/query.ts";
import { FIND, MANAGE } from "./shared.ts";

export const readLog = defineOperation({
  id: "readLog",
  method: "GET",
  path: "/v1/log",
  tag: "events",
  summary: "Every event of the workspace, oldest first, with the hashes that chain them",
  security: "key",
  query: HoldEventsQuery,
  replies: { 200: EventListOut },
  errors: [...FIND, "not_allowed"],
});

export const verifyLog = defineOperation({
  id: "verifyLog",
  method: "POST",
  path: "/v1/log/verify",
  tag: "events",
  summary: "Compute every hash, chain and signature of the log again",
  security: "key",
  replies: { 200: VerificationOut },
  errors: MANAGE,
});

/** Conversations, as those who lead them remember them. */

import { defineOperation } from "../operation.ts";
import { ThreadIn, ThreadOut } from "../wire/thread.ts";
import { ACT, BODY, IdParams, READ } from "./shared.ts";

export const keepThread = defineOperation({
  id: "keepThread",
  method: "PUT",
  path: "/v1/threads/{id}",
  tag: "threads",
  summary: "Keep what a run of this thread needs to know later",
  description:
    "One document per caller and thread, at most 10 MiB and 100,000 JSON values. With `if_version` two runs cannot overwrite each other.",
  security: "key",
  params: IdParams,
  body: ThreadIn,
  replies: { 200: ThreadOut },
  errors: [...ACT, ...BODY, "precondition_failed"],
});

export const getThread = defineOperation({
  id: "getThread",
  method: "GET",
  path: "/v1/threads/{id}",
  tag: "threads",
  summary: "Read what was kept about a thread",
  security: "key",
  params: IdParams,
  replies: { 200: ThreadOut },
  errors: READ,
});

export const forgetThread = defineOperation({
  id: "forgetThread",
  method: "DELETE",
  path: "/v1/threads/{id}",
  tag: "threads",
  summary: "Forget what was kept about a thread; its holds stay",
  security: "key",
  params: IdParams,
  replies: { 200: ThreadOut },
  errors: ACT,
});

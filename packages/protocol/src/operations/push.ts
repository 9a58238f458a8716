/** Web push: people add the devices on which they want to be notified. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Id } from "../wire/base.ts";
import { PushDeviceIn, PushDeviceListOut, PushDeviceOut } from "../wire/push.ts";
import { ACT, BODY, FIND, IdParams, MANAGE } from "./shared.ts";

const Whose = z.strictObject({ person: Id.exactOptional().describe("Whose; your own if absent.") });

export const listPushDevices = defineOperation({
  id: "listPushDevices",
  method: "GET",
  path: "/v1/push-devices",
  tag: "people",
  summary: "Your devices for web push, and the key to subscribe with; for admins, those of anybody",
  security: "key",
  query: Whose,
  replies: { 200: PushDeviceListOut },
  errors: [...FIND, "not_allowed"],
});

export const addPushDevice = defineOperation({
  id: "addPushDevice",
  method: "POST",
  path: "/v1/push-devices",
  tag: "people",
  summary: "Get web push messages on this device; adding it again replaces it",
  security: "key",
  body: PushDeviceIn,
  replies: { 201: PushDeviceOut },
  errors: [...MANAGE, ...BODY, "unknown_person", "callback_refused"],
});

export const removePushDevice = defineOperation({
  id: "removePushDevice",
  method: "DELETE",
  path: "/v1/push-devices/{id}",
  tag: "people",
  summary: "Stop web push messages to a device: your own, or as an admin anybody's",
  security: "key",
  params: IdParams,
  query: Whose,
  replies: { 200: PushDeviceOut },
  errors: [...ACT, "invalid_query"],
});

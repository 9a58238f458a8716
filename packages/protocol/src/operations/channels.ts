/** The chat channels of the server, and whether they work. Admins connect bots while it runs. */

import { defineOperation } from "../operation.ts";
import { ChannelIn, ChannelListOut, ChannelOut, ChannelTestOut } from "../wire/channel.ts";
import { BODY, IdParams, MANAGE, SETTING_ACT } from "./shared.ts";

export const listChannels = defineOperation({
  id: "listChannels",
  method: "GET",
  path: "/v1/channels",
  tag: "deliveries",
  summary: "The chat channels of this server, and whether it listens for their bots",
  security: "key",
  replies: { 200: ChannelListOut },
  errors: MANAGE,
});

export const putChannel = defineOperation({
  id: "putChannel",
  method: "PUT",
  path: "/v1/channels/{id}",
  tag: "deliveries",
  summary: "Connect a chat bot by its token, or change one; the token is tried first and kept encrypted",
  security: "key",
  params: IdParams,
  body: ChannelIn,
  replies: { 200: ChannelOut },
  errors: [...SETTING_ACT, ...BODY, "already_exists", "token_refused", "too_many_channels"],
});

export const removeChannel = defineOperation({
  id: "removeChannel",
  method: "DELETE",
  path: "/v1/channels/{id}",
  tag: "deliveries",
  summary: "Disconnect a chat bot that was connected in the console, and forget its token",
  security: "key",
  params: IdParams,
  replies: { 200: ChannelOut },
  errors: SETTING_ACT,
});

export const testChannel = defineOperation({
  id: "testChannel",
  method: "POST",
  path: "/v1/channels/{id}/test",
  tag: "deliveries",
  summary: "Send a first question with a button to your linked account, or else to the chat of the channel",
  security: "key",
  params: IdParams,
  replies: { 201: ChannelTestOut },
  errors: [...SETTING_ACT, "nobody_to_ask"],
});

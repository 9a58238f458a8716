/** The channels of the server, and whether they work. Admins connect bots, mail servers and webhooks while it runs. */

import { defineOperation } from "../operation.ts";
import { ChannelIn, ChannelListOut, ChannelOut, ChannelTestOut } from "../wire/channel.ts";
import { BODY, IdParams, MANAGE, SETTING_ACT } from "./shared.ts";

export const listChannels = defineOperation({
  id: "listChannels",
  method: "GET",
  path: "/v1/channels",
  tag: "deliveries",
  summary: "The chats, e-mail and webhook channels of this server, and whether it listens for their bots",
  security: "key",
  replies: { 200: ChannelListOut },
  errors: MANAGE,
});

export const putChannel = defineOperation({
  id: "putChannel",
  method: "PUT",
  path: "/v1/channels/{id}",
  tag: "deliveries",
  summary:
    "Connect a chat bot, a mail server or a webhook, or change one; it is tried first, and its token, password or address is kept encrypted",
  security: "key",
  params: IdParams,
  body: ChannelIn,
  replies: { 200: ChannelOut },
  errors: [
    ...SETTING_ACT,
    ...BODY,
    "already_exists",
    "token_refused",
    "too_many_channels",
    "mail_unreachable",
    "mail_password_refused",
    "mail_tls_refused",
    "webhook_failed",
    "webhook_incomplete",
    "callback_refused",
  ],
});

export const removeChannel = defineOperation({
  id: "removeChannel",
  method: "DELETE",
  path: "/v1/channels/{id}",
  tag: "deliveries",
  summary:
    "Disconnect a channel that was connected in the console, and forget its token, password or address",
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
  summary:
    "Send a first question to your linked account or address, or else to the chat or address of the channel; a webhook is posted to",
  security: "key",
  params: IdParams,
  replies: { 201: ChannelTestOut },
  errors: [...SETTING_ACT, "nobody_to_ask"],
});

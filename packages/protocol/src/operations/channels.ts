/** The configured chat channels, and whether they work. */

import { defineOperation } from "../operation.ts";
import { ChannelListOut } from "../wire/channel.ts";
import { MANAGE } from "./shared.ts";

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

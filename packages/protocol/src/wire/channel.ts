/** Chat channels as an operator sees them. */

import * as z from "zod";
import { list } from "./base.ts";

export const ChannelOut = z.strictObject({
  name: z.string(),
  platform: z.string().describe("`telegram`, `slack` or `discord`."),
  to: list(z.string()).describe("Where questions go that name nobody."),
  state: z
    .enum(["connected", "starting", "standby", "failed"])
    .describe("`standby`: another server that shares the database listens for this bot."),
  reason: z.string().exactOptional().describe("Why it does not work, if it does not: a fixed code."),
  bot: z.string().exactOptional().describe("The name of the bot."),
});
export type ChannelOut = z.infer<typeof ChannelOut>;

export const ChannelListOut = z.strictObject({ channels: list(ChannelOut) });
export type ChannelListOut = z.infer<typeof ChannelListOut>;

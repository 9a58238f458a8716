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
  source: z
    .enum(["config", "console"])
    .describe("Where it was connected. What the configuration names is changed there."),
  show: z.enum(["full", "prompt"]).exactOptional().describe("For a channel of the console."),
});
export type ChannelOut = z.infer<typeof ChannelOut>;

export const ChannelListOut = z.strictObject({ channels: list(ChannelOut) });
export type ChannelListOut = z.infer<typeof ChannelListOut>;

const Token = z.string().trim().min(10).max(500);

export const ChannelIn = z
  .strictObject({
    platform: z.enum(["telegram", "slack", "discord"]).describe("Where the bot lives. It never changes."),
    token: Token.exactOptional().describe(
      "The bot's token. It is kept encrypted and never shown. Needed for a new channel; without it the channel keeps its token.",
    ),
    app_token: Token.exactOptional().describe("Slack's app-level token (`xapp-…`), kept like the token."),
    to: list(z.string().trim().min(1).max(320), { max: 100 })
      .exactOptional()
      .describe("Where questions go that name nobody: chat ids, `@name`, `#channel`."),
    show: z
      .enum(["full", "prompt"])
      .exactOptional()
      .describe("`full`: the question's context is shown in the chat."),
  })
  .meta({ examples: [{ platform: "telegram", token: "123456:ABC-DEF", to: ["-1001"], show: "full" }] });
export type ChannelIn = z.infer<typeof ChannelIn>;

export const ChannelTestOut = z.strictObject({
  hold_id: z.string().describe("The question that was sent. It is open for ten minutes."),
  to: z.string().describe("The person or chat it went to."),
});
export type ChannelTestOut = z.infer<typeof ChannelTestOut>;

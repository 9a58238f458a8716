/** Channels as an operator sees them: chats, mail servers and webhooks. */

import * as z from "zod";
import { list } from "./base.ts";

const Mail = {
  host: z.string().trim().min(1).max(253).describe("The host of the mail server."),
  port: z.int().min(1).max(65_535).describe("The port of the mail server, mostly 587 or 465."),
  tls: z
    .enum(["implicit", "starttls", "optional"])
    .describe(
      "`implicit`: from the first byte, usually port 465. `starttls`: nothing is sent without it. `optional`: where the mail server offers it.",
    ),
  user: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .exactOptional()
    .describe("Absent: the mail server takes mail without a sign-in."),
  from: z.string().trim().min(3).max(320).describe("`Name <address>`, or an address."),
};

const Preset = z
  .enum(["teams", "pagerduty", "ntfy"])
  .exactOptional()
  .describe("A receiver with a format of its own. Absent: a receiver of yours, which gets signed JSON.");

export const ChannelOut = z.strictObject({
  name: z.string(),
  platform: z
    .string()
    .describe(
      "`telegram`, `slack`, `discord`, `email` or `webhook`. Others may be added: skip what you do not know.",
    ),
  to: list(z.string()).describe("Where questions go that name nobody."),
  state: z
    .enum(["connected", "starting", "standby", "ready", "failed"])
    .describe(
      "`standby`: another server that shares the database listens for this bot. `ready`: messages are sent by it; nobody listens.",
    ),
  reason: z.string().exactOptional().describe("Why it does not work, if it does not: a fixed code."),
  bot: z.string().exactOptional().describe("The name of the bot."),
  source: z
    .enum(["config", "console"])
    .describe("Where it was connected. What the configuration names is changed there."),
  show: z.enum(["full", "prompt"]).exactOptional().describe("For a chat of the console."),
  mail: z.strictObject(Mail).exactOptional().describe("For an e-mail channel of the console."),
  webhook: z
    .strictObject({
      preset: Preset,
      origin: z
        .string()
        .describe("Scheme, host and port of the address. The rest may be a secret and is never shown."),
      signed: z.boolean().describe("Whether it has a secret, which is never shown."),
    })
    .exactOptional()
    .describe("For a webhook channel of the console."),
});
export type ChannelOut = z.infer<typeof ChannelOut>;

export const ChannelListOut = z.strictObject({ channels: list(ChannelOut) });
export type ChannelListOut = z.infer<typeof ChannelListOut>;

const Token = z.string().trim().min(10).max(500);

const To = list(z.string().trim().min(1).max(320), { max: 100 }).exactOptional();

export const ChatChannelIn = z
  .strictObject({
    platform: z.enum(["telegram", "slack", "discord"]).describe("Where the bot lives. It never changes."),
    token: Token.exactOptional().describe(
      "The bot's token. It is kept encrypted and never shown. Needed for a new channel; without it the channel keeps its token.",
    ),
    app_token: Token.exactOptional().describe("Slack's app-level token (`xapp-…`), kept like the token."),
    to: To.describe("Where questions go that name nobody: chat ids, `@name`, `#channel`."),
    show: z
      .enum(["full", "prompt"])
      .exactOptional()
      .describe("`full`: the question's context is shown in the chat."),
  })
  .meta({ examples: [{ platform: "telegram", token: "123456:ABC-DEF", to: ["-1001"], show: "full" }] });
export type ChatChannelIn = z.infer<typeof ChatChannelIn>;

export const MailChannelIn = z
  .strictObject({
    platform: z.literal("email").describe("A mail server. It never changes."),
    ...Mail,
    password: z
      .string()
      .min(1)
      .max(500)
      .exactOptional()
      .describe(
        "It is kept encrypted and never shown. Without it the channel keeps its password, as long as host, port, TLS and user stay.",
      ),
    to: To.describe("The address that gets questions that name nobody."),
  })
  .meta({
    examples: [
      {
        platform: "email",
        host: "smtp.example.com",
        port: 587,
        tls: "starttls",
        user: "holdpoint",
        password: "…",
        from: "Holdpoint <holdpoint@example.com>",
        to: ["team@example.com"],
      },
    ],
  });
export type MailChannelIn = z.infer<typeof MailChannelIn>;

export const WebhookChannelIn = z
  .strictObject({
    platform: z.literal("webhook").describe("An address that messages are posted to. It never changes."),
    preset: Preset,
    url: z
      .string()
      .trim()
      .min(1)
      .max(2_048)
      .exactOptional()
      .describe(
        "Where messages are posted to. It is kept encrypted, and only its origin is shown. Needed for a new channel; without it the channel keeps its address and its secret.",
      ),
    secret: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .exactOptional()
      .describe(
        "`whsec_…` signs messages to a receiver of yours; PagerDuty's routing key; ntfy's access token. Kept encrypted and never shown. A new `url` needs it again.",
      ),
    to: To.describe("The recipients that messages name if a question names nobody."),
  })
  .meta({
    examples: [
      {
        platform: "webhook",
        preset: "pagerduty",
        url: "https://events.pagerduty.com/v2/enqueue",
        secret: "…",
      },
    ],
  });
export type WebhookChannelIn = z.infer<typeof WebhookChannelIn>;

export const ChannelIn = z.discriminatedUnion("platform", [ChatChannelIn, MailChannelIn, WebhookChannelIn]);
export type ChannelIn = z.infer<typeof ChannelIn>;

export const ChannelTestOut = z.strictObject({
  hold_id: z.string().describe("The question that was sent. It is open for ten minutes."),
  to: z.string().describe("The person, chat or address it went to; for a webhook the origin of its address."),
});
export type ChannelTestOut = z.infer<typeof ChannelTestOut>;

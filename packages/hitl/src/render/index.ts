/**
 * @module
 * Reviews as messages with native buttons, for five messengers. Pure functions: they make and read payloads, and sending them
 * is the bot's own business. A button carries the name of its case and an action, never the token that submits it.
 *
 * @example
 * ```ts
 * import { byButtons, caseBook } from "@holdpoint/hitl/agent";
 * import { answerTap, telegram } from "@holdpoint/hitl/render";
 *
 * const book = caseBook();
 * const deliver = byButtons({ book, render: telegram.render, send: (body) => bot.call("sendMessage", body) });
 * const answered = await answerTap(telegram, update, { book });
 * ```
 */
export type { AnsweredTap } from "./answer-tap.ts";
export { answerTap } from "./answer-tap.ts";
export { DISCORD_LIMITS, discord } from "./discord.ts";
export type { Messenger, ReadTap, Settled } from "./messenger.ts";
export type { Button } from "./plan.ts";
export { buttonsOf } from "./plan.ts";
export { SLACK_LIMITS, slack } from "./slack.ts";
export type { TeamsOptions } from "./teams.ts";
export { teams, teamsTask } from "./teams.ts";
export type { TelegramOptions } from "./telegram.ts";
export { TELEGRAM_LIMITS, telegram } from "./telegram.ts";
export { WHATSAPP_LIMITS, whatsapp } from "./whatsapp.ts";

/**
 * @module
 * What chat messages about a hold show, and what fits into them. Pure: no clock, no I/O, no dependencies.
 */
export type { Card, CardBlock, CardButton, CardEnding, CardField, CardQuestion, CardState } from "./card.ts";
export { byteLength, DISCORD_LIMITS, SLACK_LIMITS, TELEGRAM_LIMITS } from "./limits.ts";
export { markdownFree } from "./markdown.ts";
export {
  CHAT_PLATFORMS,
  chatConfig,
  chatManifest,
  chatSteps,
  type TokenNames,
  tokenNames,
} from "./set-up.ts";

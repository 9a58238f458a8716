import { moved } from "./moved.ts";

/** Throws: everything of this entry is in `@holdpoint/hitl/render` now. The names are still listed, because an import of a missing name fails before this sentence could be read. */
export const {
  DISCORD_LIMITS,
  SLACK_LIMITS,
  TELEGRAM_LIMITS,
  WHATSAPP_LIMITS,
  answerTap,
  buttonsOf,
  discord,
  slack,
  teams,
  teamsTask,
  telegram,
  whatsapp,
} = moved("@holdpoint/sdk/hitl/render", "@holdpoint/hitl/render");

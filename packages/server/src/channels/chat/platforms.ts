/** The table of chat platforms: one line for each kind of channel that people press buttons in. */

import { discordPlatform } from "../discord/discord.ts";
import { slackPlatform } from "../slack/slack.ts";
import { telegramPlatform } from "../telegram/platform.ts";
import type { PlatformFactory } from "./platform.ts";

export const PLATFORMS: Readonly<Record<string, PlatformFactory>> = {
  telegram: telegramPlatform,
  slack: slackPlatform,
  discord: discordPlatform,
};

/** What to click before there is a token, platform by platform. */

import { slackManifest } from "../channels/slack/manifest.ts";

const STEPS: Readonly<Record<string, readonly string[]>> = {
  telegram: [
    "Write /newbot to @BotFather in Telegram. It gives you the token.",
    "Add the bot to the group that is to be asked.",
  ],
  slack: [
    'Open https://api.slack.com/apps, "Create New App", "From a manifest", and paste the manifest above.',
    '"Install to Workspace". The bot token (xoxb-…) is under "OAuth & Permissions".',
    '"Basic Information", "App-Level Tokens": make one with the scope connections:write (xapp-…).',
  ],
  discord: [
    'Open https://discord.com/developers/applications, "New Application", "Bot", "Reset Token". That is the token.',
    '"Installation": scope bot, permissions View Channels and Send Messages; open the install link, choose your server.',
    'In Discord, "Copy Channel ID" of the channel that is to be asked (User Settings, Advanced, Developer Mode).',
  ],
};

export function guideTo(kind: string): readonly string[] {
  const steps = (STEPS[kind] ?? []).map((step, index) => `${index + 1}. ${step}`);
  return kind === "slack" ? [JSON.stringify(slackManifest(), null, 2), "", ...steps] : steps;
}

/** What to click before a bot has a token, for each platform. */

import { slackManifest } from "../channels/slack/manifest.ts";

const STEPS: Readonly<Record<string, readonly string[]>> = {
  telegram: [
    "Write /newbot to @BotFather in Telegram. It gives you the token.",
    "Add the bot to the group that is to be asked.",
    "export TELEGRAM_BOT_TOKEN=…",
  ],
  slack: [
    'Open https://api.slack.com/apps, "Create New App", "From a manifest", and paste the manifest above.',
    '"Install to Workspace". The bot token (xoxb-…) is under "OAuth & Permissions".',
    '"Basic Information", "App-Level Tokens": make one with the scope connections:write (xapp-…).',
    "export SLACK_BOT_TOKEN=… SLACK_APP_TOKEN=…",
  ],
  discord: [
    'Open https://discord.com/developers/applications, "New Application", "Bot", "Reset Token". That is the token.',
    '"Installation": scope bot, permissions View Channels and Send Messages; open the install link, choose your server.',
    'In Discord, "Copy Channel ID" of the channel that is to be asked (User Settings, Advanced, Developer Mode).',
    "export DISCORD_BOT_TOKEN=…",
  ],
};

/** The steps as numbered lines. Slack's begin with the manifest to paste. */
export function stepsFor(kind: string): string {
  const steps = (STEPS[kind] ?? []).map((step, n) => `  ${n + 1}. ${step}\n`).join("");
  return kind === "slack" ? `${JSON.stringify(slackManifest(), null, 2)}\n\n${steps}` : steps;
}

/** How a person sets a chat platform up: what to click, and what to write into the configuration. */

import { slackManifest } from "./slack-manifest.ts";

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

export const CHAT_PLATFORMS: readonly string[] = Object.keys(STEPS);

/** What to click before a bot has a token. Slack needs `chatManifest` for it. */
export function chatSteps(kind: string): readonly string[] {
  return STEPS[kind] ?? [];
}

/** What to paste, where a platform makes the app from a manifest. */
export function chatManifest(kind: string): string | undefined {
  return kind === "slack" ? JSON.stringify(slackManifest(), null, 2) : undefined;
}

export interface TokenNames {
  readonly token: string;
  readonly appToken?: string;
}

/** The environment variables that hold a platform's tokens, unless somebody names others. */
export function tokenNames(kind: string): TokenNames {
  const token = `${kind.toUpperCase()}_BOT_TOKEN`;
  return kind === "slack" ? { token, appToken: "SLACK_APP_TOKEN" } : { token };
}

/** The channel in `holdpoint.yaml`. It names the variables, never the tokens. */
export function chatConfig(kind: string, to: string, { token, appToken } = tokenNames(kind)): string {
  return [
    "channels:",
    `  ${kind}:`,
    `    kind: ${kind}`,
    `    token_env: ${token}`,
    ...(appToken === undefined ? [] : [`    app_token_env: ${appToken}`]),
    `    to: "${to}"`,
    "    show: full",
    `default_channel: ${kind}\n`,
  ].join("\n");
}

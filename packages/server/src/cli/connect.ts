/** `holdpoint connect`: from a token to a chat channel that works. */

import { PLATFORMS } from "../channels/chat/platforms.ts";
import { slackManifest } from "../channels/slack/manifest.ts";
import { systemClock } from "../system/clock.ts";
import { readArgs } from "./args.ts";
import { CliError, type Command, type Io } from "./io.ts";

const USAGE =
  "connect telegram|slack|discord [--to <chat>]… [--token-env <name>] [--app-token-env <name>] [--api-url <url>]";

const OPTIONS = {
  to: { type: "string", multiple: true },
  "token-env": { type: "string" },
  "app-token-env": { type: "string" },
  "api-url": { type: "string" },
} as const;

interface Guide {
  readonly tokenEnv: string;
  readonly appTokenEnv?: string;
  /** How a chat is named in `to`. */
  readonly to: string;
  readonly steps: readonly string[];
}

const GUIDES: Readonly<Record<string, Guide>> = {
  telegram: {
    tokenEnv: "TELEGRAM_TOKEN",
    to: "-1001234567890",
    steps: [
      "Write /newbot to @BotFather in Telegram. It gives you the token.",
      "Add the bot to the group that is to be asked.",
      "export TELEGRAM_TOKEN=…",
    ],
  },
  slack: {
    tokenEnv: "SLACK_BOT_TOKEN",
    appTokenEnv: "SLACK_APP_TOKEN",
    to: "#finance",
    steps: [
      'Open https://api.slack.com/apps, "Create New App", "From a manifest", and paste the manifest above.',
      '"Install to Workspace". The bot token (xoxb-…) is under "OAuth & Permissions".',
      '"Basic Information", "App-Level Tokens": make one with the scope connections:write (xapp-…).',
      "export SLACK_BOT_TOKEN=… SLACK_APP_TOKEN=…",
    ],
  },
  discord: {
    tokenEnv: "DISCORD_TOKEN",
    to: "123456789012345678",
    steps: [
      'Open https://discord.com/developers/applications, "New Application", "Bot", "Reset Token". That is the token.',
      '"Installation": scope bot, permissions View Channels and Send Messages; open the install link, choose your server.',
      'In Discord, "Copy Channel ID" of the channel that is to be asked (User Settings, Advanced, Developer Mode).',
      "export DISCORD_TOKEN=…",
    ],
  },
};

export const connect: Command = {
  usage: "connect telegram|slack|discord",
  summary: "Set up a chat channel: what to click, whether the token works, what to write into holdpoint.yaml",
  async run(args, io) {
    const { values, positionals } = readArgs(args, OPTIONS, USAGE, 1);
    const [kind = ""] = positionals;
    const guide = Object.hasOwn(GUIDES, kind) ? GUIDES[kind] : undefined;
    if (guide === undefined) throw new CliError(`usage: holdpoint ${USAGE}`);
    const tokenEnv = values["token-env"] ?? guide.tokenEnv;
    const appTokenEnv = guide.appTokenEnv && (values["app-token-env"] ?? guide.appTokenEnv);
    const token = io.env[tokenEnv];
    const appToken = appTokenEnv === undefined ? undefined : io.env[appTokenEnv];
    if (token === undefined || (appTokenEnv !== undefined && appToken === undefined)) {
      explain(io, kind, guide);
      return 1;
    }
    const bot = await test(kind, token, appToken, values["api-url"]);
    io.out(`✓ The token works: the bot is ${bot}.\n\n`);
    const names = [
      ["token_env", tokenEnv],
      ...(appTokenEnv === undefined ? [] : [["app_token_env", appTokenEnv]]),
    ];
    const to = values.to ?? [guide.to];
    io.out(yaml(kind, names, to, values["api-url"]));
    io.out("\nThen start the server again, and link your account: console, your page, “Link an account”.\n");
    return 0;
  },
};

function explain(io: Io, kind: string, { steps }: Guide): void {
  if (kind === "slack") io.out(`${JSON.stringify(slackManifest(), null, 2)}\n\n`);
  for (const [index, step] of steps.entries()) io.out(`${index + 1}. ${step}\n`);
  io.out(`${steps.length + 1}. Run \`holdpoint connect ${kind}\` again.\n`);
}

/** Asks the platform who the bot is, and resolves to its name. */
async function test(
  kind: string,
  token: string,
  appToken: string | undefined,
  apiUrl: string | undefined,
): Promise<string> {
  const platform = PLATFORMS[kind]?.({
    ...{ name: kind, token, clock: systemClock },
    ...(appToken === undefined ? {} : { appToken }),
    ...(apiUrl === undefined ? {} : { apiUrl: apiUrl.replace(/\/+$/, "") }),
  });
  if (platform === undefined) throw new CliError(`this version has no support for ${kind}`);
  try {
    const found = await platform.identify();
    if (found.kind === "ok") return found.value.name;
    throw new CliError(
      found.error === "bad_token"
        ? `${kind} refused the token. Copy it again: tokens are shown once, and making a new one ends the old one`
        : `${kind} could not be asked: ${found.error}`,
    );
  } finally {
    await platform.close?.();
  }
}

function yaml(
  kind: string,
  names: readonly (readonly string[])[],
  to: readonly string[],
  apiUrl: string | undefined,
): string {
  const lines = [
    "# holdpoint.yaml",
    "channels:",
    `  ${kind}:`,
    `    kind: ${kind}`,
    ...names.map(([name, value]) => `    ${name}: ${value}`),
    ...(apiUrl === undefined ? [] : [`    api_url: ${apiUrl}`]),
    `    to: [${to.map((each) => JSON.stringify(each)).join(", ")}]`,
    "    show: full        # without it the context stays on the page, and people decide there",
    `default_channel: ${kind}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * `holdpoint connect`: sets up a chat platform. The first run tests the token and shows what to write into the configuration; the
 * next one, with the server running, links the person and waits for their first press. The token is read from the environment
 * and never written, logged or sent to the server.
 */

import type {
  AccountCodeOut,
  ChannelListOut,
  HoldOut,
  KeyOut,
  MeOut,
  PersonListOut,
} from "@holdpoint/protocol";
import { chatConfig, chatManifest, chatSteps, type TokenNames, tokenNames } from "@holdpoint/protocol/chat";
import type { ChatPlatform } from "../channels/chat/platform.ts";
import { PLATFORMS } from "../channels/chat/platforms.ts";
import { systemClock } from "../system/clock.ts";
import { readArgs } from "./args.ts";
import { clean } from "./clean.ts";
import { callServer } from "./client.ts";
import { CliError, type Command, type Io } from "./io.ts";

const USAGE = "connect telegram|slack|discord [--person <id>] [--token-env <variable>] [--api-url <url>]";

const OPTIONS = {
  person: { type: "string" },
  "token-env": { type: "string" },
  "app-token-env": { type: "string" },
  "api-url": { type: "string" },
} as const;

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

export const connect: Command = {
  usage: "connect telegram|slack|discord",
  summary: "Set up a chat: test the bot, link yourself, press a first button",
  async run(args, io) {
    const { values, positionals } = readArgs(args, OPTIONS, USAGE, 1);
    const [kind = ""] = positionals;
    const factory = Object.hasOwn(PLATFORMS, kind) ? PLATFORMS[kind] : undefined;
    if (factory === undefined) throw new CliError(`usage: holdpoint ${USAGE}`);
    const names = namesIn(kind, values);
    const platform = factory({
      ...{ name: kind, clock: systemClock, token: tokenIn(kind, io, names.token) },
      ...(names.appToken === undefined ? {} : { appToken: tokenIn(kind, io, names.appToken) }),
      ...(values["api-url"] === undefined ? {} : { apiUrl: values["api-url"] }),
    });
    try {
      return await setUp(kind, platform, names, values, io);
    } finally {
      await platform.close?.();
    }
  },
};

function namesIn(kind: string, values: Values): TokenNames {
  const { token, appToken } = tokenNames(kind);
  return {
    token: values["token-env"] ?? token,
    ...(appToken === undefined ? {} : { appToken: values["app-token-env"] ?? appToken }),
  };
}

/** The steps as numbered lines. Slack's begin with the manifest to paste. */
function stepsFor(kind: string): string {
  const manifest = chatManifest(kind);
  const variables = Object.values(tokenNames(kind)).map((name) => `${name}=…`);
  const steps = [...chatSteps(kind), `export ${variables.join(" ")}`].map(
    (step, n) => `  ${n + 1}. ${step}\n`,
  );
  return [...(manifest === undefined ? [] : [`${manifest}\n\n`]), ...steps].join("");
}

function tokenIn(kind: string, { env }: Io, name: string): string {
  const token = env[name];
  if (token === undefined || token === "")
    throw new CliError(
      `put the bot's token into the environment variable ${name}, and run this again:\n\n${stepsFor(kind)}`,
    );
  return token;
}

async function setUp(
  kind: string,
  platform: ChatPlatform,
  names: TokenNames,
  values: Values,
  io: Io,
): Promise<number> {
  const bot = await platform.identify();
  if (bot.kind === "failed")
    throw new CliError(`${kind} refused the token or cannot be reached: ${bot.error}`);
  io.out(`The token works. The bot is @${clean(bot.value.name)}.\n`);
  const { channels } = await callServer<ChannelListOut>(io, "GET", "/v1/channels");
  const found = channels.find((one) => one.platform === kind);
  if (found === undefined) return showConfiguration(kind, platform, names, io);
  const person = await linkPerson(found.name, kind, values.person, io);
  return tryIt(found.name, person, io);
}

/** Without a channel in the configuration: what the bot sees, and what to write. */
async function showConfiguration(
  kind: string,
  platform: ChatPlatform,
  names: TokenNames,
  io: Io,
): Promise<number> {
  const looked = await platform.look?.();
  const seen = looked?.kind === "ok" ? looked.value : [];
  for (const { chat, title, isPrivate } of seen)
    io.out(`It sees ${isPrivate ? "a direct chat with" : "the group"} ${clean(title)}: ${clean(chat)}\n`);
  if (platform.look !== undefined && seen.length === 0)
    io.out("It sees no chat yet. Write to it, or add it to a group, and run this again.\n");
  const group = seen.find(({ isPrivate }) => !isPrivate) ?? seen[0];
  io.out("\nAdd this to holdpoint.yaml and restart the server, then run this command again:\n\n");
  io.out(chatConfig(kind, clean(group?.chat ?? "<chat>"), names));
  return 0;
}

/** With a person's key the code is theirs. A local dev key stands for nobody, so it makes a key for the person for a moment. */
async function linkPerson(
  channel: string,
  kind: string,
  wanted: string | undefined,
  io: Io,
): Promise<string> {
  const me = await callServer<MeOut>(io, "GET", "/v1/me");
  const isPerson = me.role === "operator" || me.role === "admin";
  const person = wanted ?? (isPerson ? me.name : undefined);
  if (person === undefined) throw new CliError("say who you are: --person <id>");
  const isLinked = async () => {
    const { people } = await callServer<PersonListOut>(io, "GET", "/v1/people");
    return people.some(({ id, accounts }) => id === person && accounts.some((one) => one.platform === kind));
  };
  if (await isLinked()) return person;
  const code = isPerson ? await codeFor(person, io) : await codeByDevKey(person, io);
  const link = code.links.find((one) => one.channel === channel);
  io.out(
    `Link your account: send the code ${clean(code.code)} to the bot${link === undefined ? "" : `, or open ${clean(link.url)}`}\n`,
  );
  await until(isLinked);
  io.out(`Linked: presses of your ${kind} account count as ${clean(person)}.\n`);
  return person;
}

function codeFor(person: string, io: Io): Promise<AccountCodeOut> {
  return callServer<AccountCodeOut>(io, "POST", `/v1/people/${encodeURIComponent(person)}/account_codes`);
}

async function codeByDevKey(person: string, io: Io): Promise<AccountCodeOut> {
  const key = await callServer<KeyOut>(io, "POST", "/v1/keys", { role: "operator", name: person });
  try {
    await callServer(io, "PATCH", `/v1/people/${encodeURIComponent(person)}`, { verified: true });
    return await codeFor(person, { ...io, env: { ...io.env, ...(await asKey(io, key.secret ?? "")) } });
  } finally {
    await callServer(io, "DELETE", `/v1/keys/${encodeURIComponent(key.id)}`);
  }
}

async function asKey(io: Io, secret: string): Promise<Readonly<Record<string, string>>> {
  const { connectionOf } = await import("./client.ts");
  return { HOLDPOINT_URL: connectionOf(io).url, HOLDPOINT_API_KEY: secret };
}

/** Only a key that may ask can place the test: locally the dev key, elsewhere an agent's. */
async function tryIt(channel: string, person: string, io: Io): Promise<number> {
  const { role } = await callServer<MeOut>(io, "GET", "/v1/me");
  if (role !== "dev") {
    io.out("Everything is set up. Place a hold with an agent's key to see the first message.\n");
    return 0;
  }
  const hold = await callServer<HoldOut>(io, "POST", "/v1/holds", {
    type: "confirmation",
    prompt: "Does this button work? This is a test of Holdpoint.",
    timeout: "10m",
    ladder: [{ after: "0s", channel, to: `person:${person}` }],
  });
  io.out("I sent you a test message. Press a button there.\n");
  const path = `/v1/holds/${hold.id}`;
  await until(async () => (await callServer<HoldOut>(io, "GET", path)).status !== "open");
  const { outcome } = await callServer<HoldOut>(io, "GET", path);
  if (outcome?.kind !== "decided") throw new CliError("nobody pressed a button within ten minutes");
  io.out(`It works: ${clean(outcome.by.name ?? person)} pressed "${clean(outcome.action)}".\n`);
  return 0;
}

const LOOK_MS = 500;

/** Looks until it is so. The person may take their time: the command is stopped by hand. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()))
    await new Promise<void>((resolve) => {
      systemClock.at(systemClock.now() + LOOK_MS, () => resolve());
    });
}

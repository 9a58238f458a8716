/** Builds the outgoing client, the channels and the platform settings from the configuration. */

import { readAddress } from "./channels/address.ts";
import { allowsAddress, readAllowList } from "./channels/allow-list.ts";
import type { Channel } from "./channels/channel.ts";
import type { ChatBot, ChatBots } from "./channels/chat/bot.ts";
import { PLATFORMS } from "./channels/chat/platforms.ts";
import { readSender } from "./channels/email/address.ts";
import { emailChannel } from "./channels/email/channel.ts";
import { lettersBy, type SmtpServer } from "./channels/email/smtp.ts";
import { createOutgoing, type Outgoing } from "./channels/outgoing.ts";
import { upstreamAt } from "./channels/upstream/upstream.ts";
import { closesAlerts, receiverChannel, whyNotReceiver } from "./channels/webhook/channel.ts";
import { CONSOLE } from "./deliveries.ts";
import { NO_PLATFORM, type Platform, PUSH } from "./kernel/platform.ts";
import type { ServerOptions } from "./server.ts";
import type { Clock } from "./system/clock.ts";
import {
  type ChannelConfig,
  type ChatConfig,
  type Config,
  ConfigError,
  type Environment,
  isLocalHost,
} from "./system/config.ts";

export function outgoingFrom(webhookAllow: string, loopback: boolean, clock: Clock): Outgoing {
  const read = readAllowList(webhookAllow);
  if (read.kind === "refused")
    throw new ConfigError(`HOLDPOINT_WEBHOOK_ALLOW: not a host or a range: ${read.entry}`);
  return createOutgoing({ policy: { allow: read.list, loopback }, clock });
}

/** Proxies before the server. `undefined`: there are none. */
export function trustedProxiesFrom(proxies: string): ServerOptions["isTrustedProxy"] {
  const read = readAllowList(proxies);
  const wrong = read.kind === "refused" ? read.entry : [...read.list.hosts][0];
  if (wrong !== undefined || read.kind === "refused")
    throw new ConfigError(
      `trusted_proxies (HOLDPOINT_TRUSTED_PROXIES): ${wrong} is no address. Write addresses or ranges, such as 10.0.0.0/8`,
    );
  const { list } = read;
  if (list.ranges.length === 0) return undefined;
  return (text) => {
    const address = readAddress(text);
    return address !== null && allowsAddress(list, address);
  };
}

/** The configured AG-UI proxies, each with its upstream client. */
export function agUiFrom({ agUi }: Pick<Config, "agUi">, clock: Clock): NonNullable<ServerOptions["agUi"]> {
  const { leaseMs, proxies } = agUi;
  return {
    ...(leaseMs === null ? {} : { leaseMs }),
    proxies: Object.fromEntries(
      Object.entries(proxies).map(([name, { url, headers, timeoutMs, ...rest }]) => {
        const limits = timeoutMs === null ? {} : { totalMs: timeoutMs };
        return [name, { ...rest, ask: upstreamAt({ url, headers, limits }, clock) }];
      }),
    ),
  };
}

type Settings = Pick<
  Config,
  "agentLinks" | "channels" | "people" | "notifyAllow" | "defaultChannel" | "defaultRetryPolicy"
> &
  Partial<Pick<Config, OptionalName>>;

type OptionalName =
  | "maxOpenChecks"
  | "grantMaxMs"
  | "standingMs"
  | "fileBytesMax"
  | "hours"
  | "retentionMs"
  | "deliveryRetentionMs"
  | "checkRetentionMs"
  | "inlineAnswers"
  | "redact";

/** Agents may notify the configured people, by name or address, and whatever `notify_allow` adds. */
export function platformFrom(config: Settings): Platform {
  const { agentLinks, channels, people, notifyAllow, defaultChannel, defaultRetryPolicy } = config;
  const { maxOpenChecks = NO_PLATFORM.maxOpenChecks, grantMaxMs = NO_PLATFORM.grantMaxMs } = config;
  const { standingMs = NO_PLATFORM.standingMs, fileBytesMax = NO_PLATFORM.fileBytesMax } = config;
  if (
    defaultChannel !== undefined &&
    defaultChannel !== CONSOLE &&
    defaultChannel !== PUSH &&
    !Object.hasOwn(channels, defaultChannel)
  ) {
    throw new ConfigError(`default_channel: there is no channel named ${defaultChannel}`);
  }
  const known = Object.entries(people).flatMap(([name, { email }]) =>
    email === undefined ? [name] : [name, email],
  );
  return {
    agentLinks,
    retryPolicy: defaultRetryPolicy,
    maxOpenChecks,
    grantMaxMs,
    standingMs,
    fileBytesMax,
    ...keepingFrom(config),
    notify: {
      allow: [...known, ...notifyAllow],
      channels: Object.fromEntries(Object.entries(channels).map(([name, { to = [] }]) => [name, to])),
      kinds: Object.fromEntries(Object.entries(channels).map(([name, { kind }]) => [name, kind])),
      closing: Object.entries(channels).flatMap(([name, config]) => (closes(config) ? [name] : [])),
      ...(defaultChannel === undefined ? {} : { defaultChannel }),
    },
  };
}

/** What is kept how long, and what leaves the server. */
function keepingFrom(config: Settings) {
  const { hours, retentionMs, inlineAnswers, redact = NO_PLATFORM.redact } = config;
  return {
    ...(hours === undefined ? {} : { hours }),
    ...(retentionMs === undefined ? {} : { retainMs: retentionMs ?? ("forever" as const) }),
    deliveryRetainMs: config.deliveryRetentionMs ?? NO_PLATFORM.deliveryRetainMs,
    checkRetainMs: config.checkRetentionMs ?? NO_PLATFORM.checkRetainMs,
    ...(inlineAnswers === undefined ? {} : { inlineAnswers }),
    redact,
  };
}

function closes(config: ChannelConfig): boolean {
  return config.kind === "webhook" && closesAlerts(config.preset);
}

interface Parts {
  readonly env: Environment;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

export function addressesOf({ people }: Pick<Config, "people">): (name: string) => string | undefined {
  return (name) => (Object.hasOwn(people, name) ? people[name]?.email : undefined);
}

export function channelsFrom(
  { channels, people }: Pick<Config, "channels" | "people">,
  parts: Parts,
): Readonly<Record<string, Channel>> {
  const addressOf = addressesOf({ people });
  return Object.fromEntries(
    Object.entries(channels).flatMap(([name, config]) =>
      isChat(config) ? [] : [[name, channelFrom(name, config, addressOf, parts)] as const],
    ),
  );
}

/** The bots of the configured chat channels. Their tokens come from the environment only. */
export function chatsFrom(
  { channels }: Pick<Config, "channels">,
  { env, clock }: Pick<Parts, "env" | "clock">,
): ChatBots {
  return Object.fromEntries(
    Object.entries(channels).flatMap(([name, config]) =>
      isChat(config) ? [[name, botFrom(name, config, env, clock)] as const] : [],
    ),
  );
}

/** What makes bots that are connected in the console. */
export function chatPlatformsFrom({
  chatApiUrls,
}: Pick<Config, "chatApiUrls">): NonNullable<ServerOptions["chatPlatforms"]> {
  return Object.fromEntries(
    Object.entries(PLATFORMS).map(([kind, factory]) => {
      const apiUrl = chatApiUrls[kind]?.replace(/\/+$/, "");
      return [kind, (parts) => factory({ ...parts, ...(apiUrl === undefined ? {} : { apiUrl }) })];
    }),
  );
}

export function botFrom(name: string, config: ChatConfig, env: Environment, clock: Clock): ChatBot {
  const factory = PLATFORMS[config.kind];
  if (factory === undefined)
    throw new ConfigError(`channels.${name}: this version has no support for ${config.kind} yet`);
  const appToken = "app_token_env" in config ? { appToken: secretIn(name, config.app_token_env, env) } : {};
  const platform = factory({
    ...{ name, clock, token: secretIn(name, config.token_env, env), ...appToken },
    ...(config.api_url === undefined ? {} : { apiUrl: config.api_url.replace(/\/+$/, "") }),
  });
  return {
    ...{ name, platform, isFull: config.show === "full", isAlways: config.buttons === "always" },
    isByEmail: config.link_by === "email",
  };
}

export function isChat(config: ChannelConfig): config is ChatConfig {
  return "token_env" in config;
}

function channelFrom(
  name: string,
  config: Exclude<ChannelConfig, ChatConfig>,
  addressOf: (name: string) => string | undefined,
  { env, outgoing, clock }: Parts,
): Channel {
  if (config.kind === "webhook") {
    const { preset, url } = config;
    const secret = secretOf(name, config, env);
    const receiver = {
      ...{ url, ...(preset === undefined ? {} : { preset }) },
      ...(secret === undefined ? {} : { secret }),
    };
    const why = whyNotReceiver(receiver);
    if (why !== null) throw new ConfigError(`channels.${name}: ${why}`);
    return receiverChannel(receiver, { outgoing, clock });
  }
  const { server, from } = mailFrom(name, config, env);
  const [to] = config.to ?? [];
  return emailChannel({ server, from, addressOf, ...(to === undefined ? {} : { to }) });
}

/** The identity providers, and the e-mail channel that sends sign-in links: one of the file, or one that is connected in the console. */
export function signInFrom(
  { signIn, channels }: Pick<Config, "signIn" | "channels">,
  env: Environment,
): NonNullable<ServerOptions["signIn"]> {
  const { emailChannel: name, ...rest } = signIn;
  const config = name === undefined ? undefined : channels[name];
  if (name === undefined || config?.kind !== "email") return rest;
  const { server, from } = mailFrom(name, config, env);
  return { ...rest, sendLetter: lettersBy(server, from) };
}

function mailFrom(name: string, config: Extract<ChannelConfig, { kind: "email" }>, env: Environment) {
  const from = readSender(config.from);
  if (from === null) throw new ConfigError(`channels.${name}: from is not an e-mail address: ${config.from}`);
  return { from, server: smtpServer(name, config, secretOf(name, config, env)) };
}

function secretOf(
  name: string,
  { secret_env: variable }: Exclude<ChannelConfig, ChatConfig>,
  env: Environment,
): string | undefined {
  return variable === undefined ? undefined : secretIn(name, variable, env);
}

function secretIn(name: string, variable: string, env: Environment): string {
  const secret = env[variable];
  if (secret === undefined)
    throw new ConfigError(`channels.${name}: the environment variable ${variable} is not set`);
  return secret;
}

const SMTP_PORTS = { "smtp:": 587, "smtps:": 465 } as const;

export function smtpServer(
  name: string,
  { url: text, user, tls = "required" }: Extract<ChannelConfig, { kind: "email" }>,
  password: string | undefined,
): SmtpServer {
  const url = URL.parse(text);
  if (url === null || !isSmtp(url.protocol) || url.hostname === "" || url.username !== "") {
    throw new ConfigError(`channels.${name}: url must be smtp://host[:port] or smtps://host[:port]`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    host,
    port: url.port === "" ? SMTP_PORTS[url.protocol] : Number(url.port),
    isSecure: url.protocol === "smtps:",
    requireTls: tls === "required" && !isLocalHost(url.hostname),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
  };
}

function isSmtp(protocol: string): protocol is keyof typeof SMTP_PORTS {
  return Object.hasOwn(SMTP_PORTS, protocol);
}

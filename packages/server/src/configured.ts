/** Builds the outgoing client, the channels and the platform settings from the configuration. */

import { readAllowList } from "./channels/allow-list.ts";
import type { Channel } from "./channels/channel.ts";
import { readSender } from "./channels/email/address.ts";
import { emailChannel } from "./channels/email/channel.ts";
import { type SmtpServer, sendMail } from "./channels/email/smtp.ts";
import { createOutgoing, type Outgoing } from "./channels/outgoing.ts";
import { upstreamAt } from "./channels/upstream/upstream.ts";
import { webhookChannel } from "./channels/webhook/channel.ts";
import { CONSOLE } from "./deliveries.ts";
import type { SendLetter } from "./identity/email-sign-in.ts";
import { NO_PLATFORM, type Platform } from "./kernel/platform.ts";
import type { ServerOptions } from "./server.ts";
import type { Clock } from "./system/clock.ts";
import {
  type ChannelConfig,
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
  Partial<Pick<Config, "maxOpenChecks" | "grantMaxMs" | "standingMs" | "hours">>;

/** Agents may notify the configured people, by name or address, and whatever `notify_allow` adds. */
export function platformFrom(config: Settings): Platform {
  const { agentLinks, channels, people, notifyAllow, defaultChannel, defaultRetryPolicy } = config;
  const { maxOpenChecks = NO_PLATFORM.maxOpenChecks, grantMaxMs = NO_PLATFORM.grantMaxMs } = config;
  const { standingMs = NO_PLATFORM.standingMs } = config;
  if (
    defaultChannel !== undefined &&
    defaultChannel !== CONSOLE &&
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
    ...(config.hours === undefined ? {} : { hours: config.hours }),
    notify: {
      allow: [...known, ...notifyAllow],
      channels: Object.fromEntries(Object.entries(channels).map(([name, { to = [] }]) => [name, to])),
      ...(defaultChannel === undefined ? {} : { defaultChannel }),
    },
  };
}

interface Parts {
  readonly env: Environment;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

export function channelsFrom(
  { channels, people }: Pick<Config, "channels" | "people">,
  parts: Parts,
): Readonly<Record<string, Channel>> {
  const addressOf = (name: string) => (Object.hasOwn(people, name) ? people[name]?.email : undefined);
  return Object.fromEntries(
    Object.entries(channels).map(([name, config]) => [name, channelFrom(name, config, addressOf, parts)]),
  );
}

function channelFrom(
  name: string,
  config: ChannelConfig,
  addressOf: (name: string) => string | undefined,
  { env, outgoing, clock }: Parts,
): Channel {
  if (config.kind === "webhook") {
    const secret = secretOf(name, config, env);
    return webhookChannel(
      { url: config.url, secrets: secret === undefined ? [] : [secret] },
      { outgoing, clock },
    );
  }
  const { server, from } = mailFrom(name, config, env);
  const [to] = config.to ?? [];
  return emailChannel({ server, from, addressOf, ...(to === undefined ? {} : { to }) });
}

/** The identity providers, and the e-mail channel that sends sign-in links. */
export function signInFrom(
  { signIn, channels }: Pick<Config, "signIn" | "channels">,
  env: Environment,
): NonNullable<ServerOptions["signIn"]> {
  const { providers, emailChannel: name } = signIn;
  const config = name === undefined ? undefined : channels[name];
  if (name === undefined || config?.kind !== "email") return { providers };
  const { server, from } = mailFrom(name, config, env);
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  const sendLetter: SendLetter = (to, letter, id) =>
    sendMail(server, { messageId: `<${id}@${domain}>`, from, to, ...letter });
  return { providers, sendLetter };
}

function mailFrom(name: string, config: Extract<ChannelConfig, { kind: "email" }>, env: Environment) {
  const from = readSender(config.from);
  if (from === null) throw new ConfigError(`channels.${name}: from is not an e-mail address: ${config.from}`);
  return { from, server: smtpServer(name, config, secretOf(name, config, env)) };
}

function secretOf(
  name: string,
  { secret_env: variable }: ChannelConfig,
  env: Environment,
): string | undefined {
  if (variable === undefined) return undefined;
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

/**
 * Configuration: the environment first, then `holdpoint.yaml`, then defaults that suit a laptop. It is read and checked
 * completely before anything starts; an error names the setting.
 */

import { dirname, resolve } from "node:path";
import {
  Duration,
  HoursIn,
  KeptDays,
  RedactPatterns,
  RetentionDays,
  RotationIn,
  RulesIn,
} from "@holdpoint/protocol";
import { checkRules, type RuleSet } from "@holdpoint/protocol/gating";
import { parseDuration } from "@holdpoint/protocol/rules";
import * as z from "zod";
import type { BusinessHours } from "../kernel/hold/business-hours.ts";
import { hoursFrom } from "../kernel/hold/hours-text.ts";
import { PERSON_ROLES, standsForPerson } from "../kernel/people/person.ts";
import { AGENT_LINKS, type AgentLinks, NO_PLATFORM } from "../kernel/platform.ts";
import { type KeyRole, ROLES } from "../kernel/principal.ts";
import type { Rota } from "../kernel/server/rota.ts";
import { type AgUiConfig, AgUiFile, readAgUi } from "./agui-config.ts";
import { createJudge } from "./judge.ts";
import { McpFile, type McpOAuth, readMcp } from "./mcp-config.ts";
import { type OpenIntentFile, readOpenIntentFile } from "./openintent-file.ts";
import { whyNotPatterns } from "./redact.ts";
import { SECRET_KEY_LENGTH } from "./secret-key.ts";
import { readSignIn, type SignInConfig, SignInFile } from "./sign-in-config.ts";
import { ConfigError, type Environment, readYaml } from "./yaml-file.ts";

export { ConfigError, type Environment };

const DAY_MS = 86_400_000;
const DELIVERY_RETENTION_DAYS = 30;
const CHECK_RETENTION_DAYS = 30;
const DRAIN_SECONDS_MAX = 300;

const common = {
  url: z.string().min(1),
  /** The environment variable with the secret, so that no secret is in a file. */
  secret_env: z.string().min(1).optional(),
  /** The default recipients. */
  to: z.array(z.string().min(1).max(320)).max(100).optional(),
};

/** Chat platforms: people press buttons there. `token_env` and `app_token_env` name environment variables. */
const chat = {
  token_env: z.string().min(1),
  /** The root of the platform's API: a gateway, or a fake for tests. */
  api_url: z.url({ protocol: /^https?$/ }).optional(),
  to: z
    .union([z.string().min(1).max(320), z.array(z.string().min(1).max(320)).max(100)])
    .transform((to) => (typeof to === "string" ? [to] : to))
    .optional(),
  /** `full`: the ask's context is shown in the chat. */
  show: z.literal("full").optional(),
  /** `always`: people may decide in the chat although some of the context is not shown there. */
  buttons: z.literal("always").optional(),
  /** `email`: an account with a person's e-mail address, verified by the platform, counts as linked. */
  link_by: z.literal("email").optional(),
};

/** For bots that are connected in the console. */
const ChatApiUrls = z.partialRecord(z.enum(["telegram", "slack", "discord"]), chat.api_url.unwrap());

/** Receivers with a format of their own. */
const WEBHOOK_PRESETS = ["teams", "pagerduty", "ntfy"] as const;

const Channel = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("telegram"), ...chat }),
  z.strictObject({ kind: z.literal("slack"), ...chat, app_token_env: z.string().min(1) }),
  z.strictObject({ kind: z.literal("discord"), ...chat }),
  z.strictObject({ kind: z.literal("webhook"), preset: z.enum(WEBHOOK_PRESETS).optional(), ...common }),
  z.strictObject({
    kind: z.literal("email"),
    ...common,
    user: z.string().min(1).optional(),
    from: z.string().min(3),
    /** `optional`: mail may be sent without TLS. On this machine TLS is never required. */
    tls: z.enum(["required", "optional"]).optional(),
  }),
]);

const Name = z.string().min(1).max(100);

/** The people of every workspace. A server writes them to its database when it starts. */
const PersonFile = z.strictObject({
  name: Name.optional(),
  email: z.string().min(3).optional(),
  role: z.enum(PERSON_ROLES).optional(),
  time_zone: Name.optional(),
  language: Name.optional(),
});

/** A team is a list of people, or that list with a name to show. */
const TeamFile = z
  .union([z.array(Name), z.strictObject({ name: Name.optional(), members: z.array(Name) })])
  .transform((team) => (Array.isArray(team) ? { members: team } : team));

/** Who is on call: a rotation of people, or an iCalendar file. */
const RotaFile = z.union([
  // A span that cannot be read is named with its rota, which a union cannot do.
  RotationIn.extend({ every: z.string() }),
  z.strictObject({ ical: z.string().min(1) }),
]);

const File = z.strictObject({
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  public_url: z.url({ protocol: /^https?$/ }).optional(),
  database_url: z.string().min(1).optional(),
  webhook_allow: z.array(z.string().min(1)).optional(),
  /** Origins whose pages may use browser tokens. */
  cors_origins: z.array(z.string().min(1)).optional(),
  trusted_proxies: z.array(z.string().min(1)).optional(),
  allow_dev_key: z.boolean().optional(),
  channels: z.record(z.string().regex(/^[a-z][\w-]{0,63}$/), Channel).optional(),
  /** The roots of the chat platforms' APIs for bots that are connected in the console. */
  chat_api_urls: ChatApiUrls.optional(),
  /** The channel for notices that name none. */
  default_channel: z.string().min(1).optional(),
  /** Recipients besides `people` that agents may notify; `*@example.com` allows a whole domain. */
  notify_allow: z.array(z.string().min(1)).optional(),
  people: z.record(Name, PersonFile).optional(),
  teams: z.record(Name, TeamFile).optional(),
  hours: HoursIn.optional(),
  oncall: z.record(Name, RotaFile).optional(),
  sign_in: SignInFile.optional(),
  agui: AgUiFile.optional(),
  mcp: McpFile.optional(),
  retention_days: RetentionDays.optional(),
  /** How long settled messages are kept. */
  delivery_retention_days: KeptDays.optional(),
  drain_seconds: z.number().min(0).max(DRAIN_SECONDS_MAX).optional(),
  /** `false`: agents get no tokens for inline answers. */
  inline_answers: z.boolean().optional(),
  /** Which askers get review links: nobody, those of HITL cases, or everyone who asks for one. */
  agent_links: z.enum(AGENT_LINKS).optional(),
  openintent: z
    .strictObject({
      /** Who has access to new intents that are not shared by name: their creators, or everyone of the workspace. */
      default_access: z.enum(["owner", "open"]).optional(),
    })
    .optional(),
  /** RE2 regular expressions. What they match is removed from notifications. */
  rules: z.union([RulesIn, RulesIn.shape.rules]).optional(),
  /** The verdict on calls that none of the `rules` matches. */
  default: RulesIn.shape.default.optional(),
  max_open_checks: z.int().min(1).optional(),
  grant_max: Duration.optional(),
  /** How long a standing permission lasts; 0: every call is checked before it runs. */
  standing_allow_ms: z.int().min(0).max(10_000).optional(),
  check_retention_days: KeptDays.optional(),
  /** How much room the uploaded files of one workspace may take. */
  file_quota_mb: z.number().positive().optional(),
  redact: RedactPatterns.check(redactable).optional(),
});

export type ChannelConfig = z.infer<typeof Channel>;
export type ChatConfig = Extract<ChannelConfig, { readonly token_env: string }>;

export interface ConfiguredKey {
  readonly secret: string;
  readonly role: KeyRole;
  readonly name: string;
  readonly workspace: string;
}

export interface Config extends OpenIntentFile {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly home: string;
  readonly databaseUrl: string;
  readonly apiKeys: readonly ConfiguredKey[];
  readonly webhookAllow: string;
  readonly corsOrigins: readonly string[];
  /** Addresses and ranges, separated by commas. */
  readonly trustedProxies: string;
  readonly signingKeyFile: string;
  /** The RSA key for results of HITL cases, in the same folder. */
  readonly resultKeyFile: string;
  /** What tokens in the database are encrypted with. Absent: the key in `secretKeyFile`. */
  readonly secretKey: string | undefined;
  /** In the same folder. */
  readonly secretKeyFile: string;
  /** The root of a chat platform's API for bots that are connected in the console: a gateway, or a fake for tests. */
  readonly chatApiUrls: Readonly<Record<string, string>>;
  /** The last checkpoint that this server signed, in the same folder. */
  readonly anchorFile: string;
  /** Bound to loopback and known by a local address: no other machine can reach the server. */
  readonly isLocal: boolean;
  readonly allowDev: boolean;
  readonly channels: Readonly<Record<string, ChannelConfig>>;
  readonly defaultChannel: string | undefined;
  readonly notifyAllow: readonly string[];
  readonly people: Readonly<Record<string, z.infer<typeof PersonFile>>>;
  readonly teams: Readonly<Record<string, z.infer<typeof TeamFile>>>;
  readonly hours: BusinessHours;
  readonly rotas: Readonly<Record<string, Rota>>;
  readonly signIn: SignInConfig;
  readonly mcpOAuth: McpOAuth | undefined;
  readonly retentionMs: number | null;
  readonly deliveryRetentionMs: number;
  readonly inlineAnswers: boolean;
  readonly agentLinks: AgentLinks;
  /** Who has access to new OpenIntent intents that are not shared by name. */
  readonly defaultAccess: "owner" | "open";
  readonly agUi: AgUiConfig;
  readonly redact: readonly string[];
  /** Rules for tool calls, published at the start unless somebody has published others since. */
  readonly rules: RuleSet | undefined;
  readonly maxOpenChecks: number;
  readonly grantMaxMs: number;
  readonly standingMs: number;
  readonly checkRetentionMs: number;
  readonly fileBytesMax: number;
  /** How long a stopping server still serves requests while it reports not ready. */
  readonly drainMs: number;
}

export function readConfig(env: Environment, workingFolder: string): Config {
  const file = readFile(env, workingFolder);
  const portText = env["HOLDPOINT_PORT"] ?? env["OPENINTENT_PORT"];
  const port = portText === undefined ? (file.port ?? 4100) : readPort(portText);
  const publicUrl = readPublicUrl(
    env["HOLDPOINT_PUBLIC_URL"] ?? file.public_url ?? `http://localhost:${port}`,
  );
  const home = resolve(workingFolder, env["HOLDPOINT_HOME"] ?? ".holdpoint");
  const signingKeyFile = resolve(
    workingFolder,
    env["HOLDPOINT_SIGNING_KEY_FILE"] ?? resolve(home, "signing-key.json"),
  );
  const host = env["HOLDPOINT_HOST"] ?? env["OPENINTENT_HOST"] ?? file.host ?? "127.0.0.1";
  const apiKeys = [
    ...readApiKeys(env["HOLDPOINT_API_KEYS"] ?? ""),
    ...readApiKeys(withRoles(env["OPENINTENT_API_KEYS"] ?? "")),
  ];
  const isLocalServer = isLoopback(host) && isLocal(publicUrl);
  return {
    host,
    port,
    publicUrl,
    home,
    databaseUrl:
      env["HOLDPOINT_DATABASE_URL"] ?? file.database_url ?? `sqlite:${resolve(home, "holdpoint.db")}`,
    apiKeys,
    corsOrigins: readOrigins(env["HOLDPOINT_CORS_ORIGINS"]?.split(",") ?? file.cors_origins ?? []),
    trustedProxies: env["HOLDPOINT_TRUSTED_PROXIES"] ?? (file.trusted_proxies ?? []).join(","),
    webhookAllow: env["HOLDPOINT_WEBHOOK_ALLOW"] ?? (file.webhook_allow ?? []).join(","),
    signingKeyFile,
    resultKeyFile: resolve(dirname(signingKeyFile), "result-key.json"),
    secretKey: readSecretKey(env),
    secretKeyFile: resolve(dirname(signingKeyFile), "secret-key"),
    chatApiUrls: file.chat_api_urls ?? {},
    anchorFile: resolve(dirname(signingKeyFile), "last-checkpoint.json"),
    isLocal: isLocalServer,
    allowDev: isLocalServer || (readFlag(env, "HOLDPOINT_ALLOW_DEV_KEY") ?? file.allow_dev_key ?? false),
    channels: file.channels ?? {},
    defaultChannel: file.default_channel,
    notifyAllow: file.notify_allow ?? [],
    people: file.people ?? {},
    teams: readTeams(file, apiKeys),
    hours: hoursFrom(file.hours),
    rotas: readRotas(file.oncall ?? {}, workingFolder),
    signIn: readSignIn(file.sign_in, file.channels ?? {}, env),
    mcpOAuth: readMcp(file.mcp),
    inlineAnswers: file.inline_answers ?? true,
    agentLinks: readAgentLinks(env) ?? file.agent_links ?? (isLocalServer ? "always" : "hitl"),
    defaultAccess: file.openintent?.default_access ?? "owner",
    retentionMs: typeof file.retention_days === "number" ? file.retention_days * DAY_MS : null,
    deliveryRetentionMs: (file.delivery_retention_days ?? DELIVERY_RETENTION_DAYS) * DAY_MS,
    ...readOpenIntentFile(env, workingFolder),
    redact: file.redact ?? [],
    rules: readRules(file),
    maxOpenChecks: file.max_open_checks ?? NO_PLATFORM.maxOpenChecks,
    grantMaxMs:
      (file.grant_max === undefined ? null : parseDuration(file.grant_max)) ?? NO_PLATFORM.grantMaxMs,
    standingMs: file.standing_allow_ms ?? NO_PLATFORM.standingMs,
    checkRetentionMs: (file.check_retention_days ?? CHECK_RETENTION_DAYS) * DAY_MS,
    fileBytesMax:
      file.file_quota_mb === undefined ? NO_PLATFORM.fileBytesMax : file.file_quota_mb * 1024 * 1024,
    drainMs: 1_000 * (readSeconds(env, "HOLDPOINT_DRAIN_SECONDS") ?? file.drain_seconds ?? 0),
    agUi: readAgUi(file.agui, env),
  };
}

/** Servers that share a database share the key, so that each can read the tokens that another one stored. */
function readSecretKey(env: Environment): string | undefined {
  const key = env["HOLDPOINT_SECRET_KEY"];
  if (key !== undefined && key.length < SECRET_KEY_LENGTH)
    throw new ConfigError(`HOLDPOINT_SECRET_KEY: use at least ${SECRET_KEY_LENGTH} random characters`);
  return key;
}

/** `rules:` is the list of rules, or the whole set with `rules`, `default` and `mode`. */
function readRules({ rules, default: byDefault = "ask" }: z.infer<typeof File>): RuleSet | undefined {
  if (rules === undefined) return undefined;
  const set = "rules" in rules ? rules : { rules };
  const read = { default: byDefault, mode: "enforce" as const, ...set } as RuleSet & {
    readonly note?: string;
  };
  const [problem] = checkRules(read, createJudge());
  if (problem !== undefined) throw new ConfigError(`rules: ${problem.key}: ${problem.message}`);
  return { rules: read.rules, default: read.default, mode: read.mode };
}

/** Members are people of the file, or people whom a configured key stands for. */
function readTeams(
  { people = {}, teams = {} }: z.infer<typeof File>,
  apiKeys: readonly ConfiguredKey[],
): Config["teams"] {
  const keys = apiKeys.filter(standsForPerson).map(({ name }) => name);
  const known = new Set([...Object.keys(people), ...keys]);
  for (const [team, { members }] of Object.entries(teams)) {
    const unknown = members.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new ConfigError(`teams.${team}: ${unknown} is not listed under people; add the person there`);
  }
  return teams;
}

function readRotas(
  rotas: Readonly<Record<string, z.infer<typeof RotaFile>>>,
  workingFolder: string,
): Config["rotas"] {
  return Object.fromEntries(
    Object.entries(rotas).map(([name, rota]): [string, Rota] => {
      if ("ical" in rota) return [name, { kind: "ical", file: resolve(workingFolder, rota.ical) }];
      const everyMs = parseDuration(rota.every);
      if (everyMs === null)
        throw new ConfigError(`oncall.${name}.every: ${rota.every} is not a duration such as 7d`);
      return [name, { kind: "rotation", people: rota.people, everyMs, from: Date.parse(rota.from) }];
    }),
  );
}

function readSeconds(env: Environment, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  const seconds = Number(text);
  if (seconds >= 0 && seconds <= DRAIN_SECONDS_MAX) return seconds;
  throw new ConfigError(`${name}: ${text} is not a number of seconds up to ${DRAIN_SECONDS_MAX}`);
}

function readFile(env: Environment, workingFolder: string): z.infer<typeof File> {
  const { path, content } = readYaml(env, "HOLDPOINT_CONFIG", workingFolder, "holdpoint.yaml");
  const parsed = File.safeParse(content ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError(`${path}: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** RE2 has no lookaround and no back-references, so no text can make a pattern backtrack. */
function redactable({ value, issues }: z.core.ParsePayload<readonly string[]>): void {
  for (const { index, why } of whyNotPatterns(value))
    issues.push({ code: "custom", message: why, input: value[index], path: [index] });
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new ConfigError(`HOLDPOINT_PORT is not a port: ${text}. Use a number from 0 to 65535`);
  return port;
}

/** Review links contain a secret, so they need https beyond this machine. */
function readPublicUrl(text: string): string {
  if (!URL.canParse(text)) throw new ConfigError(`HOLDPOINT_PUBLIC_URL is not a URL: ${text}`);
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal(text))) {
    throw new ConfigError(`HOLDPOINT_PUBLIC_URL must start with https:// unless it is local: ${text}`);
  }
  return text.replace(/\/+$/, "");
}

function readOrigins(texts: readonly string[]): readonly string[] {
  const origins = texts.map((text) => text.trim()).filter((text) => text !== "");
  const wrong = origins.find((text) => !URL.canParse(text) || new URL(text).origin !== text);
  if (wrong === undefined) return origins;
  throw new ConfigError(
    `cors_origins (HOLDPOINT_CORS_ORIGINS) has ${wrong}, which is no origin. Write https://app.example.com, without a path`,
  );
}

export function isLocal(publicUrl: string): boolean {
  return isLocalHost(new URL(publicUrl).hostname);
}

export function isLocalHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/** Whether a server that listens on this host is reachable only from this machine. */
function isLoopback(host: string): boolean {
  return isLocalHost(host) || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function readAgentLinks(env: Environment): AgentLinks | undefined {
  const text = env["HOLDPOINT_AGENT_LINKS"];
  if (text === undefined || text === "") return undefined;
  const known = AGENT_LINKS.find((word) => word === text);
  if (known !== undefined) return known;
  throw new ConfigError(`HOLDPOINT_AGENT_LINKS: ${text} is not one of ${AGENT_LINKS.join(", ")}`);
}

function readFlag(env: Environment, name: string): boolean | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  if (["1", "true", "yes"].includes(text)) return true;
  if (["0", "false", "no"].includes(text)) return false;
  throw new ConfigError(`${name} must be true or false, not ${text}`);
}

/** Other OpenIntent servers have keys without roles. Here they become dev keys, which are for local trials only. */
function withRoles(text: string): string {
  const keys = text.split(",").map((part) => part.trim());
  return keys.map((key) => (key === "" || key.includes("=") ? key : `${key}=dev:dev`)).join(",");
}

/** `key=role:name[:workspace],…` */
function readApiKeys(text: string): readonly ConfiguredKey[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.lastIndexOf("=");
      const [role = "", name = "", workspace = "default"] = part.slice(at + 1).split(":");
      if (at < 1 || name === "" || !isRole(role)) {
        throw new ConfigError(
          "HOLDPOINT_API_KEYS must be a list of key=role:name[:workspace], separated by commas",
        );
      }
      return { secret: part.slice(0, at), role, name, workspace };
    });
}

function isRole(word: string): word is KeyRole {
  return (ROLES as readonly string[]).includes(word);
}

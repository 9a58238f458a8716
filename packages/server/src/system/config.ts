/**
 * Configuration: the environment first, then `holdpoint.yaml`, then defaults that suit a laptop. Read once, checked whole; what
 * is wrong is said with the name of the setting, before anything starts.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse as parseYaml } from "yaml";
import * as z from "zod";
import { type KeyRole, ROLES } from "../core/principal.ts";

const Channel = z.strictObject({
  kind: z.string().min(1),
  url: z.string().min(1).optional(),
  /** Name of the environment variable that holds the secret; secrets do not stand in files. */
  secret_env: z.string().min(1).optional(),
  to: z.array(z.string().min(1)).optional(),
});

const File = z.strictObject({
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  public_url: z.url({ protocol: /^https?$/ }).optional(),
  database_url: z.string().min(1).optional(),
  webhook_allow: z.array(z.string().min(1)).optional(),
  allow_dev_key: z.boolean().optional(),
  channels: z.record(z.string().regex(/^[a-z][\w-]{0,63}$/), Channel).optional(),
  /** Addresses besides `people` that agents may have notified. */
  notify_allow: z.array(z.string().min(1)).optional(),
  people: z.record(z.string().min(1), z.strictObject({ email: z.string().min(3).optional() })).optional(),
  retention_days: z.number().positive().optional(),
  /** `false`: no agent is given a token for inline answers. */
  inline_answers: z.boolean().optional(),
  /** Regular expressions; what they match is left out of notifications. */
  redact: z.array(z.string().min(1).refine(isPattern, "not a regular expression")).optional(),
});

export type ChannelConfig = z.infer<typeof Channel>;

export interface ConfiguredKey {
  readonly secret: string;
  readonly role: KeyRole;
  readonly name: string;
  readonly workspace: string;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly home: string;
  readonly databaseUrl: string;
  readonly apiKeys: readonly ConfiguredKey[];
  readonly webhookAllow: string;
  readonly signingKeyFile: string;
  /** Beside the other: RSA, for results of HITL cases. */
  readonly resultKeyFile: string;
  readonly allowDev: boolean;
  readonly channels: Readonly<Record<string, ChannelConfig>>;
  readonly notifyAllow: readonly string[];
  readonly people: Readonly<Record<string, { readonly email?: string | undefined }>>;
  readonly retentionMs: number | null;
  readonly inlineAnswers: boolean;
  readonly redact: readonly string[];
}

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment, workingFolder: string): Config {
  const file = readFile(env, workingFolder);
  const port = env["HOLDPOINT_PORT"] === undefined ? (file.port ?? 4100) : readPort(env["HOLDPOINT_PORT"]);
  const publicUrl = readPublicUrl(
    env["HOLDPOINT_PUBLIC_URL"] ?? file.public_url ?? `http://localhost:${port}`,
  );
  const home = resolve(workingFolder, env["HOLDPOINT_HOME"] ?? ".holdpoint");
  const signingKeyFile = resolve(
    workingFolder,
    env["HOLDPOINT_SIGNING_KEY_FILE"] ?? resolve(home, "signing-key.json"),
  );
  return {
    host: env["HOLDPOINT_HOST"] ?? file.host ?? "127.0.0.1",
    port,
    publicUrl,
    home,
    databaseUrl:
      env["HOLDPOINT_DATABASE_URL"] ?? file.database_url ?? `sqlite:${resolve(home, "holdpoint.db")}`,
    apiKeys: readApiKeys(env["HOLDPOINT_API_KEYS"] ?? ""),
    webhookAllow: env["HOLDPOINT_WEBHOOK_ALLOW"] ?? (file.webhook_allow ?? []).join(","),
    signingKeyFile,
    resultKeyFile: resolve(dirname(signingKeyFile), "result-key.json"),
    allowDev: isLocal(publicUrl) || (readFlag(env, "HOLDPOINT_ALLOW_DEV_KEY") ?? file.allow_dev_key ?? false),
    channels: file.channels ?? {},
    notifyAllow: file.notify_allow ?? [],
    people: file.people ?? {},
    inlineAnswers: file.inline_answers ?? true,
    retentionMs: file.retention_days === undefined ? null : file.retention_days * 86_400_000,
    redact: file.redact ?? [],
  };
}

function readFile(env: Environment, workingFolder: string): z.infer<typeof File> {
  const named = env["HOLDPOINT_CONFIG"];
  const path = resolve(workingFolder, named ?? "holdpoint.yaml");
  if (!existsSync(path)) {
    if (named !== undefined) throw new ConfigError(`HOLDPOINT_CONFIG names ${path}, which does not exist`);
    return {};
  }
  let content: unknown;
  try {
    content = parseYaml(readFileSync(path, "utf8")) ?? {};
  } catch (fault) {
    throw new ConfigError(`${path} is not YAML: ${(fault as Error).message}`, { cause: fault });
  }
  const parsed = File.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError(`${path}: ${issue?.path.join(".")}: ${issue?.message}`);
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "giu");
    return true;
  } catch {
    return false;
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new ConfigError(`HOLDPOINT_PORT is not a port: ${text}`);
  return port;
}

/** Review links carry a secret in their address, so beyond this machine they need https. */
function readPublicUrl(text: string): string {
  if (!URL.canParse(text)) throw new ConfigError(`HOLDPOINT_PUBLIC_URL is not an address: ${text}`);
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal(text))) {
    throw new ConfigError(`HOLDPOINT_PUBLIC_URL must be https unless it is local: ${text}`);
  }
  return text.replace(/\/+$/, "");
}

export function isLocal(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

function readFlag(env: Environment, name: string): boolean | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  if (["1", "true", "yes"].includes(text)) return true;
  if (["0", "false", "no"].includes(text)) return false;
  throw new ConfigError(`${name} is neither true nor false: ${text}`);
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
        throw new ConfigError("HOLDPOINT_API_KEYS wants key=role:name[:workspace], separated by commas");
      }
      return { secret: part.slice(0, at), role, name, workspace };
    });
}

function isRole(word: string): word is KeyRole {
  return (ROLES as readonly string[]).includes(word);
}

/** Where the server is and who is calling: from options, the environment, or the local credentials file, in this order. */

import {
  type ConnectionChoice,
  type ConnectionSources,
  type FoundCredentials,
  TerminalError,
} from "../../client/index.ts";

export interface Settings {
  readonly url: string;
  /** `null`: the caller is signed in otherwise, as a page is by its cookie. */
  readonly apiKey: string | null;
  readonly agent: string | undefined;
  readonly extraHeaders: () => Readonly<Record<string, string>>;
}

export interface SettingsOptions {
  /** Address of the server. Otherwise `HOLDPOINT_URL`, the credentials file, or the page's own origin. */
  readonly url?: string;
  /** Otherwise `HOLDPOINT_API_KEY` or the credentials file. `null` sends none: a page that is signed in by cookie. */
  readonly apiKey?: string | null;
  /** Name of the agent that asks; needed only with a key that stands for any agent. */
  readonly agent?: string;
  /** Headers for every call, asked for each time. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** What is around: an environment, a place to look for files, a page. All may be missing. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `url`: the address that the user named, whose file comes first. */
  readonly credentials: (url: string | undefined) => Promise<FoundCredentials | null>;
  readonly origin: string | undefined;
}

export async function resolveSettings(options: SettingsOptions, around: Surroundings): Promise<Settings> {
  const given = options.url ?? filled(around.env["HOLDPOINT_URL"]);
  const key = options.apiKey === undefined ? filled(around.env["HOLDPOINT_API_KEY"]) : options.apiKey;
  const publicUrl = filled(around.env["HOLDPOINT_PUBLIC_URL"]);
  const file = given === undefined || key === undefined ? await around.credentials(given ?? publicUrl) : null;
  const chosen = await connectionFrom({ url: given, key, publicUrl, file });
  if (!chosen.ok) throw misconfigured(chosen.why);
  const url = checked(chosen.url ?? around.origin);
  const { key: apiKey } = chosen;
  if (apiKey === undefined) throw missing("an API key", "HOLDPOINT_API_KEY", "apiKey");
  const { agent, headers = () => ({}) } = options;
  return { url, apiKey, agent, extraHeaders: headers };
}

/** Only Node finds files, so pages do not load what is said about them. */
async function connectionFrom(sources: ConnectionSources): Promise<ConnectionChoice> {
  if (sources.file === null) return { ok: true, url: sources.url, key: sources.key };
  const { chooseConnection } = await import("../../client/connection.ts");
  return chooseConnection(sources);
}

/** An empty variable is one that somebody meant to unset. */
function filled(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function checked(url: string | undefined): string {
  if (url === undefined) throw missing("the server's address", "HOLDPOINT_URL", "url");
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw misconfigured(
    `${JSON.stringify(url)} is no http address. Give one such as http://127.0.0.1:4100 in HOLDPOINT_URL or as the option \`url\``,
  );
}

function missing(what: string, variable: string, option: string): TerminalError {
  return misconfigured(
    `${what} is missing: set ${variable}, give the option \`${option}\`, or run \`npx holdpoint start\` in this folder`,
  );
}

export function misconfigured(message: string): TerminalError {
  return new TerminalError({ code: "misconfigured", status: 0, message });
}

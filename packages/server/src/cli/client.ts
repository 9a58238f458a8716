/** The command line's own connection: the local credentials file or the environment, and its door named in every call. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CREDENTIALS_FILE, readCredentials } from "@holdpoint/protocol/client";
import { Holdpoint } from "@holdpoint/sdk";
import { CliError, type Io } from "./io.ts";

export interface Connection {
  readonly url: string;
  readonly key: string;
}

export function connectionOf(io: Io): Connection {
  const { env } = io;
  const home = resolve(io.folder, env["HOLDPOINT_HOME"] ?? ".holdpoint");
  const path = resolve(home, CREDENTIALS_FILE);
  const file = existsSync(path) ? readCredentials(readFileSync(path, "utf8")) : null;
  const url = env["HOLDPOINT_URL"] ?? file?.url;
  const key = env["HOLDPOINT_API_KEY"] ?? file?.apiKey;
  if (url !== undefined && key !== undefined) return { url, key };
  throw new CliError(
    "there is no server here: run `npm start` first, or set HOLDPOINT_URL and HOLDPOINT_API_KEY",
  );
}

const DOOR = { "x-holdpoint-door": "cli" } as const;

export function holdpointOf(io: Io): Holdpoint {
  const { url, key: apiKey } = connectionOf(io);
  return new Holdpoint({ url, apiKey, headers: () => DOOR });
}

/** For what only people manage and agents have no client for. */
export async function callServer<T>(io: Io, method: string, path: string, body?: unknown): Promise<T> {
  const { url, key } = connectionOf(io);
  const reply = await reach(url, () =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const answer = (await reply.json()) as { code?: string; detail?: string; title?: string };
  if (reply.ok) return answer as T;
  throw new CliError(`${answer.detail ?? answer.title ?? reply.statusText} (${answer.code ?? reply.status})`);
}

/** Longer than any server that is well takes to say so. */
const REACH_MS = 5_000;

/**
 * Agents try for long to reach a server that is away; a person at a terminal wants to know at once. A refused connection is the
 * commonest trouble there is, and Node's words for it help nobody.
 */
export async function reach<T>(url: string, call: () => Promise<T>): Promise<T> {
  try {
    await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(REACH_MS) });
  } catch {
    throw new CliError(`nothing answers at ${url}: is the server running? (npm start)`);
  }
  return call();
}

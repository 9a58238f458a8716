/** The command line's connection: settings from the environment or the local credentials file. Every call names the door cli. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CREDENTIALS_FILE, readCredentials } from "@holdpoint/protocol/client";
import { type HttpHoldClient, httpHoldClient } from "@holdpoint/protocol/http";
import { START } from "./how-to-run.ts";
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
    `there is no server here: run \`${START}\` first, or set HOLDPOINT_URL and HOLDPOINT_API_KEY`,
  );
}

const DOOR = { "x-holdpoint-door": "cli" } as const;

export function holdClientOf(io: Io): HttpHoldClient {
  const { url, key: apiKey } = connectionOf(io);
  return httpHoldClient({ url, apiKey, headers: () => DOOR });
}

/** For operations that the hold client does not have, because only people use them. */
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

/** A healthy server answers the health check within this time. */
const REACH_MS = 5_000;

/**
 * Checks that the server is reachable before the call. The hold client would retry for a long time; a person at a terminal wants to
 * know at once, in clearer words than Node's connection error.
 */
export async function reach<T>(url: string, call: () => Promise<T>): Promise<T> {
  try {
    await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(REACH_MS) });
  } catch {
    throw new CliError(`cannot reach a server at ${url}. Is it running? (${START})`);
  }
  return call();
}

/** The command line's connection: settings from the environment or the local credentials file. Every call names the door cli. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  CREDENTIALS_FILE,
  chooseConnection,
  type FoundCredentials,
  readCredentials,
} from "@holdpoint/protocol/client";
import { type HttpHoldClient, httpHoldClient } from "@holdpoint/protocol/http";
import { START } from "./how-to-run.ts";
import { CliError, type Io } from "./io.ts";

export interface Connection {
  readonly url: string;
  readonly key: string;
  /** The home folder, if the key is the one of its credentials file. */
  readonly home?: string;
}

/** Where `holdpoint start` listens unless told otherwise. */
const USUAL_URL = "http://localhost:4100";

export function connectionOf(io: Io): Connection {
  const url = filled(io.env["HOLDPOINT_URL"]);
  const key = filled(io.env["HOLDPOINT_API_KEY"]);
  if (url !== undefined && key !== undefined) return { url, key };
  const home = homeOf(io);
  const file = credentialsIn(home, filled(io.env["HOLDPOINT_HOME"]) !== undefined);
  const chosen = chooseConnection({ url, key, publicUrl: filled(io.env["HOLDPOINT_PUBLIC_URL"]), file });
  if (!chosen.ok) throw new CliError(chosen.why);
  if (typeof chosen.key !== "string") throw nothingHere();
  return {
    url: chosen.url ?? USUAL_URL,
    key: chosen.key,
    ...(key === undefined ? { home } : {}),
  };
}

/** The connection of the credentials file in a folder that the user named. The environment does not count. */
export function connectionAt(home: string): Connection {
  const file = credentialsIn(home, true);
  if (file === null) throw nothingHere();
  return { url: file.url, key: file.apiKey, home };
}

/** The connection to an address that the user named. Only the environment has a key for it. */
export function connectionTo(url: string, { env }: Io): Connection {
  const key = filled(env["HOLDPOINT_API_KEY"]);
  if (key === undefined) throw new CliError(`there is no key for ${url}: set HOLDPOINT_API_KEY`);
  return { url, key };
}

function homeOf({ env, folder }: Io): string {
  return resolve(folder, filled(env["HOLDPOINT_HOME"]) ?? ".holdpoint");
}

function credentialsIn(home: string, isNamed: boolean): FoundCredentials | null {
  const path = resolve(home, CREDENTIALS_FILE);
  const found = existsSync(path) ? readCredentials(readFileSync(path, "utf8")) : null;
  return found === null ? null : { ...found, path, isNamed };
}

/** An empty variable is one that somebody meant to unset. */
function filled(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function nothingHere(): CliError {
  return new CliError(
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
      // A redirect could carry what is sent to a place that nobody named.
      redirect: "manual",
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  if (reply.status >= 300 && reply.status <= 399)
    throw new CliError(`${url} redirects elsewhere: give the address of the server itself`);
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

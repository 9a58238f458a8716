/**
 * Which server is called with which key, for SDK, command line and hooks.
 *
 * N1  A key goes only to the server it belongs to: the environment's key to the environment's address or to this machine, the
 *     file's key to the file's address (G9).
 * N2  A file that was only found, and may have come with a repository, counts only for a server on this machine, or whose address the
 *     user named: it cannot say where anything is sent. A file in a folder that the user named (`HOLDPOINT_HOME`, `--home`) counts for any.
 */

import type { Credentials } from "./credentials.ts";

export interface FoundCredentials extends Credentials {
  readonly path: string;
  /** In a folder that the user named, and not merely found in the current one or further up. */
  readonly isNamed: boolean;
}

export interface ConnectionSources {
  /** From options or the environment. */
  readonly url: string | undefined;
  /** From options or the environment. `null`: no key is sent. */
  readonly key: string | null | undefined;
  /** `HOLDPOINT_PUBLIC_URL`: names the server that is started here, which may have left the file. */
  readonly publicUrl?: string | undefined;
  readonly file: FoundCredentials | null;
}

export type ConnectionChoice =
  | { readonly ok: true; readonly url?: string | undefined; readonly key?: string | null | undefined }
  | { readonly ok: false; readonly why: string };

/** What is still missing is `undefined`; the caller says so in its own words. */
export function chooseConnection({ url, key, publicUrl, file }: ConnectionSources): ConnectionChoice {
  if (file === null || (url !== undefined && key !== undefined)) return { ok: true, url, key };
  const { path } = file;
  if (url !== undefined) {
    if (isSameServer(file.url, url)) return { ok: true, url, key: file.apiKey };
    return refused(
      `there is no key for ${url}: ${path} has one for ${file.url} only. Set HOLDPOINT_API_KEY to a key of ${url}, or leave the address out`,
    );
  }
  const isOwn = publicUrl !== undefined && isSameServer(file.url, publicUrl);
  if (typeof key === "string" && !isLoopback(file.url) && !isOwn)
    return refused(
      `the key has no address: ${path} names ${file.url}, which may not be where it belongs. Set HOLDPOINT_URL to the key's own server`,
    );
  if (isOwn || counts(file)) return { ok: true, url: file.url, key: key === undefined ? file.apiKey : key };
  return refused(
    `${path} names ${file.url}, which is not on this machine, and may have come with somebody's repository. ` +
      "If it is yours, set HOLDPOINT_URL to that address, or HOLDPOINT_HOME to its folder; otherwise set HOLDPOINT_URL and HOLDPOINT_API_KEY",
  );
}

function refused(why: string): ConnectionChoice {
  return { ok: false, why };
}

/** Whether the file may be used without its address being named (N2). */
export function counts({ isNamed, url }: Pick<FoundCredentials, "isNamed" | "url">): boolean {
  return isNamed || isLoopback(url);
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** `localhost` and `127.0.0.1` are one machine. */
export function isSameServer(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  if (a.origin === b.origin) return true;
  return isLoopback(one) && isLoopback(other) && a.protocol === b.protocol && a.port === b.port;
}

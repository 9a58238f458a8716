/**
 * Finds the credentials file that a local server leaves: in `HOLDPOINT_HOME`, or in a `.holdpoint` folder here or further
 * up. One that was only found and names a server elsewhere is passed over, unless the user named that address. Only on Node, and loaded only when wanted, so that pages never see it.
 */

import {
  CREDENTIALS_FILE,
  type Credentials,
  counts,
  type FoundCredentials,
  isSameServer,
  readCredentials,
} from "../../client/index.ts";

const HOME_FOLDER = ".holdpoint";

interface FileInfo {
  readonly uid: number;
}

interface Files {
  readFile(path: string, encoding: "utf8"): Promise<string>;
  stat(path: string): Promise<FileInfo>;
}

interface Paths {
  join(...parts: string[]): string;
  dirname(path: string): string;
  resolve(path: string): string;
}

export interface SearchStart {
  readonly folder: string;
  readonly home: string | undefined;
  /** The address that the user named, if any. */
  readonly url?: string | undefined;
  readonly uid: number | undefined;
}

/** The first for the named address; otherwise the first that may be used; otherwise the first that was found, so that the caller can say why it does not count. */
export async function findCredentials(start: SearchStart): Promise<FoundCredentials | null> {
  const [files, paths] = await nodeModules();
  const isNamed = isGiven(start.home);
  const { url } = start;
  let passedOver: FoundCredentials | null = null;
  let usable: FoundCredentials | null = null;
  for (const path of candidates(start, paths)) {
    const found = await credentialsAt(path, files, start.uid);
    if (found === null) continue;
    const here = { ...found, path, isNamed };
    if (url === undefined ? counts(here) : isSameServer(here.url, url)) return here;
    if (counts(here)) usable ??= here;
    else passedOver ??= here;
  }
  return usable ?? passedOver;
}

function isGiven(home: string | undefined): home is string {
  return home !== undefined && home !== "";
}

/** Named at run time, so that no bundler tries to follow. */
async function nodeModules(): Promise<[Files, Paths]> {
  const [files, paths] = ["node:fs/promises", "node:path"];
  return Promise.all([import(/* @vite-ignore */ files ?? ""), import(/* @vite-ignore */ paths ?? "")]);
}

function candidates({ folder, home }: SearchStart, paths: Paths): readonly string[] {
  if (isGiven(home)) return [paths.join(home, CREDENTIALS_FILE)];
  const found: string[] = [];
  for (let here = paths.resolve(folder); ; here = paths.dirname(here)) {
    found.push(paths.join(here, HOME_FOLDER, CREDENTIALS_FILE));
    if (paths.dirname(here) === here) return found;
  }
}

/** A file that somebody else put further up could send an agent to their server, so only one's own counts. */
async function credentialsAt(
  path: string,
  files: Files,
  uid: number | undefined,
): Promise<Credentials | null> {
  try {
    const { uid: owner } = await files.stat(path);
    if (uid !== undefined && owner !== uid) return null;
    return readCredentials(await files.readFile(path, "utf8"));
  } catch {
    return null;
  }
}

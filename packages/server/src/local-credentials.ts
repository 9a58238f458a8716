/** The local credentials file. SDK, command line and examples use it to find a server that was started on this machine. */

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CREDENTIALS_FILE, type Credentials, readCredentials } from "@holdpoint/protocol/client";
import { newKeySecret } from "./identity/secrets.ts";
import type { ApiKey } from "./kernel/access/access.ts";
import { SYSTEM } from "./kernel/principal.ts";
import type { Server } from "./server.ts";

export function credentialsPath(home: string): string {
  return join(home, CREDENTIALS_FILE);
}

/** The `dev` key of this home folder. It is made once; the file has it in clear text with mode 0600, the store has its hash. */
export async function localCredentials(server: Server, home: string, url: string): Promise<Credentials> {
  const path = credentialsPath(home);
  const before = existsSync(path) ? readCredentials(readFileSync(path, "utf8")) : null;
  const known = before !== null && (await isKnown(server, before.apiKey));
  const credentials = { url, apiKey: known ? before.apiKey : await makeDevKey(server) };
  keepOutOfGit(home);
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify({ url, api_key: credentials.apiKey }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return credentials;
}

/** The folder is mostly inside a repository, and its keys must not be committed. A folder of another name is the operator's. */
function keepOutOfGit(home: string): void {
  const path = join(home, ".gitignore");
  if (basename(home) === ".holdpoint" && !existsSync(path)) writeFileSync(path, "*\n");
}

async function isKnown(server: Server, secret: string): Promise<boolean> {
  const found = await server.identity.authenticate({
    apiKey: secret,
    sameOrigin: true,
    unsafe: false,
    ip: "startup",
  });
  return found.ok && found.caller.principal.role === "dev";
}

async function makeDevKey({ engine, ids }: Server): Promise<string> {
  const { secret, ...made } = newKeySecret(ids, engine.clock.now());
  const key: Omit<ApiKey, "madeAt" | "madeBy"> = { ...made, name: "dev", role: "dev" };
  const result = await engine.run({ kind: "make_key", workspace: "default", by: SYSTEM, key });
  if (!result.ok) throw new Error(`cannot make the dev key: ${result.failure.message}`);
  return secret;
}

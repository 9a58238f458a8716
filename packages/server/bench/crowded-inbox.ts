/** A server whose inbox is full, and a way in for a browser. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCredentials } from "../src/local-credentials.ts";
import { serve } from "../src/serve.ts";
import { readConfig } from "../src/system/config.ts";
import { fillInbox } from "./fill.ts";

export interface CrowdedInbox extends AsyncDisposable {
  readonly url: string;
  /** Where somebody is signed in by going there, once. */
  signIn(): Promise<string>;
  call(method: string, path: string, body?: object): Promise<Response>;
}

export async function crowdedInbox(holds: number): Promise<CrowdedInbox> {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-inbox-"));
  const own = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0" };
  const serving = await serve(readConfig(own, home), own, () => undefined);
  const { url, apiKey } = await localCredentials(serving.server, home, serving.address);
  await fillInbox(serving.server, holds);
  const call: CrowdedInbox["call"] = (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    url,
    call,
    async signIn() {
      const made = await call("POST", "/v1/sign-ins", { name: "ada", role: "admin" });
      const { pathname, search } = new URL(((await made.json()) as { url: string }).url);
      return url + pathname + search;
    },
    async [Symbol.asyncDispose]() {
      await serving.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

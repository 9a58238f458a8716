/** An agent in a process of its own, and a server before it that is told of it in its configuration. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

const AGENT = fileURLToPath(new URL("../../examples/langgraph-behind-proxy/agent.ts", import.meta.url));
export const APP_KEY = "the-key-of-the-shop";

export interface Scene extends AsyncDisposable {
  readonly server: ServerProcess;
  /** What the agent did: `resumed` for each resume it was sent, and each payment. */
  ledger(): readonly string[];
}

export async function scene(more: string): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-proxy-"));
  const ledger = join(folder, "ledger.txt");
  writeFileSync(ledger, "");
  const agent = spawn(
    process.execPath,
    ["--conditions=@holdpoint/source", AGENT, join(folder, "graph.db"), ledger],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const url = await addressOf(agent);
  const config = join(folder, "holdpoint.yaml");
  writeFileSync(config, `agui:\n  lease: 1s\n  proxies:\n    payer: { url: "${url}", ${more} }\n`);
  const server = await serverProcess({
    HOLDPOINT_CONFIG: config,
    HOLDPOINT_API_KEYS: `${APP_KEY}=app:shop`,
  });
  return {
    server,
    ledger: () => readFileSync(ledger, "utf8").split("\n").filter(Boolean),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      const gone = once(agent, "exit");
      agent.kill("SIGKILL");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function addressOf(agent: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    agent.stdout?.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
      const found = /agent at (\S+)/.exec(heard)?.[1];
      if (found !== undefined) resolve(found);
    });
    agent.once("exit", (code) => reject(new Error(`the agent ended with ${code}`)));
  });
}

export async function call(server: ServerProcess, key: string, path: string, body?: object) {
  const response = await fetch(`${server.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.text();
}

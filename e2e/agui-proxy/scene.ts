/** The example as its README says: an agent in a process of its own, a server that is told of it, and clients. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sseParser } from "@holdpoint/protocol/http";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const README = readFileSync(join(ROOT, "examples/langgraph-behind-proxy/README.md"), "utf8");
export const APP_KEY = "the-key-of-the-shop";

const blocks = (language: string) =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, text = ""]) => text,
  );

const [AGENT_COMMAND = "", ...CURLS] = blocks("sh");
const [YAML = ""] = blocks("yaml");
export const [LEDGER = ""] = blocks("text");

/** What the README's commands send. */
export const README_REQUESTS = CURLS.map((curl) => ({
  path: /http:\/\/localhost:4100(\S+)/.exec(curl)?.[1] ?? "",
  body: JSON.parse(/-d '([^']+)'/.exec(curl)?.[1] ?? "null") as { readonly threadId: string },
}));

export interface Scene extends AsyncDisposable {
  readonly server: ServerProcess;
  /** What the agent did: `resumed` for each resume it was sent, and each payment. */
  ledger(): readonly string[];
}

export async function scene(more: Readonly<Record<string, boolean>> = {}): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-proxy-"));
  const ledger = join(folder, "ledger.txt");
  writeFileSync(ledger, "");
  const agent = spawnAgent(folder);
  const url = await addressOf(agent);
  const config = join(folder, "holdpoint.yaml");
  const settings = Object.entries(more).map(([name, value]) => `, ${name}: ${value}`);
  const proxied = YAML.replace("http://127.0.0.1:8123/", url).replace(" }", `${settings.join("")} }`);
  writeFileSync(config, proxied.replace("agui:", "agui:\n  lease: 1s"));
  const server = await serverProcess({
    HOLDPOINT_CONFIG: config,
    HOLDPOINT_API_KEYS: `${APP_KEY}=app:shop`,
  });
  return {
    server,
    ledger: () => readFileSync(ledger, "utf8").split("\n").filter(Boolean),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await killed(agent);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The README's command, with files of this test's own and on a free port. */
function spawnAgent(folder: string): ChildProcess {
  const [, script = "", ...rest] = /(\S+agent\.ts) (\S+) (\S+) 8123$/.exec(AGENT_COMMAND.trim()) ?? [];
  if (rest.length !== 2) throw new Error(`not a command of the README: ${AGENT_COMMAND}`);
  const files = rest.map((name) => join(folder, name));
  return spawn(process.execPath, [join(ROOT, script), ...files, "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function addressOf(agent: ChildProcess): Promise<string> {
  return /agent at (\S+)/.exec(await saidLine(agent, "agent at"))?.[1] ?? "";
}

/** The first line with these words. */
export function saidLine(child: ChildProcess, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
      const line = heard
        .split("\n")
        .slice(0, -1)
        .find((each) => each.includes(words));
      if (line !== undefined) resolve(line);
    });
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${heard}`)));
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

export function lastEvent(sse: string) {
  return JSON.parse(sseParser().push(sse).at(-1)?.data ?? "null");
}

/** A real server in a process of its own, on a free port, over a real database; killed and started again as often as a test likes. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freshDatabaseUrl } from "../../packages/server/src/testing/fresh-database-url.ts";

const MAIN = fileURLToPath(new URL("../../packages/server/src/cli/main.ts", import.meta.url));

export interface ServerProcess extends AsyncDisposable {
  readonly home: string;
  /** As `HOLDPOINT_DATABASE_URL` has it. */
  readonly database: string;
  /** Of the running process; another one after each start. */
  readonly url: string;
  readonly key: string;
  /** On a free port, unless one is named. */
  start(port?: string): Promise<void>;
  /** A second process over the same home folder: how it ends, and what it says. */
  startAnother(): Promise<{ readonly code: number | null; readonly said: string }>;
  /** Not a good-bye: the process is gone between two instructions. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function serverProcess(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-e2e-"));
  const database = freshDatabaseUrl() ?? `sqlite:${join(home, "holdpoint.db")}`;
  const own = { HOLDPOINT_HOME: home, HOLDPOINT_DATABASE_URL: database };
  let child: ChildProcess | undefined;
  let credentials = { url: "", api_key: "" };

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  const server: ServerProcess = {
    home,
    database,
    get url() {
      return credentials.url;
    },
    get key() {
      return credentials.api_key;
    },
    async start(port = "0") {
      child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN, "start"], {
        env: { ...process.env, ...env, ...own, HOLDPOINT_PORT: port },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await said(child, "Next, in another terminal");
      credentials = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8"));
    },
    async startAnother() {
      const other = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN, "start"], {
        env: { ...process.env, ...env, ...own, HOLDPOINT_PORT: "0" },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let heard = "";
      other.stderr.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
      });
      const [code] = (await once(other, "exit")) as [number | null];
      return { code, said: heard };
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    async [Symbol.asyncDispose]() {
      await end("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

function said(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let heard = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
      if (heard.includes(words)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${heard}`)));
  });
}

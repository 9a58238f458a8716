/** The server process that is soaked, and requests to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/server/src/cli/main.ts", import.meta.url));
export const KEYS = { agent: "soak-agent-key", operator: "soak-operator-key" };

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export class SoakServer implements AsyncDisposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #home: string;
  readonly #port: number;
  readonly #process: ChildProcess;

  private constructor(home: string, port: number, process: ChildProcess) {
    this.#home = home;
    this.#port = port;
    this.#process = process;
  }

  static async start(): Promise<SoakServer> {
    const home = mkdtempSync(join(tmpdir(), "holdpoint-soak-"));
    const port = await freePort();
    const child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN, "start"], {
      cwd: home,
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...process.env,
        HOLDPOINT_PORT: String(port),
        HOLDPOINT_HOME: home,
        HOLDPOINT_API_KEYS: `${KEYS.agent}=agent:soak,${KEYS.operator}=operator:ada`,
      },
    });
    const server = new SoakServer(home, port, child);
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await server.call("GET", "/readyz").catch(() => undefined))?.status === 200) return server;
      await pause(100);
    }
    await server[Symbol.asyncDispose]();
    throw new Error("The server was not ready after 30 seconds.");
  }

  call(method: string, path: string, key?: string, body?: unknown): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      const to = { host: "127.0.0.1", port: this.#port, method, path, headers, agent: this.#agent };
      const sent = request(to, (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** On a connection of its own. Returns how to close it. */
  open(path: string, onReply: (reply: IncomingMessage) => void, onEnd: () => void): () => void {
    const headers = { authorization: `Bearer ${KEYS.operator}` };
    const sent = request({ host: "127.0.0.1", port: this.#port, path, headers }, (reply) => {
      reply.on("close", onEnd);
      onReply(reply);
    });
    sent.on("error", onEnd);
    sent.end();
    return () => sent.destroy();
  }

  memoryMiB(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const gone = new Promise((resolve) => this.#process.once("exit", resolve));
      this.#process.kill("SIGTERM");
      const isGone = await Promise.race([gone.then(() => true), pause(10_000, false)]);
      if (!isGone) this.#process.kill("SIGKILL");
      await gone;
    }
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Hosts in processes of their own, which die at any moment between an approval and its report. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { approvalKey } from "@holdpoint/gate/host";
import { type GateServer, overHttp, people } from "./world.fixture.ts";

const HOST = fileURLToPath(new URL("host.child.ts", import.meta.url));

interface Hosts extends AsyncDisposable {
  readonly server: GateServer;
  /** Begins to work when all are ready; how each ended, and what it said. */
  resume(...dies: readonly string[]): Promise<readonly string[]>;
  executions(): number;
  readonly key: string;
}

export async function approvedHosts(): Promise<Hosts> {
  const server = await overHttp();
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-hosts-"));
  const start = (...args: readonly string[]) => {
    const env = { ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.test.keys.agent };
    const argv = ["--conditions=@holdpoint/source", HOST, folder, ...args];
    const child = spawn(process.execPath, argv, { env, stdio: ["pipe", "pipe", "inherit"] });
    // One that is killed leaves its pipe behind.
    child.stdin.on("error", () => {});
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = once(child, "close").then(([code, signal]) =>
      code === 0 ? said.replace("ready\n", "") : signal,
    );
    return { child, ended, ready: once(child.stdout, "data") };
  };
  const proposalHash = await start("propose").ended;
  const key = approvalKey("acme", proposalHash);
  await people(server).approve(key);
  return {
    server,
    key,
    async resume(...dies) {
      const hosts = dies.map((moment) => start("resume", moment));
      await Promise.all(hosts.map(({ ready }) => ready));
      for (const { child } of hosts) child.stdin.write("go\n");
      return await Promise.all(hosts.map(({ ended }) => ended));
    },
    executions() {
      const file = join(folder, "executed");
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

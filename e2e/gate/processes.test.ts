/** Hosts in processes of their own, which die at every moment between an approval and its report. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { approvalKey } from "@holdpoint/gate/host";
import { describe, expect, test } from "vitest";
import { type GateServer, LEASE_MS, overHttp, people } from "./world.fixture.ts";

const HOST = fileURLToPath(new URL("host.child.ts", import.meta.url));

interface Hosts extends AsyncDisposable {
  readonly server: GateServer;
  /** Begins to work when all are ready; how each ended, and what it said. */
  resume(...dies: readonly string[]): Promise<readonly string[]>;
  executions(): number;
  readonly key: string;
}

async function approvedHosts(): Promise<Hosts> {
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

describe.concurrent("a host that is killed after the approval", { timeout: 120_000 }, () => {
  test("H3 a host that is killed before the claim executes once after its restart", async () => {
    await using hosts = await approvedHosts();
    expect(await hosts.resume("before-claim")).toEqual(["SIGKILL"]);
    expect(hosts.executions()).toBe(0);
    expect(await hosts.resume("never")).toEqual(["executed"]);
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere done"]);
    expect(hosts.executions()).toBe(1);
  });

  test("H3 a host that is killed after the claim leaves it unknown, and the call runs once a person has released it", async () => {
    await using hosts = await approvedHosts();
    const { server, key } = hosts;
    expect(await hosts.resume("after-claim")).toEqual(["SIGKILL"]);
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere claimed"]);
    await server.test.clock.advance(LEASE_MS);
    expect((await people(server).newest(key)).claim).toMatchObject({ state: "unknown" });
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere unknown"]);
    expect(hosts.executions()).toBe(0);
    await people(server).release(key);
    expect(await hosts.resume("never")).toEqual(["executed"]);
    expect(hosts.executions()).toBe(1);
  });

  test("H3 a host that is killed between execution and report leaves the claim unknown, and nobody repeats the call", async () => {
    await using hosts = await approvedHosts();
    expect(await hosts.resume("after-execution")).toEqual(["SIGKILL"]);
    await hosts.server.test.clock.advance(LEASE_MS);
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere unknown"]);
    expect(hosts.executions()).toBe(1);
  });

  test("H3 one of three host processes that resume at the same time executes, and the others are refused", async () => {
    await using hosts = await approvedHosts();
    const said = await hosts.resume("never", "never", "never");
    expect(said.filter((words) => words === "executed")).toHaveLength(1);
    expect(said.filter((words) => words.startsWith("claimed_elsewhere"))).toHaveLength(2);
    expect(hosts.executions()).toBe(1);
  });
});

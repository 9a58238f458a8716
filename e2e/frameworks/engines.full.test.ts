/** The recipe of docs/integrate/engines.md for Restate, run against its own server, and those that are only compiled. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Holdpoint } from "@holdpoint/sdk";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";
import { ProvingGround } from "./proving-ground.ts";

const MINUTES = 60_000;
let server: ServerProcess;
beforeAll(async () => {
  server = await serverProcess();
});
afterAll(async () => server?.[Symbol.asyncDispose]());

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { readonly port: number };
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

const environment = (folder: string) => ({
  ...process.env,
  ...{ HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.key, LEDGER: join(folder, "ledger.txt") },
});

describe("the recipe for Restate", () => {
  const children: ChildProcess[] = [];
  let ground: ProvingGround;
  let ingress: string;

  beforeAll(async () => {
    ground = new ProvingGround("restate");
    const [node, admin, open] = [await freePort(), await freePort(), await freePort()];
    const at = (port: number) => `127.0.0.1:${port}`;
    ingress = `http://${at(open)}`;
    const restate = spawn(
      join(ground.folder, "node_modules/.bin/restate-server"),
      ["--base-dir", join(ground.folder, "restate-data")],
      {
        env: {
          ...process.env,
          ...{ RESTATE_BIND_ADDRESS: at(node), RESTATE_ADMIN__BIND_ADDRESS: at(admin) },
          ...{ RESTATE_INGRESS__BIND_ADDRESS: at(open), RESTATE_DISABLE_TELEMETRY: "true" },
        },
        stdio: "ignore",
        detached: true,
      },
    );
    const service = spawn(process.execPath, ["--conditions=@holdpoint/source", "service.ts"], {
      cwd: ground.folder,
      env: { ...environment(ground.folder), INGRESS: ingress },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    children.push(restate, service);
    let said = "";
    service.stdout?.on("data", (text) => {
      said += text;
    });
    await vi.waitFor(() => expect(said).toMatch(/service at \d+/), { timeout: MINUTES });
    const uri = `http://127.0.0.1:${/service at (\d+)/.exec(said)?.[1]}`;
    const register = async () => {
      const headers = { "content-type": "application/json" };
      const reply = await fetch(`http://${at(admin)}/deployments`, {
        ...{ method: "POST", headers, body: JSON.stringify({ uri }) },
      });
      expect(reply.ok).toBe(true);
    };
    await vi.waitFor(register, { timeout: MINUTES, interval: 500 });
  }, 5 * MINUTES);

  afterAll(async () => {
    for (const child of children) {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode !== null || child.pid === undefined) continue;
      // The whole group: Restate's command only starts its server.
      process.kill(-child.pid, "SIGKILL");
      await gone;
    }
    ground?.[Symbol.dispose]();
  });

  test(
    "refunds what a person approved, once, and nothing that a person rejected",
    async () => {
      const hp = new Holdpoint({ url: server.url, apiKey: server.key });
      const refund = async (order: string, action: string) => {
        const reply = fetch(`${ingress}/refunds/${order}/refund`, {
          ...{ method: "POST", headers: { "content-type": "application/json" }, body: "80" },
        });
        const holdId = await vi.waitFor(
          async () => {
            const { holds } = await hp.list({ key: `refund:${order}` });
            expect(holds).toHaveLength(1);
            return holds[0]?.id ?? "";
          },
          { timeout: MINUTES / 2 },
        );
        await hp.answer(holdId, { action });
        return (await reply).json();
      };
      expect(await refund("1042", "approve")).toBe("refunded 1042");
      expect(await refund("1043", "reject")).toBe("not refunded: decided");
      expect(readFileSync(join(ground.folder, "ledger.txt"), "utf8")).toBe("1042 80\n");
    },
    2 * MINUTES,
  );
});

test(
  "the recipes for Inngest, Trigger.dev and Temporal compile against the real packages",
  () => {
    using ground = new ProvingGround("recipes");
    const tsc = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
    const { stdout, status } = spawnSync(tsc, ["-p", "tsconfig.json"], {
      cwd: ground.folder,
      encoding: "utf8",
    });
    expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
  },
  5 * MINUTES,
);

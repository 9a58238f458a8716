/** The recipe of docs/integrate/engines.md for Workflow DevKit, in its own runtime: it bundles workflows, so it needs our tarballs. */

import { spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainEnv, Stranger } from "../../tools/pack/stranger.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

const MINUTES = 60_000;
const INTEROP = fileURLToPath(new URL("../../interop/frameworks/workflow/", import.meta.url));

let server: ServerProcess;
let stranger: Stranger;
let folder: string;

beforeAll(async () => {
  server = await serverProcess();
  stranger = new Stranger();
  folder = stranger.project("workflow");
  cpSync(INTEROP, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const ours = ["@holdpoint/sdk", "@holdpoint/adapters"];
  stranger.install(folder, ours, "--ignore-scripts", "--legacy-peer-deps");
}, 8 * MINUTES);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  stranger?.[Symbol.dispose]();
});

test(
  "Workflow DevKit refunds what a person approved, once, and nothing that a person rejected",
  async () => {
    const ledger = join(folder, "ledger.txt");
    const env = plainEnv({ HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.key, LEDGER: ledger });
    const vitest = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run"], { cwd: folder, env });
    let said = "";
    for (const stream of [vitest.stdout, vitest.stderr]) {
      stream.on("data", (text) => {
        said += text;
      });
    }
    const code = await new Promise((resolve) => vitest.once("exit", resolve));
    expect(code, said).toBe(0);
    expect(readFileSync(ledger, "utf8")).toBe("1042 80\n");
  },
  5 * MINUTES,
);

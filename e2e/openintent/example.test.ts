/** The example, as its reader runs it: killed while it waits, answered meanwhile, started again. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Holdpoint } from "@holdpoint/sdk";
import { expect, test } from "vitest";
import { serverProcess } from "../support/server-process.ts";

const MAIN = fileURLToPath(new URL("../../examples/openintent-refund/main.ts", import.meta.url));
const KEYS = { HOLDPOINT_API_KEYS: "agent-key=agent:refunder,operator-key=operator:ada" };

test("G8 an agent that is killed while it waits receives the answer after its restart, and asks nobody twice", {
  timeout: 120_000,
}, async () => {
  await using server = await serverProcess(KEYS);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-refund-"));
  const start = () => {
    const child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN], {
      env: {
        ...process.env,
        HOLDPOINT_URL: server.url,
        HOLDPOINT_API_KEY: "agent-key",
        REFUND_FOLDER: folder,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    const asked = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes("asked:")) resolve();
      });
    });
    return { child, asked, ended: once(child, "close").then(() => said) };
  };
  try {
    const first = start();
    await first.asked;
    first.child.kill("SIGKILL");
    await first.ended;

    const person = new Holdpoint({ url: server.url, apiKey: "operator-key" });
    const { holds } = await person.list({ status: "open" });
    expect(holds).toMatchObject([
      { type: "selection", prompt: "Refund 80.00 EUR to Ada Park?", createdBy: "refunder" },
    ]);
    await person.answer(holds[0]?.id ?? "", { action: "select", data: { selected: ["approve"] } });

    const said = await start().ended;
    expect(said).toContain("refunded");
    expect(said).not.toContain("asked:");
    expect((await person.list()).holds).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

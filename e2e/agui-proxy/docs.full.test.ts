/** The guide's graph, as somebody who reads it would run it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Holdpoint } from "@holdpoint/sdk";
import { expect, test, vi } from "vitest";
import { serverProcess } from "../support/server-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GUIDE = "docs/integrate/langgraph.md";

test.each([
  ["the graph", 0, "{ refund: 'executed' }"],
  ["the graph with a plain interrupt", 1, "{ refund: 'refunded' }"],
  ["the workflow", 2, "done"],
])(
  "the guide's first run of %s waits for a person, and says how it ended",
  { timeout: 60_000 },
  async (_what, at, said) => {
    await using server = await serverProcess();
    const code =
      [...readFileSync(join(ROOT, GUIDE), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)][at]?.[1] ?? "";
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-guide-"));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "guide.mts"), code);
    const child = spawn(process.execPath, ["--conditions=@holdpoint/source", join(folder, "guide.mts")], {
      env: { ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.key },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      let heard = "";
      child.stdout.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
      });
      const operator = new Holdpoint({ url: server.url, apiKey: server.key });
      const [hold] = await vi.waitFor(
        async () => {
          const { holds } = await operator.list({ status: "open" });
          expect(holds).toHaveLength(1);
          return holds;
        },
        { timeout: 20_000 },
      );
      expect(hold?.prompt).toBe("Refund 80 EUR?");
      // Not `exit`, which may come before the last of what it says.
      const gone = once(child, "close");
      await operator.answer(hold?.id ?? "", { action: "approve" });
      expect(await gone).toEqual([0, null]);
      expect(heard.trim()).toBe(said);
    } finally {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

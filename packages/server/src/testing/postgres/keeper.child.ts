/** Keeps the PostgreSQL of one test run: the first test that needs it starts it, and it stops when the run ends in any way. */

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCluster } from "./cluster.ts";

const [folder = "", runner = ""] = process.argv.slice(2);

const cluster = await createCluster({ folder });

async function end(): Promise<void> {
  await cluster.stop("SIGQUIT");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

process.once("SIGTERM", () => void end());
setInterval(() => {
  try {
    process.kill(Number(runner), 0);
  } catch {
    void end();
  }
}, 1_000);

const ready = join(folder, "ready.json");
writeFileSync(`${ready}.new`, JSON.stringify({ pid: process.pid, port: cluster.port }));
renameSync(`${ready}.new`, ready);

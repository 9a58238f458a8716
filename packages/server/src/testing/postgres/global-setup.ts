/** Vitest's part: a place for the run's PostgreSQL, which nobody starts before a test asks for it, and its end. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keeperOf, POSTGRES_FOLDER, POSTGRES_RUNNER } from "./test-database.ts";

export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-postgres-"));
  process.env[POSTGRES_FOLDER] = folder;
  process.env[POSTGRES_RUNNER] = String(process.pid);
  return async () => {
    const pid = keeperOf(folder)?.pid;
    if (pid !== undefined) {
      process.kill(pid, "SIGTERM");
      while (existsSync(folder)) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

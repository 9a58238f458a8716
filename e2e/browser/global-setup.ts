/** Vitest's part: one server for all browser tests of a run, with a workspace for each file. */

import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";
import { serverProcess } from "../support/server-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly browserServerUrl: string;
    /** For the profiles of browsers. Absent in a project that has no such folder. */
    readonly browserFolder: string | undefined;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const files = globSync("*.test.ts", { cwd: import.meta.dirname });
  const keys = files.map((file) => `${keyOf(file)}=dev:dev:${workspaceOf(file)}`);
  const server = await serverProcess({ HOLDPOINT_API_KEYS: keys.join(",") });
  project.provide("browserServerUrl", server.url);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-browsers-"));
  project.provide("browserFolder", folder);
  return async () => {
    await server[Symbol.asyncDispose]();
    // A browser that is about to end still writes.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** The secret of the key that a test file has. */
export function keyOf(file: string): string {
  return `key-of-${workspaceOf(file)}`;
}

function workspaceOf(file: string): string {
  return basename(file, ".test.ts").replaceAll(".", "-");
}

/** Vitest's part: one server for all browser tests of a run, with a workspace for each file. */

import { globSync } from "node:fs";
import { basename } from "node:path";
import type { TestProject } from "vitest/node";
import { serverProcess } from "../support/server-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly browserServerUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const files = globSync("*.test.ts", { cwd: import.meta.dirname });
  const keys = files.map((file) => `${keyOf(file)}=dev:dev:${workspaceOf(file)}`);
  const server = await serverProcess({ HOLDPOINT_API_KEYS: keys.join(",") });
  project.provide("browserServerUrl", server.url);
  return async () => server[Symbol.asyncDispose]();
}

/** The secret of the key that a test file has. */
export function keyOf(file: string): string {
  return `key-of-${workspaceOf(file)}`;
}

function workspaceOf(file: string): string {
  return basename(file, ".test.ts").replaceAll(".", "-");
}

/** A server of its own for an attack: over a SQLite file as a user has it, or over PostgreSQL where the run is about that. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type TestServer,
  type TestServerOptions,
  testServer,
} from "../../packages/server/src/testing/test-server.ts";

export interface Found {
  readonly tried: number;
  readonly wrong: readonly string[];
  /** The time was up before everything was tried. */
  readonly isCut?: boolean;
  /** The longest turn of the server's event loop, where it was measured. */
  readonly pauseMs?: number;
}

export async function attacked(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-attack-"));
  const test = await testServer({ folder, ...options });
  return {
    ...test,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

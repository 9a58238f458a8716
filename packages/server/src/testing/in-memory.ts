/**
 * A server in memory without a port: the kernel, the engine, the memory store and the client in the server's process. `@holdpoint/sdk/testing` is
 * bundled from here, so nothing in this file may need Node beyond the modules that the SDK's `testing/portable` replaces.
 */

import type { CheckClient, FileClient, HoldClient, ThreadClient } from "@holdpoint/protocol/client";
import { SEALS, TABLE } from "../domains.ts";
import { Engine } from "../engine/engine.ts";
import { Feed } from "../engine/feed.ts";
import { Files } from "../engine/files.ts";
import { Holds } from "../engine/holds.ts";
import { contentDigest } from "../engine/seal.ts";
import { inProcessClient } from "../faces/rest/in-process/client.ts";
import { NO_PASSKEYS } from "../identity/passkey-port.ts";
import { NO_PLATFORM } from "../kernel/platform.ts";
import type { Principal } from "../kernel/principal.ts";
import { memoryFiles } from "../store/memory/memory-files.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { systemIds } from "../system/ids.ts";
import { createJudge } from "../system/judge.ts";
import { Timers } from "../timers/timers.ts";
import { ManualClock } from "./manual-clock.ts";

export type MemoryClient = HoldClient & ThreadClient & FileClient & CheckClient;

export interface InMemory {
  readonly clock: ManualClock;
  /** A client that acts as this principal. */
  clientFor(by: Principal): MemoryClient;
  /** Called after every commit. Returns a function that ends it. */
  onCommit(listener: () => void): () => void;
  stop(): Promise<void>;
}

const CHECK_RETAIN_MS = 86_400_000;
const WORKSPACE = "default";
const PUBLIC_URL = "http://holdpoint.test";

/** `startAt`: epoch milliseconds. */
export function inMemory(startAt: number): InMemory {
  const clock = new ManualClock({ startAt });
  const engine = new Engine({
    table: TABLE,
    seals: SEALS,
    store: new MemoryStore({ indexes: TABLE }),
    clock,
    judge: createJudge(),
    digest: contentDigest,
    platform: { ...NO_PLATFORM, agentLinks: "always", checkRetainMs: CHECK_RETAIN_MS },
    // A microtask, so that it also runs while a test runner has replaced the timers.
    defer: queueMicrotask,
  });
  const feed = new Feed(engine);
  const holds = new Holds(engine, feed);
  const files = new Files({ engine, holds, ids: systemIds, store: memoryFiles() });
  const timers = new Timers({ engine });
  const deps = {
    ...{ engine, feed, holds, files, ids: systemIds, publicUrl: PUBLIC_URL },
    whyNotTarget: () => null,
    passkeys: NO_PASSKEYS,
    shard: 0,
  };
  return {
    clock,
    clientFor: (principal) => inProcessClient(deps, { workspace: WORKSPACE, principal }),
    onCommit: (listener) => engine.onCommit(listener),
    async stop() {
      await timers.stop();
      await engine.stop();
      feed.close();
    },
  };
}

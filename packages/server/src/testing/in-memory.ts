/**
 * A server in memory without a port: the kernel, the engine, the memory store and the native face. `@holdpoint/sdk/testing` is
 * bundled from here, so nothing in this file may need Node beyond the modules that the SDK's `testing/portable` replaces.
 */

import type { FileClient, Hold, HoldClient, ThreadClient, WaitOptions } from "@holdpoint/protocol/client";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { Hono } from "hono";
import { SEALS, TABLE } from "../domains.ts";
import { Engine } from "../engine/engine.ts";
import { Feed } from "../engine/feed.ts";
import { Files } from "../engine/files.ts";
import { Holds } from "../engine/holds.ts";
import { contentDigest } from "../engine/seal.ts";
import { mountFaces } from "../faces/http/face.ts";
import { nativeFace, type RestDeps } from "../faces/rest/index.ts";
import type { Identity } from "../identity/identity.ts";
import { NO_PASSKEYS } from "../identity/passkey-port.ts";
import { NO_PLATFORM } from "../kernel/platform.ts";
import type { Principal } from "../kernel/principal.ts";
import { memoryFiles } from "../store/memory/memory-files.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { systemIds } from "../system/ids.ts";
import { createJudge } from "../system/judge.ts";
import { Timers } from "../timers/timers.ts";
import { ManualClock } from "./manual-clock.ts";

export type MemoryClient = HoldClient & ThreadClient & FileClient;

export interface InMemory {
  readonly clock: ManualClock;
  /** A client that acts as this principal. */
  clientFor(by: Principal): MemoryClient;
  /** Called after every commit. Returns a function that ends it. */
  onCommit(listener: () => void): () => void;
  stop(): Promise<void>;
}

const CHECK_RETENTION_MS = 86_400_000;
const WORKSPACE = "default";
const PUBLIC_URL = "http://holdpoint.test";
/** A wait without a limit. */
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

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
    platform: { ...NO_PLATFORM, agentLinks: "always" },
    // A microtask, so that it also runs while a test runner has replaced the timers.
    defer: queueMicrotask,
  });
  const feed = new Feed(engine);
  const holds = new Holds(engine, feed);
  const files = new Files({ engine, holds, ids: systemIds, store: memoryFiles() });
  const timers = new Timers({ engine });
  const deps: RestDeps = {
    ...{ engine, feed, holds, files, ids: systemIds, publicUrl: PUBLIC_URL, version: "in-memory" },
    whyNotTarget: () => null,
    verify: () => Promise.reject(new Error("A Holdpoint in memory does not verify its log.")),
    wakeSender: () => undefined,
    passkeys: NO_PASSKEYS,
    shard: 0,
    checkRetentionMs: CHECK_RETENTION_MS,
  };
  return {
    clock,
    clientFor: (by) => clientOver(deps, by),
    onCommit: (listener) => engine.onCommit(listener),
    async stop() {
      await timers.stop();
      await engine.stop();
      feed.close();
    },
  };
}

/** The client over the native face, but it waits on the manual clock, without streams and polls. */
function clientOver(deps: RestDeps, by: Principal): MemoryClient {
  const app = new Hono();
  const identity: Pick<Identity, "authenticate"> = {
    authenticate: async () => ({ ok: true, caller: { workspace: WORKSPACE, principal: by } }),
  };
  mountFaces(app, [nativeFace(deps)], { identity: identity as Identity });
  const client = httpHoldClient({
    url: PUBLIC_URL,
    apiKey: "in-memory",
    // Nothing is lost on the way, so nothing is repeated and no reply is late.
    retry: { attemptsMax: 1 },
    runtime: {
      fetch: async (input, init) => app.request(input, init),
      now: () => deps.engine.clock.now(),
      after: () => () => undefined,
    },
  });
  const wait = async (holdId: string, options: WaitOptions = {}): Promise<Hold> => {
    const { signal = new AbortController().signal, waitMs = FOREVER_MS } = options;
    signal.throwIfAborted();
    if (waitMs > 0) await deps.holds.wait(WORKSPACE, holdId, waitMs, signal);
    signal.throwIfAborted();
    return client.get(holdId);
  };
  return Object.assign(client, { wait });
}

/** Holdpoint itself, everything on: keys, log, timers, outbox, fsync. Told by its parent to load holds directly, for size. */

import { localCredentials } from "../src/local-credentials.ts";
import { serve } from "../src/serve.ts";
import { readConfig } from "../src/system/config.ts";
import { keepCompiledCode } from "../src/system/keep-compiled-code.ts";
import { releaseStartMemory } from "../src/system/release-start-memory.ts";
import { countAsked } from "./asked.ts";
import { fill, fillGrants, fillTimers } from "./fill.ts";

const startedAt = performance.now();
const home = process.argv[2] ?? ".";
const database = process.env["HOLDPOINT_DATABASE_URL"];
const botToken = process.env["HOLDPOINT_BENCH_BOT_TOKEN"];
const env = {
  HOLDPOINT_HOME: home,
  HOLDPOINT_PORT: "0",
  ...(database === undefined ? {} : { HOLDPOINT_DATABASE_URL: database }),
  ...(botToken === undefined ? {} : { HOLDPOINT_BENCH_BOT_TOKEN: botToken }),
};
const asked = countAsked();
const serving = await serve(readConfig(env, home), env, ({ message }) => console.error(message));
const { server } = serving;
const { apiKey: key } = await localCredentials(server, home, serving.address);
// As `holdpoint start` does.
releaseStartMemory();
keepCompiledCode();
process.send?.({ url: serving.address, key, readyMs: performance.now() - startedAt });
process.once("disconnect", () => process.exit(0));

/** Heard when they are durable. */
const late: number[] = [];
server.engine.onCommit(({ events }) => {
  const now = server.engine.clock.now();
  for (const { type, at } of events) if (type === "hold.expired") late.push(Math.max(0, now - at));
});

process.on("message", async (order: { kind: string; count?: number; spreadMs?: number }) => {
  if (order.kind === "fill") await fill(server, order.count ?? 0);
  if (order.kind === "grants") await fillGrants(server, order.count ?? 0);
  if (order.kind === "timers") await fillTimers(server, order.count ?? 0, order.spreadMs ?? 0);
  // Nothing that costs more than the answer, unless it was asked for: others are being measured meanwhile.
  if (order.kind === "rest" || order.kind === "fill") globalThis.gc?.();
  process.send?.({
    done: order.kind,
    rss: process.memoryUsage().rss,
    fired: late.length,
    late: order.kind === "lateness" ? late : undefined,
    asked: asked(),
  });
});

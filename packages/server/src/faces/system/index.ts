/** What a server says about itself: alive, ready, its numbers. */

import { operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import type { Metrics } from "../../system/metrics.ts";
import { type MountOptions, mount } from "../http/mount.ts";

export interface SystemDeps {
  readonly version: string;
  readonly metrics: Metrics;
  /** Each part by name, and whether it works. */
  readonly checks: () => Promise<Readonly<Record<string, boolean>>>;
}

export function mountSystem(app: Hono, deps: SystemDeps, options: MountOptions): void {
  mount(
    app,
    operations.health,
    () => ({ status: 200, body: { status: "ok", version: deps.version } }),
    options,
  );
  mount(app, operations.ready, () => ready(deps), options);
  mount(app, operations.metrics, () => metrics(deps), options);
}

async function ready(deps: SystemDeps) {
  const checks = Object.entries(await deps.checks()).map(
    ([name, ok]) => [name, ok ? "ok" : "failing"] as const,
  );
  const isReady = checks.every(([, state]) => state === "ok");
  const body = { status: isReady ? "ready" : "not_ready", checks: Object.fromEntries(checks) };
  return { status: isReady ? 200 : 503, body };
}

async function metrics(deps: SystemDeps) {
  const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  return { status: 200, body: await deps.metrics.text(), headers };
}

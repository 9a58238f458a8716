/** Liveness, readiness and metrics. */

import type { Metrics } from "../../system/metrics.ts";
import type { Handlers } from "../http/mount.ts";
import type { operations } from "./operations.ts";

export interface SystemDeps {
  readonly version: string;
  readonly metrics: Metrics;
  /** Each part by name, and whether it works. */
  readonly checks: () => Promise<Readonly<Record<string, boolean>>>;
}

export const routes = {
  health: (_call, { version }) => ({ status: 200, body: { status: "ok", version } }),

  async ready(_call, deps) {
    const checks = Object.entries(await deps.checks()).map(
      ([name, ok]) => [name, ok ? "ok" : "failing"] as const,
    );
    const isReady = checks.every(([, state]) => state === "ok");
    const body = { status: isReady ? "ready" : "not_ready", checks: Object.fromEntries(checks) };
    return { status: isReady ? 200 : 503, body };
  },

  async metrics(_call, { metrics }) {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return { status: 200, body: await metrics.text(), headers };
  },
} satisfies Handlers<typeof operations, SystemDeps>;

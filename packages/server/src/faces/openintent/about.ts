/** What this server serves of OpenIntent, said by itself. */

import type { Hono } from "hono";
import { type MountOptions, mount } from "../http/mount.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { operations } from "./operations/index.ts";

/** The version of the protocol that clients of 0.17 speak. */
const PROTOCOL_VERSION = "0.1";

const CAPABILITIES = [
  "intents",
  "events",
  "leases",
  "subscriptions",
  "access-control",
  "retry-policies",
  "decisions",
  "verifiable-logs",
  "human-in-the-loop",
];

export function mountAbout(app: Hono, { publicUrl }: OpenIntentDeps, options: MountOptions): void {
  const discovery = {
    protocol: "openintent",
    version: PROTOCOL_VERSION,
    rfcUrls: [],
    capabilities: CAPABILITIES,
    openApiUrl: `${publicUrl}/openapi.json`,
  };
  mount(app, operations.discover, () => ({ status: 200, body: discovery }), options);
  const config = { protocol_version: PROTOCOL_VERSION, suspension: { default_retry_policy: null } };
  mount(app, operations.serverConfig, () => ({ status: 200, body: config }), options);
}

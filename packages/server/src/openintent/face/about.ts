/** What this server serves of OpenIntent, said by itself. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { Context, Hono } from "hono";
import { credentialsOf, type MountOptions, mount, NOBODY } from "../../faces/http/mount.ts";
import type { Caller } from "../../identity/identity.ts";
import type { Principal } from "../../kernel/principal.ts";
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
  "intent-graphs",
  "portfolios",
  "plans",
  "tasks",
  "workflows",
  "coordinators",
  "verifiable-logs",
  "human-in-the-loop",
];

export function mountAbout(
  app: Hono,
  { publicUrl, retryPolicy }: OpenIntentDeps,
  options: MountOptions,
): void {
  const discovery = {
    protocol: "openintent",
    version: PROTOCOL_VERSION,
    rfcUrls: [],
    capabilities: CAPABILITIES,
    openApiUrl: `${publicUrl}/openapi.json`,
  };
  mount(app, operations.discover, () => ({ status: 200, body: discovery }), options);
  const config = (policy: JsonObject | null) => ({
    protocol_version: PROTOCOL_VERSION,
    suspension: { default_retry_policy: policy },
  });
  mount(
    app,
    operations.serverConfig,
    ({ by }) => ({ status: 200, body: config(isKnown(by) ? retryPolicy : withoutPeople(retryPolicy)) }),
    options,
    { authenticate: (c, ip) => callerIfAny(c, ip, options) },
  );
}

/** Clients look before they have a key; who is told stays between the server and those who have one. */
function withoutPeople(policy: JsonObject | null): JsonObject | null {
  const ladder = policy?.["escalation_ladder"];
  if (!Array.isArray(ladder)) return policy;
  const bare = ladder.filter(isObject).map(({ notify_to: _to, notify: _legacy, ...step }) => ({
    ...step,
    notify_to: null,
  }));
  return { ...policy, escalation_ladder: bare };
}

function isKnown({ via }: Principal): boolean {
  return via !== "system";
}

async function callerIfAny(c: Context, ip: string, { identity }: MountOptions): Promise<Caller> {
  const found = await identity.authenticate(credentialsOf(c, ip));
  return found.ok ? found.caller : NOBODY;
}

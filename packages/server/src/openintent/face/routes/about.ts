/** Describes what this server supports of OpenIntent. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { Routes } from "../operations/index.ts";

/** The protocol version of clients of release 0.17. */
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

export const about = {
  discover: (_call, { publicUrl }) => ({
    status: 200,
    body: {
      protocol: "openintent",
      version: PROTOCOL_VERSION,
      rfcUrls: [],
      capabilities: CAPABILITIES,
      openApiUrl: `${publicUrl}/openapi.json`,
    },
  }),

  serverConfig({ by }, { retryPolicy }) {
    const policy = by.via === "system" ? withoutPeople(retryPolicy) : retryPolicy;
    const suspension = { default_retry_policy: policy };
    return { status: 200, body: { protocol_version: PROTOCOL_VERSION, suspension } };
  },
} satisfies Routes;

/** Clients read this before they have a key. Recipients are shown only to callers with a key. */
function withoutPeople(policy: JsonObject | null): JsonObject | null {
  const ladder = policy?.["escalation_ladder"];
  if (!Array.isArray(ladder)) return policy;
  const bare = ladder.filter(isObject).map(({ notify_to: _to, notify: _legacy, ...step }) => ({
    ...step,
    notify_to: null,
  }));
  return { ...policy, escalation_ladder: bare };
}

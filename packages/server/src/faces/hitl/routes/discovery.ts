/** The discovery document, which lists only what this server can do, and the keys that it signs with. */

import { SURFACE_FORMAT, SURFACE_PROFILE } from "@holdpoint/protocol/hitl";
import {
  chooseVersion,
  HITL_VERSION_HEADER,
  HITL_VERSIONS,
  HITL_VERSIONS_HEADER,
  type HitlVersion,
} from "@holdpoint/protocol/hitl/words";
import { ASK_TYPES } from "@holdpoint/protocol/rules";
import { LOG_WORKSPACE } from "../../../engine/checkpointer.ts";
import type { HitlDeps } from "../deps.ts";
import type { Routes } from "../operations.ts";
import { RETENTION_DAYS } from "./create.ts";
import { POLL_SECONDS, POLLS_PER_MINUTE } from "./poll.ts";

const KEYS_MAX = 1_000;

export const discovery = {
  hitlDiscovery({ query, headers }, deps) {
    const version = chooseVersion(query.spec_version ?? headers["hitl-version"]);
    return {
      status: 200,
      body: documentOf(version, deps),
      headers: {
        "cache-control": "public, max-age=86400",
        vary: HITL_VERSION_HEADER,
        [HITL_VERSION_HEADER]: version,
        [HITL_VERSIONS_HEADER]: HITL_VERSIONS.join(", "),
      },
    };
  },

  /** Keys of all servers on this store, also retired ones, because their signatures must stay verifiable. */
  async jwks(_call, { engine }) {
    const found = await engine.store.query({
      workspace: LOG_WORKSPACE,
      kind: "signing_key",
      limit: KEYS_MAX,
    });
    const keys = found.map(({ body }) => {
      const { id: kid, algorithm, publicJwk } = body;
      return { ...publicJwk, use: "sig", alg: algorithm === "RS256" ? "RS256" : "EdDSA", kid };
    });
    return { status: 200, body: { keys }, headers: { "cache-control": "public, max-age=300" } };
  },
} satisfies Routes;

function documentOf(version: HitlVersion, { publicUrl, signResult }: HitlDeps) {
  return {
    hitl_protocol: {
      spec_version: version,
      service: {
        name: "Holdpoint",
        description: "Asks people on behalf of agents and keeps the answer.",
        url: publicUrl,
      },
      capabilities: {
        review_types: ASK_TYPES,
        transports: ["polling", "sse", "callback"],
        default_timeout: "PT24H",
        max_timeout: "P7D",
        supports_reminders: true,
        supports_multi_round: true,
        supports_signatures: signResult !== undefined,
        supports_inline_submit: true,
        supports_surface: true,
        surface_formats: [SURFACE_FORMAT],
        surface_profiles: [SURFACE_PROFILE],
        ...(version === "0.8" ? { supports_agent_binding: false } : {}),
      },
      endpoints: {
        reviews_base: `${publicUrl}/reviews`,
        review_page_base: `${publicUrl}/review`,
        events_base: `${publicUrl}/reviews`,
        well_known: `${publicUrl}/.well-known/hitl.json`,
      },
      authentication: {
        ...{ type: "bearer", documentation: `${publicUrl}/docs` },
        ...(version === "0.8"
          ? { well_known: `${publicUrl}/.well-known/hitl.json`, profiles: ["bearer"] }
          : {}),
      },
      rate_limits: {
        poll_recommended_interval_seconds: POLL_SECONDS,
        max_requests_per_minute: POLLS_PER_MINUTE,
      },
      policies: { data_retention_days: RETENTION_DAYS },
      examples: { openapi: `${publicUrl}/openapi.json` },
    },
  };
}

/** Links and claims of a hold. */

import { claimHold, finishClaim, releaseClaim, revokeHold } from "../calls/claims.ts";
import { listLinks, makeLink, revokeLink } from "../calls/links.ts";
import type { Routes } from "../operations.ts";

export const claims = {
  async makeLink(call, deps) {
    return { status: 201, body: await makeLink(call, call.params.id, call.body, deps) };
  },

  async listLinks(call, deps) {
    return { status: 200, body: await listLinks(call, call.params.id, deps) };
  },

  async revokeLink(call, deps) {
    return { status: 200, body: await revokeLink(call, call.params.id, call.params.link_id, deps) };
  },

  async claimHold(call, deps) {
    const key = call.header("idempotency-key");
    return { status: 201, body: await claimHold(call, call.params.id, call.body, key, deps) };
  },

  async finishClaim(call, deps) {
    const { id, claim_id } = call.params;
    return { status: 200, body: await finishClaim(call, id, claim_id, call.body, deps) };
  },

  async releaseClaim(call, deps) {
    return { status: 200, body: await releaseClaim(call, call.params.id, deps) };
  },

  async revokeHold(call, deps) {
    return { status: 200, body: await revokeHold(call, call.params.id, deps) };
  },
} satisfies Routes;

/** Working through what waits. */

import { activity } from "../calls/activity.ts";
import { assignHold, commentHold, countHolds, extendHold, lookAtHold, snoozeHold } from "../calls/desk.ts";
import { overview } from "../calls/overview.ts";
import type { Routes } from "../operations.ts";

export const desk = {
  async assignHold(call, deps) {
    return { status: 200, body: await assignHold(call, call.params.id, call.body, deps) };
  },

  async commentHold(call, deps) {
    const key = call.headers["idempotency-key"];
    return { status: 201, body: await commentHold(call, call.params.id, call.body, key, deps) };
  },

  async extendHold(call, deps) {
    return { status: 200, body: await extendHold(call, call.params.id, call.body, deps) };
  },

  async snoozeHold(call, deps) {
    return { status: 200, body: await snoozeHold(call, call.params.id, call.body, deps) };
  },

  async lookAtHold(call, deps) {
    return { status: 200, body: await lookAtHold(call, call.params.id, deps.lookers, deps) };
  },

  async countHolds(call, deps) {
    return { status: 200, body: await countHolds(call, call.query, deps) };
  },

  async overview(call, deps) {
    return { status: 200, body: await overview(call, call.query, deps) };
  },

  async activity(call, deps) {
    return { status: 200, body: await activity(call, call.query, deps) };
  },
} satisfies Routes;

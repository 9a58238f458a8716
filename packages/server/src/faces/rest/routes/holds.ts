/** Holds: place, read, wait, list, answer, cancel. */

import { type HoldOut, WAIT_SECONDS_MAX } from "@holdpoint/protocol";
import { presentAsked } from "../../http/passkey.ts";
import {
  answerHold,
  cancelHold,
  challengeAnswer,
  eraseHold,
  getHold,
  placeHold,
  withdrawVote,
} from "../calls/holds.ts";
import { listHolds } from "../calls/list-holds.ts";
import { ifVersion } from "../if-version.ts";
import type { Routes } from "../operations.ts";

export const holds = {
  async placeHold(call, deps) {
    const { hold, isNew } = await placeHold(call, call.body, call.headers["idempotency-key"], deps);
    return { ...replyWith(hold), status: isNew ? 201 : 200 };
  },

  async listHolds(call, deps) {
    return { status: 200, body: await listHolds(call, call.query, deps) };
  },

  async getHold(call, deps) {
    // Proxies cut longer requests; the client asks again.
    const waitMs = Math.min(call.query.wait ?? 0, WAIT_SECONDS_MAX) * 1_000;
    const wait = { waitMs, gone: () => call.gone() };
    const reply = replyWith(await getHold(call, call.params.id, wait, deps));
    const { headers } = reply;
    return isKnown(call.headers["if-none-match"], headers.etag) ? { status: 304, headers } : reply;
  },

  async answerHold(call, deps) {
    const via = { door: call.header("x-holdpoint-door"), ...ifVersion(call.headers["if-match"]) };
    return replyWith(await answerHold(call, call.params.id, call.body, via, deps));
  },

  async challengeAnswer(call, deps) {
    return { status: 200, body: presentAsked(await challengeAnswer(call, call.params.id, call.body, deps)) };
  },

  async withdrawVote(call, deps) {
    return replyWith(await withdrawVote(call, call.params.id, deps));
  },

  async cancelHold(call, deps) {
    return replyWith(await cancelHold(call, call.params.id, call.body, deps));
  },

  async eraseHold(call, deps) {
    return replyWith(await eraseHold(call, call.params.id, deps));
  },
} satisfies Routes;

function replyWith(hold: HoldOut) {
  return { status: 200, body: hold, headers: { etag: `"${hold.version}"` } };
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(",").map((one) => one.trim().replace(/^W\//, "")) ?? [];
  return known.includes(etag) || known.includes("*");
}

/** The state of a case. A poll with the current ETag gets 304. */

import { pollBody } from "@holdpoint/protocol/hitl/case";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { sha256 } from "../../../system/digest.ts";
import type { HitlDeps } from "../deps.ts";
import { findOwnCase } from "../doors.ts";
import { caseFailure } from "../errors.ts";
import { caseOf } from "../map.ts";
import type { Routes } from "../operations.ts";

export const POLL_SECONDS = 30;
export const POLLS_PER_MINUTE = 60;

/** The body of a poll, with what this viewer may see of the result. */
export function statusOf(hold: Entity<Hold>, viewer: Principal, { signResult }: HitlDeps): JsonObject {
  const body = pollBody(caseOf(hold, viewer));
  return signResult === undefined ? body : signResult(body);
}

export const poll = {
  async pollCase(call, deps) {
    const hold = await findOwnCase(call.params.case_id, call, deps);
    const spent = deps.polls.spend(hold.id);
    if (!spent.ok) {
      const { retryAfterMs } = spent;
      throw caseFailure("rate_limited", `at most ${POLLS_PER_MINUTE} times a minute`, {}, { retryAfterMs });
    }
    const text = JSON.stringify(statusOf(hold, call.by, deps));
    const etag = `"${sha256(text).slice("sha256:".length)}"`;
    const headers = {
      etag,
      "cache-control": "private, no-cache",
      "x-ratelimit-limit": String(POLLS_PER_MINUTE),
      "x-ratelimit-remaining": String(spent.remaining),
      ...(hold.body.status === "open" ? { "retry-after": String(POLL_SECONDS) } : {}),
    };
    if (matches(call.header("if-none-match"), etag)) return { status: 304, headers };
    return { status: 200, body: text, headers };
  },
} satisfies Routes;

/** RFC 9110: a list of tags or `*`, compared weakly. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}

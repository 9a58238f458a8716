/** How a case stands. Cheap to ask again: what has not changed is not sent. */

import { hitlOperations } from "@holdpoint/protocol/hitl";
import { pollBody } from "@holdpoint/protocol/hitl/case";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Hono } from "hono";
import { Limiter } from "../../identity/limiter.ts";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { sha256 } from "../../system/digest.ts";
import type { Call, MountOptions } from "../http/mount.ts";
import type { HitlDeps } from "./deps.ts";
import { findOwnCase } from "./enter.ts";
import { mountEverywhere } from "./entrants.ts";
import { caseTrouble } from "./errors.ts";
import { caseOf } from "./map.ts";

export const POLL_SECONDS = 30;
export const POLLS_PER_MINUTE = 60;

/** The body of a poll, with what this viewer may see of the result. */
export function statusOf(hold: Entity<Hold>, viewer: Principal, { signResult }: HitlDeps): JsonObject {
  const body = pollBody(caseOf(hold, viewer));
  return signResult === undefined ? body : signResult(body);
}

export function mountPoll(app: Hono, deps: HitlDeps, options: MountOptions): void {
  const { clock, store } = deps.engine;
  const limit = { budget: POLLS_PER_MINUTE, windowMs: 60_000 };
  const limiter = new Limiter(clock, limit, { store, of: "poll" });
  mountEverywhere(app, hitlOperations.pollCase, (call) => poll(call, limiter, deps), options);
}

async function poll(call: Call<typeof hitlOperations.pollCase>, limiter: Limiter, deps: HitlDeps) {
  const hold = await findOwnCase(call.params.case_id, call.workspace, call.by, deps);
  const spent = limiter.spend(hold.id);
  if (!spent.ok) {
    const { retryAfterMs } = spent;
    throw caseTrouble("rate_limited", `at most ${POLLS_PER_MINUTE} times a minute`, { retryAfterMs });
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
}

/** RFC 9110: a list of tags or `*`, compared weakly. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}

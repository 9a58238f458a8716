/** What the agent that asked may do with its case: look, listen, withdraw. */

import type { Hold, HoldClient } from "@holdpoint/protocol/client";
import { caseStatusOf, holdIdOf, pollBody } from "@holdpoint/protocol/hitl/case";
import { isTerminal } from "@holdpoint/protocol/hitl/words";
import { readBody } from "@holdpoint/protocol/http";
import { isObject } from "@holdpoint/protocol/rules";
import { ownerOf } from "./ask.ts";
import { POLL_SECONDS, REQUESTS_PER_MINUTE } from "./declaration.ts";
import type { Spent } from "./poll-limit.ts";
import { json, refuse, refuseFor } from "./reply.ts";

/** As much of a hold client as a service needs: over HTTP, or in the server's own process. */
export type CaseHolds = Pick<
  HoldClient,
  "place" | "get" | "cancel" | "events" | "follow" | "makeLink" | "recordSkip"
>;

export type Identify = (request: Request) => string | undefined | Promise<string | undefined>;

export type Found =
  | { readonly kind: "case"; readonly hold: Hold; readonly agent: string }
  | { readonly kind: "refused"; readonly response: Response };

/** The case, if this request comes from the agent that asked. Nobody else is told that it exists. */
export async function findCase(
  request: Request,
  caseId: string,
  holds: CaseHolds,
  identify: Identify,
): Promise<Found> {
  const agent = await identify(request);
  if (agent === undefined)
    return { kind: "refused", response: refuse("unauthorized", "Send the credentials of your request.") };
  const missing = () => refuse("not_found", `There is no case ${caseId}.`);
  try {
    const hold = await holds.get(holdIdOf(caseId));
    const isOwn = hold.caseId === caseId && ownerOf(hold.metadata) === agent && hold.erasedAt === undefined;
    return isOwn ? { kind: "case", hold, agent } : { kind: "refused", response: missing() };
  } catch (error) {
    return { kind: "refused", response: refuseFor(error, caseId) };
  }
}

/** RFC 9110: a list of tags or `*`, compared weakly. */
function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
}

export function showStatus(request: Request, hold: Hold, { remaining, retryAfterMs }: Spent): Response {
  const limits = {
    "x-ratelimit-limit": String(REQUESTS_PER_MINUTE),
    "x-ratelimit-remaining": String(remaining),
  };
  if (retryAfterMs !== undefined)
    return refuse("rate_limited", `Look at most ${REQUESTS_PER_MINUTE} times a minute.`, {
      ...limits,
      "retry-after": String(Math.ceil(retryAfterMs / 1_000)),
    });
  const etag = `"v${hold.version}"`;
  const isOver = isTerminal(caseStatusOf(hold));
  const headers = {
    etag,
    "cache-control": "private, no-cache",
    ...limits,
    ...(isOver ? {} : { "retry-after": String(POLL_SECONDS) }),
  };
  if (matchesTag(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  return json(200, pollBody(hold), headers);
}

const CANCEL_BYTES_MAX = 16_384;
const REASON_LENGTH_MAX = 2_000;

/** What Holdpoint would not take is refused here, in this protocol's words: it is the agent's mistake, not the author's. */
async function reasonIn(request: Request): Promise<{ readonly reason?: string } | Response> {
  const bytes = await readBody(request, CANCEL_BYTES_MAX);
  if (bytes === "too_large") return refuse("payload_too_large", "The body is too large.");
  if (bytes.byteLength === 0) return {};
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return refuse("invalid_json", "The body is no JSON.");
  }
  if (!isObject(body)) return refuse("invalid_request", "Send an object.");
  const { reason } = body;
  if (reason === undefined) return {};
  const fits = typeof reason === "string" && reason.length <= REASON_LENGTH_MAX && isStorable(reason);
  return fits
    ? { reason }
    : refuse("invalid_request", `reason must be a text of at most ${REASON_LENGTH_MAX} characters.`);
}

/** Text that every store takes. */
function isStorable(text: string): boolean {
  return !text.includes("\u0000") && !/\p{Cs}/u.test(text);
}

/** The agent that asked withdraws its question. */
export async function withdraw(request: Request, hold: Hold, holds: CaseHolds): Promise<Response> {
  const given = await reasonIn(request);
  if (given instanceof Response) return given;
  try {
    const cancelled = await holds.cancel(hold.id, given);
    return json(200, pollBody(cancelled));
  } catch (error) {
    return refuseFor(error, hold.caseId);
  }
}

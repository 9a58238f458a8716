/** What the agent that asked may do with its case: look, listen, withdraw. */

import type { Hold, HoldClient } from "@holdpoint/protocol/client";
import { caseStatusOf, holdIdOf, pollBody } from "@holdpoint/protocol/hitl/case";
import { isTerminal } from "@holdpoint/protocol/hitl/words";
import { isObject } from "@holdpoint/protocol/rules";
import { ownerOf } from "./ask.ts";
import { POLL_SECONDS } from "./declaration.ts";
import { json, refuse, refuseFor } from "./reply.ts";

/** As much of a hold client as a service needs: over HTTP, or in the server's own process. */
export type CaseHolds = Pick<HoldClient, "place" | "get" | "cancel" | "events" | "follow" | "makeLink">;

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

export function showStatus(request: Request, hold: Hold): Response {
  const etag = `"v${hold.version}"`;
  const isOver = isTerminal(caseStatusOf(hold));
  const headers = {
    etag,
    "cache-control": "private, no-cache",
    ...(isOver ? {} : { "retry-after": String(POLL_SECONDS) }),
  };
  if (matchesTag(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  return json(200, pollBody(hold), headers);
}

async function reasonIn(request: Request): Promise<string | undefined> {
  const body: unknown = await request.json().catch(() => undefined);
  const reason = isObject(body) ? body["reason"] : undefined;
  return typeof reason === "string" ? reason : undefined;
}

/** The agent that asked withdraws its question. */
export async function withdraw(request: Request, hold: Hold, holds: CaseHolds): Promise<Response> {
  const reason = await reasonIn(request);
  try {
    const cancelled = await holds.cancel(hold.id, reason === undefined ? {} : { reason });
    return json(200, pollBody(cancelled));
  } catch (error) {
    return refuseFor(error, hold.caseId);
  }
}

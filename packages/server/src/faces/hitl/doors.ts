/**
 * Authentication by a case's tokens, in the protocol's order: does the case exist, is the token right, is the case still open.
 * The body is checked only after that.
 */

import { caseIdOf, holdIdOf } from "@holdpoint/protocol/hitl/case";
import type { Context } from "hono";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Link } from "../../kernel/hold/link.ts";
import { sees } from "../../kernel/hold/who.ts";
import {
  type Arrival,
  byCredentials,
  byLink,
  credentialsOf,
  type Doors,
  type LinkAuthority,
  type PrincipalAuthority,
  principalAuthority,
} from "../http/authority.ts";
import type { Call } from "../http/mount.ts";
import type { HitlDeps } from "./deps.ts";
import { caseFailure, settledFailure } from "./errors.ts";
import type { operations } from "./operations.ts";

/** A caller with a link of this case. */
export interface CaseEntrant extends LinkAuthority {
  readonly hold: Entity<Hold>;
}

/** The agent that opened the case, or a caller who sees every case. */
export interface CaseOwner extends PrincipalAuthority {
  readonly hold: Entity<Hold>;
}

export const doors = {
  pollCase: enterToRead,
  followCase: enterToRead,

  respondCase: opens({ takes: ["review", "submit"] }),
  submitCase: opens({ takes: ["submit"] }),
  progressCase: opens({ takes: ["review"] }),
  saveSession: opens({ takes: ["review"] }),
  readSurfaces: opens({ takes: ["review"] }),
  readSession: opens({ takes: ["review"], afterEnd: true }),

  cancelCase(arrival: Arrival, deps: HitlDeps): Promise<CaseEntrant | CaseOwner> {
    const { c } = arrival;
    const hasKey = bearerOf(c) !== undefined || c.req.header("x-api-key") !== undefined;
    return hasKey ? enterWithKey(arrival, deps) : enter(arrival, { takes: ["review"] }, deps);
  },

  readPrefill: (arrival: Arrival) => {
    const { token, case_id: caseId = "" } = arrival.c.req.query();
    return open(arrival, token, holdIdOf(caseId), isReview, "only the review page may ask for this");
  },
} satisfies Doors<typeof operations, HitlDeps>;

/** A key or a session; or the token in the `poll_url` of a case that an app opened, which reads that case as the app would. */
async function enterToRead(arrival: Arrival, deps: HitlDeps): Promise<PrincipalAuthority> {
  const { c } = arrival;
  const token = c.req.query("token");
  const hasKey = bearerOf(c) !== undefined || c.req.header("x-api-key") !== undefined;
  if (hasKey || token === undefined) return byCredentials(arrival);
  const hold = await findCase(c.req.param("case_id") ?? "", deps);
  const isRead = ({ purpose }: Link) => purpose === "read";
  const { workspace, link } = await open(
    arrival,
    token,
    hold.id,
    isRead,
    "this token does not read this case",
  );
  const { createdBy: name } = hold.body;
  return { kind: "principal", workspace, by: { role: "app", via: "link", id: link.id, name } };
}

interface Entrance {
  /** Which tokens are accepted: a link's in the URL, a submit token as bearer. If a bearer is sent, the token in the URL is ignored. */
  readonly takes: readonly Link["purpose"][];
  /** Whether the operation is allowed after the case has ended. */
  readonly afterEnd?: boolean;
}

function opens(entrance: Entrance) {
  return (arrival: Arrival, deps: HitlDeps) => enter(arrival, entrance, deps);
}

async function enter(arrival: Arrival, { takes, afterEnd }: Entrance, deps: HitlDeps): Promise<CaseEntrant> {
  const { c } = arrival;
  const hold = await findCase(c.req.param("case_id") ?? "", deps);
  const bearer = bearerOf(c);
  const purpose = bearer === undefined ? "review" : "submit";
  const token = bearer ?? c.req.query("token") ?? "";
  const isTaken = (link: Link) => link.purpose === purpose && takes.includes(purpose);
  const opened = await open(arrival, token, hold.id, isTaken, "this token does not open this case here");
  if (hold.body.status !== "open" && afterEnd !== true) throw settledFailure(hold.body);
  return { ...opened, hold };
}

function isReview({ purpose }: Link): boolean {
  return purpose === "review";
}

async function open(
  arrival: Arrival,
  token: string | undefined,
  holdId: string,
  isTaken: (link: Link) => boolean,
  otherwise: string,
): Promise<LinkAuthority> {
  const found = await byLink(arrival, token, holdId);
  if (found.kind === "wrong" && found.retryAfterMs !== undefined) {
    throw caseFailure("rate_limited", "too many wrong tokens", {}, { retryAfterMs: found.retryAfterMs });
  }
  if (found.kind === "wrong" || !isTaken(found.link) || found.link.revokedAt !== undefined) {
    throw caseFailure("invalid_token", otherwise);
  }
  return found;
}

async function enterWithKey({ c, ip, identity }: Arrival, deps: HitlDeps): Promise<CaseOwner> {
  const caseId = c.req.param("case_id") ?? "";
  await findCase(caseId, deps);
  const found = await identity.authenticate(credentialsOf(c, ip));
  if (!found.ok) {
    const { message, retryAfterMs, why } = found;
    const later = retryAfterMs === undefined ? {} : { retryAfterMs };
    throw caseFailure(why === "rate_limited" ? "rate_limited" : "unauthorized", message, {}, later);
  }
  const authority = principalAuthority(found);
  const hold = await findOwnCase(caseId, authority, deps);
  if (hold.body.status !== "open") throw settledFailure(hold.body);
  return { ...authority, hold };
}

/** The case for any caller; an erased case is `gone`. */
async function findCase(caseId: string, { engine, holds }: HitlDeps): Promise<Entity<Hold>> {
  const found = (await engine.store.find("hold", holdIdOf(caseId))) as Entity<Hold> | undefined;
  if (found === undefined || caseIdOf(found.id) !== caseId || found.body.erasedAt !== undefined) {
    throw caseFailure("not_found", "there is no case with this id, or this caller may not see it");
  }
  return holds.bringForward(found);
}

/** The case for a caller with an API key; `not_found` if it belongs to another agent. */
export async function findOwnCase(
  caseId: string,
  { workspace, by }: Pick<Call, "workspace" | "by">,
  deps: HitlDeps,
): Promise<Entity<Hold>> {
  const hold = await findCase(caseId, deps);
  if (hold.workspace === workspace && sees(hold.body, by, undefined)) return hold;
  throw caseFailure("not_found", "there is no case with this id, or this caller may not see it");
}

/** Every `Authorization` header counts as a bearer token; a malformed one is a wrong token, not a missing one. */
function bearerOf(c: Context): string | undefined {
  const header = c.req.header("authorization");
  if (header === undefined) return undefined;
  return /^bearer +(.+)$/i.exec(header)?.[1] ?? "";
}

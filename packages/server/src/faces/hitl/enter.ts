/**
 * Who comes in by a case's own doors, in the protocol's order: is there such a case, is the token right, is the case still
 * open. Only then is anything looked at that was sent.
 */

import { caseIdOf, holdIdOf } from "@holdpoint/protocol/hitl/case";
import type { Context } from "hono";
import type { Caller } from "../../identity/identity.ts";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Link } from "../../kernel/hold/link.ts";
import type { Principal } from "../../kernel/principal.ts";
import { seesAll } from "../../kernel/principal.ts";
import { credentialsOf } from "../http/mount.ts";
import type { HitlDeps } from "./deps.ts";
import { caseTrouble, settledTrouble } from "./errors.ts";

/** A link holder who has been let in. */
export interface Entrant {
  readonly hold: Entity<Hold>;
  readonly link: Link;
  readonly workspace: string;
  readonly by: Principal;
  /** As it came; for the address of the page that it opens. */
  readonly token: string;
}

/** The case, whoever asks; an erased one is gone. */
export async function findCase(caseId: string, { engine, holds }: HitlDeps): Promise<Entity<Hold>> {
  const found = (await engine.store.find("hold", holdIdOf(caseId))) as Entity<Hold> | undefined;
  if (found === undefined || caseIdOf(found.id) !== caseId || found.body.erasedAt !== undefined) {
    throw caseTrouble("not_found", "there is no such case");
  }
  return holds.bringForward(found);
}

/** The case as an API key may see it: another agent's does not exist. */
export async function findOwnCase(
  caseId: string,
  workspace: string,
  by: Principal,
  deps: HitlDeps,
): Promise<Entity<Hold>> {
  const hold = await findCase(caseId, deps);
  if (hold.workspace === workspace && (seesAll(by) || hold.body.createdBy === by.name)) return hold;
  throw caseTrouble("not_found", "there is no such case");
}

export interface Door {
  /** Which tokens open it: a link's in the address, a submit token as bearer. A bearer that is sent is the one that counts. */
  readonly takes: readonly ("review" | "submit")[];
  /** Whether one may come in after the end. */
  readonly afterEnd?: boolean;
}

export async function enter(c: Context, ip: string, door: Door, deps: HitlDeps): Promise<Entrant> {
  const hold = await findCase(c.req.param("case_id") ?? "", deps);
  const bearer = bearerOf(c);
  const purpose = bearer === undefined ? "review" : "submit";
  const token = bearer ?? c.req.query("token") ?? "";
  const found = await deps.identity.byLink(token, hold.id, ip);
  if (!found.ok && found.retryAfterMs !== undefined) {
    throw caseTrouble("rate_limited", "too many wrong tokens", { retryAfterMs: found.retryAfterMs });
  }
  if (
    !found.ok ||
    found.link.purpose !== purpose ||
    !door.takes.includes(purpose) ||
    found.link.revokedAt !== undefined
  ) {
    throw caseTrouble("invalid_token", "this token does not open this case here");
  }
  if (hold.body.status !== "open" && door.afterEnd !== true) throw settledTrouble(hold.body);
  const { workspace, principal: by } = found.caller;
  return { hold, link: found.link, workspace, by, token };
}

/** Anything in `Authorization` is meant as a bearer: what cannot be read is a wrong one, not none. */
export function bearerOf(c: Context): string | undefined {
  const header = c.req.header("authorization");
  if (header === undefined) return undefined;
  return /^bearer +(.+)$/i.exec(header)?.[1] ?? "";
}

/** The caller behind an API key, or the protocol's 401. */
export async function byKey(c: Context, ip: string, { identity }: HitlDeps): Promise<Caller> {
  const found = await identity.authenticate(credentialsOf(c, ip));
  if (found.ok) return found.caller;
  const { message, retryAfterMs } = found;
  if (found.why === "rate_limited") {
    throw caseTrouble("rate_limited", message, retryAfterMs === undefined ? {} : { retryAfterMs });
  }
  throw caseTrouble("unauthorized", message);
}

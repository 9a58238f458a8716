/** The format of browser tokens, and the principal that one stands for. */

import type { ApiKey } from "../kernel/access/access.ts";
import { type BrowserToken, principalOf } from "../kernel/browser-token/token.ts";
import type { Entity } from "../kernel/entity.ts";
import { keepsSession, standsForPerson } from "../kernel/people/person.ts";
import type { Principal } from "../kernel/principal.ts";
import type { Store } from "../store/port.ts";
import { sameSecret, tokenHash } from "../system/digest.ts";
import type { Ids } from "../system/ids.ts";
import { isSessionId } from "./sign-in.ts";
import { isSuspended, personRow } from "./suspended.ts";

const FORM = /^hpb_([0-9a-z]{26})_[\w-]{43}$/;

/** It contains the id of its row, as keys do. */
export function newBrowserToken(ids: Ids, now: number) {
  const id = ids.next(now);
  const token = `hpb_${id}_${ids.token()}`;
  return { id: `browser_${id}`, token, hash: tokenHash(token) };
}

export function isBrowserToken(secret: string): boolean {
  return secret.startsWith("hpb_");
}

/** `undefined`: the token is wrong, over, revoked, used by a page of another origin, or its person or maker may not act any more. */
export async function browserCaller(
  store: Store,
  secret: string,
  origin: string | undefined,
  now: number,
): Promise<{ readonly workspace: string; readonly principal: Principal } | undefined> {
  const id = FORM.exec(secret)?.[1];
  if (id === undefined) return undefined;
  const found = (await store.find("browser_token", `browser_${id}`)) as Entity<BrowserToken> | undefined;
  if (found === undefined || !sameSecret(tokenHash(secret), found.body.hash)) return undefined;
  const { workspace, body } = found;
  const { expiresAt, revokedAt, origins, maker, reach } = body;
  if (expiresAt <= now || revokedAt !== undefined) return undefined;
  if (origins !== undefined && (origin === undefined || !origins.includes(origin))) return undefined;
  if (maker.role !== "app" && (await isSuspended(store, workspace, reach.person))) return undefined;
  return (await mayMakerAct(found, store)) ? { workspace, principal: principalOf(body) } : undefined;
}

/** Not if the maker is suspended, the maker's key was revoked, or the maker's sessions of that time have ended. */
async function mayMakerAct({ workspace, body }: Entity<BrowserToken>, store: Store): Promise<boolean> {
  const { maker, madeAt } = body;
  if (standsForPerson(maker)) {
    const person = await personRow(store, workspace, maker.name);
    if (person?.status === "suspended") return false;
    // The session began before the token was made, so it has ended if a session that began with the token has.
    if (isSessionId(maker.id) && !keepsSession(person, madeAt)) return false;
  }
  const key = await store.find("api_key", maker.id);
  return (key as Entity<ApiKey> | undefined)?.body.revokedAt === undefined;
}

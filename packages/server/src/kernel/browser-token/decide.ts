/** Decides commands about tokens for browsers. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { NO_SUCH_HOLD } from "../hold/guard.ts";
import { sees } from "../hold/who.ts";
import { canCount, currentPerson } from "../people/person.ts";
import { actorText, mayManage, mayOperate, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { type BrowserToken, LASTS_MAX_MS } from "./token.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface MakeBrowserToken extends By {
  readonly kind: "make_browser_token";
  readonly token: Pick<BrowserToken, "id" | "hash" | "origins"> & {
    readonly person: string;
    readonly holdId?: string;
  };
  readonly lastsMs: number;
}

export interface RevokeBrowserToken extends By {
  readonly kind: "revoke_browser_token";
  readonly tokenId: string;
}

/** The token's time is over. */
export interface DropBrowserToken extends By {
  readonly kind: "drop_browser_token";
  readonly tokenId: string;
}

export type BrowserTokenCommand = MakeBrowserToken | RevokeBrowserToken | DropBrowserToken;

export type BrowserTokenFact =
  | { readonly type: "browser_token.made" | "browser_token.revoked"; readonly token: BrowserToken }
  | { readonly type: "browser_token.dropped" };

export function makeNeeds({ token }: MakeBrowserToken): readonly Need[] {
  return [
    { kind: "browser_token", id: token.id },
    { kind: "person", id: token.person, read: true },
    ...(token.holdId === undefined ? [] : [{ kind: "hold", id: token.holdId, read: true as const }]),
  ];
}

export function makeToken(
  { token: given, by, lastsMs }: MakeBrowserToken,
  draft: Draft,
  { now }: Context,
): Reply {
  const { person, holdId, ...token } = given;
  const denied = whyNotMake(by, person, draft) ?? whyNotFound(by, holdId, draft);
  if (denied !== null) return refuse(denied);
  const teams = currentPerson(draft, person)?.teams ?? [];
  const made: BrowserToken = {
    ...token,
    reach: { person, teams, ...(holdId === undefined ? {} : { holdId }) },
    maker: { role: by.role, id: by.id, name: by.name },
    madeAt: now,
    expiresAt: now + Math.min(lastsMs, LASTS_MAX_MS),
  };
  return state(draft, made.id, { type: "browser_token.made", token: made }, by, now);
}

/** The person of an app is the app's own user. Everybody else names a person of the directory; `dev` is for trials. */
function whyNotMake(by: Principal, personId: string, world: World): Failure | null {
  if (by.role === "app" || by.role === "dev") return null;
  if (!mayOperate(by))
    return failure(
      "not_allowed",
      `a key with the role ${by.role} may not make browser tokens; use an app key`,
    );
  if (canCount(currentPerson(world, personId))) return null;
  const message =
    "there is no active, confirmed person with this id who may answer; add or confirm the person first";
  return failure("unknown_person", message, { problems: [{ key: "/person", rule: "person", message }] });
}

function whyNotFound(by: Principal, holdId: string | undefined, world: World): Failure | null {
  if (holdId === undefined) return null;
  const hold = world.get("hold", holdId);
  return hold !== undefined && sees(hold, by, undefined) ? null : NO_SUCH_HOLD;
}

/** By its maker, or by an admin. A token that was revoked before stays as it is. */
export function revokeToken({ tokenId, by }: RevokeBrowserToken, draft: Draft, { now }: Context): Reply {
  const token = draft.get("browser_token", tokenId);
  const isOwn = token?.maker.name === by.name && token.maker.role === by.role;
  if (token === undefined || !(isOwn || mayManage(by)))
    return refuse(failure("not_found", "there is no browser token with this id, or another key made it"));
  if (token.revokedAt !== undefined) return accept(tokenId);
  return state(
    draft,
    tokenId,
    { type: "browser_token.revoked", token: { ...token, revokedAt: now } },
    by,
    now,
  );
}

export function dropToken({ tokenId, by }: DropBrowserToken, draft: Draft, { now }: Context): Reply {
  const token = draft.get("browser_token", tokenId);
  if (token === undefined || token.expiresAt > now) return { ok: true, id: tokenId, fresh: false };
  return state(draft, tokenId, { type: "browser_token.dropped" }, by, now);
}

function state(draft: Draft, id: string, fact: BrowserTokenFact, by: Principal, at: number): Reply {
  draft.state({ kind: "browser_token", id, fact, at, actor: actorText(by) });
  return accept(id);
}

/**
 * Authentication. An operation takes a key or a session unless its face declares another door for it. What the door finds is
 * the `authority` of the call, with the type that the door returns.
 */

import type { Operation } from "@holdpoint/protocol";
import type { Context } from "hono";
import type { Authenticated, Credentials, Identity } from "../../identity/identity.ts";
import type { Link } from "../../kernel/hold/link.ts";
import type { Principal } from "../../kernel/principal.ts";
import { HttpFailure } from "./failure.ts";

interface Somebody {
  readonly workspace: string;
  readonly by: Principal;
}

/** A caller with a key or a session; or the server itself, for operations that anybody may call. */
export interface PrincipalAuthority extends Somebody {
  readonly kind: "principal";
}

/** A caller with the token of a link, which opens only the hold it was made for. */
export interface LinkAuthority extends Somebody {
  readonly kind: "link";
  readonly link: Link;
  /** The token as the caller sent it. */
  readonly token: string;
}

export type Authority = PrincipalAuthority | LinkAuthority;

export const NOBODY: PrincipalAuthority = {
  kind: "principal",
  workspace: "",
  by: { role: "system", via: "system", id: "", name: "" },
};

/** A request before authentication. */
export interface Arrival {
  readonly c: Context;
  readonly ip: string;
  readonly identity: Identity;
  readonly takesBrowserTokens: boolean;
}

export type Door<Deps, A extends Authority = Authority> = (arrival: Arrival, deps: Deps) => A | Promise<A>;

type Operations = Readonly<Record<string, Operation>>;
type BehindDoors<Ops extends Operations> = {
  [Name in keyof Ops]: Ops[Name]["security"] extends "link" | "session" ? Name : never;
}[keyof Ops];

/** Every operation that takes a link or a console session needs a door; other operations may have one. */
export type Doors<Ops extends Operations, Deps> = {
  readonly [Name in keyof Ops]?: Door<Deps>;
} & { readonly [Name in BehindDoors<Ops>]: Door<Deps> };

/** The type of `call.authority` in an operation's handler. */
export type AuthorityAt<D, Name> = Name extends keyof D
  ? D[Name] extends Door<never, infer A>
    ? A
    : PrincipalAuthority
  : PrincipalAuthority;

export function byCredentials(arrival: Arrival): PrincipalAuthority | Promise<PrincipalAuthority> {
  const { c, ip, identity, takesBrowserTokens } = arrival;
  const found = identity.authenticate(credentialsOf(c, ip, takesBrowserTokens));
  return found instanceof Promise ? found.then(admitted) : admitted(found);
}

export function principalAuthority(found: Extract<Authenticated, { ok: true }>): PrincipalAuthority {
  return { kind: "principal", workspace: found.caller.workspace, by: found.caller.principal };
}

function admitted(found: Authenticated): PrincipalAuthority {
  if (found.ok) return principalAuthority(found);
  const { why: code, message, retryAfterMs } = found;
  throw new HttpFailure({ code, message }, retryAfterMs === undefined ? {} : { retryAfterMs });
}

export type LinkFound = LinkAuthority | { readonly kind: "wrong"; readonly retryAfterMs?: number };

/** The link that a token belongs to, even if it was revoked. */
export async function byLink(
  { ip, identity }: Arrival,
  token: string | undefined,
  holdId: string,
): Promise<LinkFound> {
  const found = await identity.byLink(token, holdId, ip);
  if (!found.ok) {
    const { retryAfterMs } = found;
    return { kind: "wrong", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  const { workspace, principal: by } = found.caller;
  return { kind: "link", workspace, by, link: found.link, token: token ?? "" };
}

const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Reads headers only when needed: a key needs two of them, and most requests use a key. */
class CallCredentials implements Credentials {
  readonly ip: string;
  readonly takesBrowserTokens: boolean;
  readonly #c: Context;

  constructor(c: Context, ip: string, takesBrowserTokens: boolean) {
    this.#c = c;
    this.ip = ip;
    this.takesBrowserTokens = takesBrowserTokens;
  }

  get unsafe(): boolean {
    return UNSAFE.has(this.#c.req.method);
  }

  get authorization(): string | undefined {
    return this.#c.req.header("authorization");
  }

  get apiKey(): string | undefined {
    return this.#c.req.header("x-api-key");
  }

  get agentId(): string | undefined {
    return this.#c.req.header("x-agent-id");
  }

  get cookie(): string | undefined {
    return this.#c.req.header("cookie");
  }

  get csrf(): string | undefined {
    return this.#c.req.header("x-csrf-token");
  }

  get origin(): string | undefined {
    return this.#c.req.header("origin");
  }

  get sameOrigin(): boolean {
    return isSameOrigin(this.#c);
  }
}

export function credentialsOf(c: Context, ip: string, takesBrowserTokens = false): Credentials {
  return new CallCredentials(c, ip, takesBrowserTokens);
}

/** Browsers send the origin of a request. A client that sends none is no browser, so it has no cookie that another site could misuse. */
function isSameOrigin(c: Context): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  return origin === undefined || isOwn(origin, c);
}

function isOwn(origin: string, c: Context): boolean {
  return URL.canParse(origin) && new URL(origin).host === c.req.header("host");
}

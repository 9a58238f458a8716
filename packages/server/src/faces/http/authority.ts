/**
 * Who is calling, and what lets them in. An operation is called with a key or a session unless its face declares another
 * door for it; what the door found is the `authority` of the call, with the type that the door gives it.
 */

import type { IncomingMessage } from "node:http";
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

/** By key or by session; or the server itself, where anybody may call. */
export interface PrincipalAuthority extends Somebody {
  readonly kind: "principal";
}

/** By the token of a link, which opens the hold that it was made for and nothing else. */
export interface LinkAuthority extends Somebody {
  readonly kind: "link";
  readonly link: Link;
  /** As it was sent. */
  readonly token: string;
}

export type Authority = PrincipalAuthority | LinkAuthority;

export const NOBODY: PrincipalAuthority = {
  kind: "principal",
  workspace: "",
  by: { role: "system", via: "system", id: "", name: "" },
};

/** A request before anything is known about who sent it. */
export interface Arrival {
  readonly c: Context;
  readonly ip: string;
  readonly identity: Identity;
}

export type Door<Deps, A extends Authority = Authority> = (arrival: Arrival, deps: Deps) => A | Promise<A>;

type Operations = Readonly<Record<string, Operation>>;
type BehindDoors<Ops extends Operations> = {
  [Name in keyof Ops]: Ops[Name]["security"] extends "link" | "session" ? Name : never;
}[keyof Ops];

/** A door for every operation that takes a link or a session of the console; any other may have one. */
export type Doors<Ops extends Operations, Deps> = {
  readonly [Name in keyof Ops]?: Door<Deps>;
} & { readonly [Name in BehindDoors<Ops>]: Door<Deps> };

/** What the handler of an operation finds as its authority. */
export type AuthorityAt<D, Name> = Name extends keyof D
  ? D[Name] extends Door<never, infer A>
    ? A
    : PrincipalAuthority
  : PrincipalAuthority;

export function byCredentials({
  c,
  ip,
  identity,
}: Arrival): PrincipalAuthority | Promise<PrincipalAuthority> {
  const found = identity.authenticate(credentialsOf(c, ip));
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

/** The link behind a token, revoked or not. */
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

export function ipOf(c: Context): string {
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  return incoming?.socket.remoteAddress ?? "local";
}

const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Looked up when asked for: a key needs two of these headers, and most requests bring a key. */
class CallCredentials implements Credentials {
  readonly ip: string;
  readonly #c: Context;

  constructor(c: Context, ip: string) {
    this.#c = c;
    this.ip = ip;
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

  get sameOrigin(): boolean {
    return isSameOrigin(this.#c);
  }
}

export function credentialsOf(c: Context, ip: string): Credentials {
  return new CallCredentials(c, ip);
}

/** A browser says where a request comes from; what says nothing is no browser and has no cookie to abuse. */
function isSameOrigin(c: Context): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  return origin === undefined || isOwn(origin, c);
}

function isOwn(origin: string, c: Context): boolean {
  return URL.canParse(origin) && new URL(origin).host === c.req.header("host");
}

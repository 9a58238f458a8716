/**
 * Authenticates callers. A key, a console session or a link becomes a `Principal`; nothing else does.
 *
 * I1  A secret is looked up by the id in it and compared by hash in constant time (G9). A valid key is cached for seconds,
 *     so that only its first request pays for the lookup.
 * I2  Wrong secrets are counted and limited per IP address. Callers with a valid key are not limited.
 * I3  A revoked key stops working at once on the server that revoked it and within seconds on the others.
 * I4  Names have kinds: a key for any agent cannot act under a name that belongs to an app or a person (G7).
 * I5  The keys, sessions and links of a person who is suspended or erased are refused: at once on the server that suspended
 *     them, within seconds on the others.
 */

import type { Engine } from "../engine/engine.ts";
import { type ApiKey, provenAtOf, type Session } from "../kernel/access/access.ts";
import type { Entity } from "../kernel/entity.ts";
import { type Link, linkId } from "../kernel/hold/link.ts";
import { keepsSession, standsForPerson } from "../kernel/people/person.ts";
import type { KeyRole, Principal } from "../kernel/principal.ts";
import { SYSTEM } from "../kernel/principal.ts";
import { sameSecret, tokenHash } from "../system/digest.ts";
import { AgentNames } from "./agent-names.ts";
import { browserCaller, isBrowserToken } from "./browser-tokens.ts";
import { Limiter } from "./limiter.ts";
import { configuredCallbackSecret, csrfTokenOf, keyIdOf } from "./secrets.ts";
import { sessionIn } from "./session-cookie.ts";
import { isForSuspended, isSuspended, personRow } from "./suspended.ts";

export interface Caller {
  readonly workspace: string;
  readonly principal: Principal;
}

export type WhyNot = "unauthenticated" | "agent_mismatch" | "rate_limited" | "not_allowed";
export type Authenticated =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly why: WhyNot; readonly message: string; readonly retryAfterMs?: number };

/** A key from the environment, accepted besides those in the store. */
export interface ConfiguredKey {
  readonly secret: string;
  readonly role: KeyRole;
  readonly name: string;
  readonly workspace: string;
}

export interface Credentials {
  readonly authorization?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly agentId?: string | undefined;
  readonly cookie?: string | undefined;
  readonly csrf?: string | undefined;
  /** From `Sec-Fetch-Site`, or from the Origin header where that is missing. */
  readonly sameOrigin: boolean;
  /** Whether the call changes anything; such calls need the session's CSRF token. */
  readonly unsafe: boolean;
  readonly ip: string;
  /** The operation may be called with a browser token. */
  readonly takesBrowserTokens?: boolean;
  readonly origin?: string | undefined;
}

interface KnownKey {
  readonly id: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly workspace: string;
  readonly until: number;
  /** From the environment: it has no row that says when it was last used. */
  readonly isConfigured?: boolean;
}

export interface IdentityOptions {
  readonly engine: Engine;
  readonly keys: readonly ConfiguredKey[];
  /** `dev` keys are for trials on one machine. */
  readonly allowDev: boolean;
  /** Names of the configured people. They apply to every workspace. */
  readonly people?: readonly string[];
  readonly workspaces?: readonly string[];
}

/** Rows of these kinds give a name to an app or a person. */
const NAMING: ReadonlySet<string> = new Set(["api_key", "session", "person"]);
const REMEMBER_MS = 5_000;
const NOTE_USE_MS = 60_000;
const AGENT_ID_MAX = 200;
/** The part of a name sent by an unauthenticated caller that is kept as a counter's key. */
const GUESSED_NAME_MAX = 64;
const NO = { ok: false, why: "unauthenticated", message: "no valid credential was sent" } as const;

const NOT_FOR_BROWSERS = {
  ...NO,
  message: "a browser token can only read and answer holds; use a key",
} as const;

export class Identity {
  readonly #engine: Engine;
  readonly #configured = new Map<string, KnownKey>();
  readonly #configuredSecrets = new Map<string, string>();
  readonly #known = new Map<string, KnownKey>();
  /** How often `#known` was cleared. */
  #clearings = 0;
  readonly #notedAt = new Map<string, number>();
  readonly #agentNames: AgentNames;
  readonly #guesses: Limiter;
  readonly #allowDev: boolean;
  readonly #detach: () => void;

  constructor(options: IdentityOptions) {
    this.#engine = options.engine;
    this.#allowDev = options.allowDev;
    this.#guesses = new Limiter(
      options.engine.clock,
      { budget: 30, windowMs: 60_000 },
      { store: options.engine.store, of: "guess" },
    );
    for (const { secret, role, name, workspace } of options.keys) {
      const until = Number.POSITIVE_INFINITY;
      const id = configuredKeyId(role, name, workspace);
      this.#configuredSecrets.set(id, secret);
      this.#configured.set(tokenHash(secret), { id, name, role, workspace, until });
    }
    this.#agentNames = new AgentNames(options);
    this.#detach = options.engine.onCommit(({ entities }) => {
      if (entities.some(({ kind }) => kind === "api_key" || kind === "person")) this.#forgetKeys();
      if (entities.some(({ kind }) => NAMING.has(kind))) this.#agentNames.forget();
    });
  }

  close(): void {
    this.#detach();
  }

  #forgetKeys(): void {
    this.#known.clear();
    this.#clearings += 1;
  }

  /** The secret that signs callbacks for holds of this key; `undefined` if the key does not exist. */
  async callbackSecret(keyId: string): Promise<string | undefined> {
    const configured = this.#configuredSecrets.get(keyId);
    if (configured !== undefined) return configuredCallbackSecret(configured);
    const found = (await this.#engine.store.find("api_key", keyId)) as Entity<ApiKey> | undefined;
    return found?.body.callbackSecret;
  }

  /** Synchronous for a cached key, which is the case for nearly every request. */
  authenticate(credentials: Credentials): Authenticated | Promise<Authenticated> {
    const secret = bearer(credentials.authorization) ?? credentials.apiKey;
    if (secret !== undefined && isBrowserToken(secret)) return this.#byBrowserToken(secret, credentials);
    if (secret !== undefined) return this.#byKey(secret, credentials);
    const session = sessionIn(credentials.cookie);
    return session === undefined ? NO : this.#bySession(session, credentials);
  }

  /** Refused like an unknown key wherever an operation does not say that it takes browser tokens. */
  async #byBrowserToken(secret: string, credentials: Credentials): Promise<Authenticated> {
    const { takesBrowserTokens, origin, ip } = credentials;
    const { store, clock } = this.#engine;
    const caller = await browserCaller(store, secret, origin, clock.now());
    if (caller === undefined) return this.#wrongGuess(ip);
    return takesBrowserTokens === true ? { ok: true, caller } : NOT_FOR_BROWSERS;
  }

  #byKey(secret: string, credentials: Credentials): Authenticated | Promise<Authenticated> {
    const now = this.#engine.clock.now();
    const remembered = this.#known.get(secret);
    if (remembered !== undefined && remembered.until > now) return this.#admit(remembered, credentials, now);
    return this.#lookUp(secret, now).then((key) => this.#admit(key, credentials, now));
  }

  #admit(
    key: KnownKey | undefined,
    { agentId, ip }: Credentials,
    now: number,
  ): Authenticated | Promise<Authenticated> {
    if (key === undefined || (key.role === "dev" && !this.#allowDev)) return this.#wrongGuess(ip);
    this.#noteUse(key, now);
    return this.#asAgent(key, agentId);
  }

  /** What was read before the cache was cleared is not cached: the key may have been revoked meanwhile (I3). */
  async #lookUp(secret: string, now: number): Promise<KnownKey | undefined> {
    const clearings = this.#clearings;
    const key = await this.#find(secret, now);
    if (key !== undefined && clearings === this.#clearings) this.#remember(secret, key, now);
    return key;
  }

  async #find(secret: string, now: number): Promise<KnownKey | undefined> {
    const hash = tokenHash(secret);
    const configured = this.#configured.get(hash);
    if (configured !== undefined) return this.#unlessSuspended(configured, now);
    const id = keyIdOf(secret);
    if (id === null) return undefined;
    // A key does not contain its workspace, but its id is unique across workspaces.
    const found = await this.#engine.store.find("api_key", id);
    const entity = found as Entity<ApiKey> | undefined;
    if (entity === undefined || entity.body.revokedAt !== undefined) return undefined;
    if (!sameSecret(hash, entity.body.hash)) return undefined;
    const { name, role } = entity.body;
    const known = { id, name, role, workspace: entity.workspace, until: now + REMEMBER_MS };
    return this.#unlessSuspended(known, now);
  }

  /** The key of a suspended person is refused like a revoked one. A key that stands for a person is looked up again soon. */
  async #unlessSuspended(key: KnownKey, now: number): Promise<KnownKey | undefined> {
    if (!standsForPerson(key)) return key;
    if (await isSuspended(this.#engine.store, key.workspace, key.name)) return undefined;
    const until = now + REMEMBER_MS;
    return { ...key, until, isConfigured: key.until > until };
  }

  #remember(secret: string, key: KnownKey, now: number): void {
    for (const [other, { until }] of this.#known) if (until <= now) this.#known.delete(other);
    this.#known.set(secret, key);
  }

  #wrongGuess(ip: string): Authenticated {
    const verdict = this.#guesses.spend(ip);
    if (verdict.ok) return NO;
    return {
      ok: false,
      why: "rate_limited",
      message: "too many wrong credentials; wait before trying again",
      retryAfterMs: verdict.retryAfterMs,
    };
  }

  /** Counts an unknown token; returns how long to wait if there were too many. */
  wrongToken(ip: string): number | undefined {
    const verdict = this.#guesses.spend(ip);
    return verdict.ok ? undefined : verdict.retryAfterMs;
  }

  /** An agent's key acts for that agent only. `agent:*` and `dev` keys may name the agent. Other roles act as themselves. */
  #asAgent(key: KnownKey, agentId: string | undefined): Authenticated | Promise<Authenticated> {
    const { id, role, workspace } = key;
    const any = (role === "agent" && key.name === "*") || role === "dev";
    if (agentId !== undefined && role === "agent" && !any && agentId !== key.name) {
      return {
        ok: false,
        why: "agent_mismatch",
        message: "this key belongs to another agent; send its own name in X-Agent-ID or leave the header out",
      };
    }
    if (any && agentId !== undefined && (agentId === "" || agentId.length > AGENT_ID_MAX)) {
      const message = `X-Agent-ID must be a name of 1 to ${AGENT_ID_MAX} characters`;
      return { ok: false, why: "agent_mismatch", message };
    }
    if (role === "agent" && key.name === "*" && agentId === undefined) {
      return {
        ok: false,
        why: "agent_mismatch",
        message: "this key acts for any agent: name the agent in X-Agent-ID",
      };
    }
    const name = any && agentId !== undefined ? agentId : key.name;
    const admitted = { ok: true, caller: { workspace, principal: { role, via: "key", id, name } } } as const;
    if (role !== "agent" || key.name !== "*") return admitted;
    return this.#agentNames.isFree(workspace, name).then((isFree) => (isFree ? admitted : notAnAgent(name)));
  }

  /** The time of last use is only shown to people: it is written once a minute, without waiting for the commit. */
  #noteUse(key: KnownKey, now: number): void {
    if (key.until === Number.POSITIVE_INFINITY || key.isConfigured === true) return;
    if (now - (this.#notedAt.get(key.id) ?? 0) < NOTE_USE_MS) return;
    this.#notedAt.set(key.id, now);
    const { workspace, id: keyId } = key;
    this.#engine.run({ kind: "note_key_use", workspace, by: SYSTEM, keyId }).catch(() => undefined);
  }

  async #bySession(token: string, credentials: Credentials): Promise<Authenticated> {
    const found = (await this.#engine.store.find("session", tokenHash(token))) as Entity<Session> | undefined;
    const now = this.#engine.clock.now();
    if (found === undefined || found.body.endedAt !== undefined || found.body.expiresAt <= now) {
      return this.#wrongGuess(credentials.ip);
    }
    const { id, name, role, madeAt } = found.body;
    const person = await personRow(this.#engine.store, found.workspace, name);
    if (!keepsSession(person, madeAt)) return this.#wrongGuess(credentials.ip);
    if (credentials.unsafe && !(credentials.sameOrigin && isCsrf(credentials.csrf, token))) {
      return {
        ok: false,
        why: "not_allowed",
        message: "the request does not come from the console's own page, or its CSRF token is missing",
      };
    }
    return {
      ok: true,
      caller: {
        workspace: found.workspace,
        principal: { role, via: "session", id, name, signedInAt: provenAtOf(found.body) },
      },
    };
  }

  /** Once an address is over its limit, its guesses no longer add counters per hold, so that memory stays bounded. */
  #wrongLink(names: readonly string[]): LinkFound {
    for (const name of names) {
      const verdict = this.#guesses.spend(name);
      if (!verdict.ok) return { ok: false, retryAfterMs: verdict.retryAfterMs };
    }
    return { ok: false };
  }

  /** The link for a token, if it belongs to this hold. Wrong tokens are limited per hold and per IP address. */
  async byLink(token: string | undefined, holdId: string, ip: string): Promise<LinkFound> {
    const hash = token === undefined ? "" : tokenHash(token);
    const found = (await this.#engine.store.find("link", linkId(holdId, hash))) as Entity<Link> | undefined;
    if (found === undefined || !sameSecret(hash, found.body.hash)) {
      return this.#wrongLink([`${ip} link`, `${holdId.slice(0, GUESSED_NAME_MAX)} link`]);
    }
    const { body, workspace } = found;
    if (await isForSuspended(body, this.#engine.store, workspace)) return { ok: false };
    const principal: Principal = { role: "reviewer", via: "link", id: body.id, name: "" };
    return { ok: true, link: body, hash, caller: { workspace, principal } };
  }
}

function notAnAgent(name: string): Authenticated {
  const message = `X-Agent-ID: ${name} is the name of an app or a person. A key for any agent can act for agents only`;
  return { ok: false, why: "agent_mismatch", message };
}

/** One name may have keys of several roles and workspaces, each with its own id. */
function configuredKeyId(role: KeyRole, name: string, workspace: string): string {
  return `env:${role}:${name}${workspace === "default" ? "" : `:${workspace}`}`;
}

export type LinkFound =
  | { readonly ok: true; readonly link: Link; readonly hash: string; readonly caller: Caller }
  | { readonly ok: false; readonly retryAfterMs?: number };

function bearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  return /^bearer +(.+)$/i.exec(authorization)?.[1];
}

function isCsrf(given: string | undefined, sessionToken: string): boolean {
  return given !== undefined && sameSecret(given, csrfTokenOf(sessionToken));
}

/**
 * Signing in at an identity provider: from the redirect there to the session here.
 *
 * D1  An attempt is a row that is used once, for ten minutes, by the browser that began it. So neither state nor code can be
 *     replayed, and nobody can be signed in to an account that they did not choose.
 * D2  Identity is issuer and subject. Name and address only fill a new person's row.
 * D3  A provider that ends somebody's session ends the sessions here that came from it.
 */

import type { IDToken } from "openid-client";
import { LOG_WORKSPACE } from "../../engine/checkpointer.ts";
import type { Engine } from "../../engine/engine.ts";
import { type OidcSession, oidcSidKey, oidcSubjectKey } from "../../kernel/access/access.ts";
import { type Failure, failure } from "../../kernel/failure.ts";
import type { OidcAttempt } from "../../kernel/passkey/passkey.ts";
import { personIdOf } from "../../kernel/people/person.ts";
import { type Principal, SYSTEM } from "../../kernel/principal.ts";
import { sameSecret, sha256, tokenHash } from "../../system/digest.ts";
import type { Ids } from "../../system/ids.ts";
import type { OidcProvider } from "../../system/sign-in-config.ts";
import { newSession, SESSION_MS } from "../sign-in.ts";
import { grantedBy } from "./granted.ts";
import { adminSigningIn, keptWords } from "./last-admin.ts";
import { OpenId } from "./openid.ts";

const ATTEMPT_MS = 10 * 60_000;
const NAME_LENGTH_MAX = 100;

export interface OidcParts {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly publicUrl: string;
  readonly providers: readonly OidcProvider[];
  /** Receives what went wrong with a provider. The person sees only that it did. */
  readonly onTrouble: (provider: string, error: unknown) => void;
}

export interface BeginOptions {
  readonly returnTo: string;
  readonly isFresh: boolean;
  readonly linkTo?: OidcAttempt["linkTo"];
}

export interface Finish {
  /** The query of the callback. */
  readonly query: string;
  readonly state: string;
  /** The cookie of the browser that began. */
  readonly browser: string;
  readonly device: string | undefined;
  /** Who is signed in to the console; needed to link an account. */
  readonly signedIn?: { readonly workspace: string; readonly by: Principal };
}

export type Finished =
  | { readonly kind: "signed_in"; readonly secret: string; readonly returnTo: string }
  | { readonly kind: "linked"; readonly returnTo: string };

export class OidcSignIns {
  readonly #parts: OidcParts;
  readonly #providers: ReadonlyMap<string, OpenId>;

  constructor(parts: OidcParts) {
    this.#parts = parts;
    const { publicUrl, engine } = parts;
    this.#providers = new Map(
      parts.providers.map((provider) => {
        const redirectUri = `${publicUrl}/signin/oidc/${provider.name}/callback`;
        return [provider.name, new OpenId(provider, redirectUri, engine.clock)] as const;
      }),
    );
  }

  /** What the sign-in page shows. */
  get shown(): readonly { readonly name: string; readonly label: string }[] {
    return this.#parts.providers.map(({ name, label }) => ({ name, label }));
  }

  /** Where to send the browser, and the cookie that it has to bring back. */
  async begin(
    name: string,
    { returnTo, isFresh, linkTo }: BeginOptions,
  ): Promise<{ readonly location: string; readonly browser: string } | Failure> {
    const openId = this.#providers.get(name);
    if (openId === undefined) return NO_PROVIDER;
    const { ids, engine } = this.#parts;
    const [state, nonce, verifier, browser] = [ids.token(), ids.token(), ids.token(), ids.token()];
    const attempt = { provider: name, nonce, verifier, browser: tokenHash(browser), isFresh, returnTo };
    try {
      const location = await openId.authorizationUrl({ state, nonce, verifier, isFresh });
      const oidc = { ...attempt, ...(linkTo === undefined ? {} : { linkTo }) };
      const expiresAt = engine.clock.now() + ATTEMPT_MS;
      const challenge = { id: tokenHash(state), expiresAt, purpose: "oidc", oidc } as const;
      const frame = { workspace: LOG_WORKSPACE, by: SYSTEM };
      const made = await engine.run({ kind: "make_challenge", ...frame, challenge });
      return made.ok ? { location: location.href, browser } : made.failure;
    } catch (error) {
      this.#parts.onTrouble(name, error);
      return UNREACHABLE;
    }
  }

  async finish(name: string, finish: Finish): Promise<Finished | Failure> {
    const openId = this.#providers.get(name);
    if (openId === undefined) return NO_PROVIDER;
    const attempt = await this.#take(name, finish);
    if ("code" in attempt) return attempt;
    const { nonce, verifier, isFresh } = attempt;
    try {
      const claims = await openId.claims(finish.query, { state: finish.state, nonce, verifier, isFresh });
      return await (attempt.linkTo === undefined
        ? this.#signIn(openId.provider, attempt, claims, finish.device)
        : this.#link(attempt, claims, finish));
    } catch (error) {
      this.#parts.onTrouble(name, error);
      return NOT_CONFIRMED;
    }
  }

  async #take(name: string, { state, browser }: Finish): Promise<OidcAttempt | Failure> {
    const { engine } = this.#parts;
    const id = tokenHash(state);
    const [found] = await engine.store.load([
      { workspace: LOG_WORKSPACE, kind: "challenge", id, read: true },
    ]);
    const challenge = found?.body;
    if (challenge?.purpose !== "oidc" || challenge.oidc.provider !== name) return USED_UP;
    if (!sameSecret(tokenHash(browser), challenge.oidc.browser)) return USED_UP;
    const frame = { workspace: LOG_WORKSPACE, by: SYSTEM, challengeId: id } as const;
    const taken = await engine.run({ kind: "use_challenge", ...frame, purpose: "oidc" });
    return taken.ok ? challenge.oidc : USED_UP;
  }

  async #signIn(
    provider: OidcProvider,
    { returnTo }: OidcAttempt,
    claims: IDToken,
    device: string | undefined,
  ): Promise<Finished | Failure> {
    const { engine, ids } = this.#parts;
    const { secret, session } = newSession(ids, engine.clock.now(), device);
    const granted = grantedBy(provider, claims[provider.groupsClaim]);
    const { workspace } = provider;
    const account = accountOf(claims);
    const keepsAdmin = granted === undefined || granted?.role === "admin";
    const admin = keepsAdmin ? undefined : await adminSigningIn(engine.store, workspace, account);
    if (admin?.otherAdmins.length === 0)
      this.#parts.onTrouble(provider.name, new Error(keptWords(admin.person)));
    const result = await engine.run({
      ...({ kind: "sign_in_by_account", workspace, by: SYSTEM } as const),
      account,
      ...(granted === undefined ? {} : { granted }),
      ...(admin === undefined ? {} : { otherAdmins: admin.otherAdmins }),
      newPerson: newPersonOf(claims),
      session,
      oidc: sessionOf(provider.name, claims),
      lastsMs: SESSION_MS,
    });
    return result.ok ? { kind: "signed_in", secret, returnTo } : result.failure;
  }

  /** Only the person who began it, still signed in, links the account. */
  async #link(
    { linkTo, returnTo }: OidcAttempt,
    claims: IDToken,
    { signedIn }: Finish,
  ): Promise<Finished | Failure> {
    if (signedIn === undefined || linkTo === undefined) return USED_UP;
    const { workspace, by } = signedIn;
    if (workspace !== linkTo.workspace || personIdOf(by) !== linkTo.personId) return USED_UP;
    const { personId } = linkTo;
    const command = { kind: "link_account", workspace, by, personId, isProven: true } as const;
    const result = await this.#parts.engine.run({ ...command, account: accountOf(claims) });
    return result.ok ? { kind: "linked", returnTo } : result.failure;
  }

  /** Ends the sessions that a logout token names. A session that began after the logout stays. */
  async logout(name: string, token: string): Promise<Failure | null> {
    const openId = this.#providers.get(name);
    if (openId === undefined) return NO_PROVIDER;
    const { engine, onTrouble } = this.#parts;
    try {
      const { issuer, subject, sid, at } = await openId.logout(token);
      const index =
        sid === undefined
          ? { name: "oidc_subject", value: oidcSubjectKey({ issuer, subject: subject ?? "" }) }
          : { name: "oidc_sid", value: oidcSidKey(issuer, sid) };
      const { workspace } = openId.provider;
      const found = await engine.store.query({ workspace, kind: "session", index, limit: 1_000 });
      for (const { body } of found) {
        const isMeant = subject === undefined || body.oidc?.subject === subject;
        if (isMeant && body.madeAt <= at + CLOCKS_APART_MS)
          await engine.run({ kind: "close_session", workspace, by: SYSTEM, hash: body.hash });
      }
      return null;
    } catch (error) {
      onTrouble(name, error);
      return failure("not_proven", "this logout token proves nothing");
    }
  }
}

const CLOCKS_APART_MS = 30_000;

const NO_PROVIDER = failure("not_found", "there is no identity provider with this name");
const USED_UP = failure(
  "not_allowed",
  "this sign-in was used before, has expired or began elsewhere; start again",
);
const UNREACHABLE = failure(
  "not_allowed",
  "the identity provider cannot be reached; try again, or sign in another way",
);
const NOT_CONFIRMED = failure(
  "not_proven",
  "the identity provider did not confirm who you are; try again, or sign in another way",
);

function accountOf({ iss, sub }: IDToken) {
  return { platform: "oidc", tenant: iss, userId: sub };
}

/** The id says nothing about the person and is the same whenever they come. An address counts only if it was verified. */
function newPersonOf(claims: IDToken) {
  const { iss, sub, email } = claims;
  const id = `oidc-${sha256(`${iss}\n${sub}`).slice("sha256:".length, "sha256:".length + 16)}`;
  const name = textIn(claims["name"]) ?? textIn(claims["preferred_username"]) ?? id;
  const isVerified = claims["email_verified"] === true && typeof email === "string" && ADDRESS.test(email);
  return { id, name, ...(isVerified ? { email } : {}) };
}

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

function textIn(claim: unknown): string | undefined {
  if (typeof claim !== "string") return undefined;
  const text = claim
    .replaceAll(/\p{Cc}/gu, " ")
    .toWellFormed()
    .trim()
    .slice(0, NAME_LENGTH_MAX);
  return text === "" ? undefined : text;
}

function sessionOf(provider: string, claims: IDToken): OidcSession {
  const { iss: issuer, sub: subject, sid, auth_time: authTime, acr, amr } = claims;
  return {
    ...{ provider, issuer, subject },
    ...(typeof sid === "string" ? { sid } : {}),
    ...(authTime === undefined ? {} : { authenticatedAt: authTime * 1_000 }),
    ...(typeof acr === "string" ? { acr } : {}),
    ...(Array.isArray(amr) ? { amr: amr.filter((method) => typeof method === "string") } : {}),
  };
}

/**
 * OpenID Connect with `openid-client`, which is loaded when the first person signs in this way.
 *
 * O1  Authorization code flow with PKCE (S256), state and nonce.
 * O2  The signature of every ID token is checked, although it comes straight from the provider. Its keys are read again for
 *     each sign-in, so that a provider can change them at any moment.
 * O3  Issuer, audience, expiry, nonce and, where one was asked for, the time of authentication are checked by the library.
 * O4  Anybody may send a logout token, so the keys that check it are kept (`from-issuer.ts`). A provider that changes its keys is
 *     believed a moment later.
 */

import type { Configuration, IDToken, ServerMetadata } from "openid-client";
import type { Clock } from "../../system/clock.ts";
import type { OidcProvider } from "../../system/sign-in-config.ts";
import { IssuerKeys, Remembered, TIMEOUT_SECONDS, TOLERANCE_SECONDS } from "../from-issuer.ts";

export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The person must prove again who they are, even if the provider still knows them. */
  readonly isFresh: boolean;
}

export class OpenId {
  readonly provider: OidcProvider;
  readonly #clock: Clock;
  readonly #redirectUri: string;
  readonly #metadata: Remembered<ServerMetadata>;
  readonly #logoutKeys: IssuerKeys;

  constructor(provider: OidcProvider, redirectUri: string, clock: Clock) {
    this.provider = provider;
    this.#redirectUri = redirectUri;
    this.#clock = clock;
    this.#metadata = new Remembered(clock, () => this.#discover());
    this.#logoutKeys = new IssuerKeys(clock);
  }

  async authorizationUrl({ state, nonce, verifier, isFresh }: Begun): Promise<URL> {
    const client = await import("openid-client");
    const parameters = {
      redirect_uri: this.#redirectUri,
      scope: this.provider.scopes.join(" "),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(isFresh ? { prompt: "login", max_age: "0" } : {}),
    };
    return client.buildAuthorizationUrl(await this.#configuration(), parameters);
  }

  /** What the ID token says, or throws what is wrong with the provider's answer. */
  async claims(query: string, { state, nonce, verifier, isFresh }: Begun): Promise<IDToken> {
    const client = await import("openid-client");
    const configuration = await this.#configuration();
    const url = new URL(this.#redirectUri);
    url.search = query;
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(isFresh ? { maxAge: FRESH_SECONDS } : {}),
    });
    const claims = tokens.claims() as IDToken;
    const { groups, groupsClaim } = this.provider;
    if (groups === undefined || claims[groupsClaim] !== undefined) return claims;
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return { ...more, ...claims };
  }

  /** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0), or throws what is wrong with it. */
  async logout(token: string): Promise<LoggedOut> {
    const jose = await import("jose");
    const { issuer, jwks_uri: address } = await this.#metadata.get();
    if (address === undefined) throw new Error("the provider names no keys");
    const { payload } = await jose.jwtVerify(token, await this.#logoutKeys.at(address), {
      issuer,
      audience: this.provider.clientId,
      algorithms: SIGNATURES,
      clockTolerance: TOLERANCE_SECONDS,
      maxTokenAge: LOGOUT_TOKEN_SECONDS,
      requiredClaims: ["iat", "jti", "events"],
      currentDate: new Date(this.#clock.now()),
    });
    const events = payload["events"];
    const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events;
    if (!isLogout || payload["nonce"] !== undefined) throw new Error("it is not a logout token");
    const { sub: subject, iat = 0 } = payload;
    const sid = typeof payload["sid"] === "string" ? payload["sid"] : undefined;
    if (subject === undefined && sid === undefined)
      throw new Error("it names neither a subject nor a session");
    return { issuer, subject, sid, at: iat * 1_000 };
  }

  /** A new one for each sign-in: it remembers the provider's keys. */
  async #configuration(): Promise<Configuration> {
    const client = await import("openid-client");
    const { clientId, clientSecret, issuer } = this.provider;
    const server = await this.#metadata.get();
    // A provider that lists no methods takes the secret in a header.
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const inHeader = methods.includes("client_secret_basic");
    const authentication =
      clientSecret === undefined
        ? client.None()
        : inHeader
          ? client.ClientSecretBasic(clientSecret)
          : client.ClientSecretPost(clientSecret);
    const metadata = { [client.clockTolerance]: TOLERANCE_SECONDS };
    const configuration = new client.Configuration(server, clientId, metadata, authentication);
    configuration.timeout = TIMEOUT_SECONDS;
    client.enableNonRepudiationChecks(configuration);
    if (issuer.startsWith("http:")) client.allowInsecureRequests(configuration);
    return configuration;
  }

  async #discover(): Promise<ServerMetadata> {
    const client = await import("openid-client");
    const { issuer, clientId } = this.provider;
    const execute = issuer.startsWith("http:") ? [client.allowInsecureRequests] : [];
    const options = { execute, timeout: TIMEOUT_SECONDS };
    const found = await client.discovery(new URL(issuer), clientId, undefined, undefined, options);
    return found.serverMetadata();
  }
}

/** The person has just authenticated; the redirect may take a moment. */
const FRESH_SECONDS = 120;
const LOGOUT_TOKEN_SECONDS = 300;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Signatures that only the provider can make: never `none`, never one with a shared secret. */
export const SIGNATURES = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

export interface LoggedOut {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  /** When the provider ended the session. */
  readonly at: number;
}

/**
 * OAuth access tokens at `/mcp`: signed JWTs of one configured issuer, each for one agent.
 *
 * A1  Signature, issuer, audience and expiry are checked; only algorithms with which nobody but the issuer can sign.
 * A2  A token whose client or subject the configuration does not list gives nothing, however valid it is.
 * A3  An issuer that cannot be reached refuses nobody for good: the caller is told to try again.
 */

import type { errors, JWTPayload } from "jose";
import type { Clock } from "../system/clock.ts";
import type { McpOAuth } from "../system/mcp-config.ts";
import { IssuerKeys, Remembered, TIMEOUT_SECONDS, TOLERANCE_SECONDS } from "./from-issuer.ts";
import { SIGNATURES } from "./oidc/openid.ts";

export interface TokenRead {
  readonly scopes: readonly string[];
  /** In seconds since 1970. */
  readonly expiresAt: number;
  /** Whose token it is, by the configured claim. */
  readonly owner: string;
}

/** What is wrong with a token. */
export class BadToken extends Error {
  override readonly name = "BadToken";
  /** Honest clients send expired tokens too; everything else counts as a guess. */
  readonly isExpired: boolean;

  constructor(message: string, isExpired = false) {
    super(message);
    this.isExpired = isExpired;
  }
}

/** The issuer's keys cannot be read now. */
export class IssuerAway extends Error {
  override readonly name = "IssuerAway";
  readonly retryable = true;
}

export class AccessTokens {
  readonly config: McpOAuth;
  readonly audience: string;
  readonly #clock: Clock;
  readonly #address: Remembered<string>;
  readonly #keys: IssuerKeys;

  constructor(config: McpOAuth, resource: string, clock: Clock) {
    this.config = config;
    this.audience = config.audience ?? resource;
    this.#clock = clock;
    this.#address = new Remembered(clock, () => this.#keysAddress());
    this.#keys = new IssuerKeys(clock);
  }

  /** Throws `BadToken` or `IssuerAway`. */
  async read(token: string): Promise<TokenRead> {
    const { issuer, agentClaim } = this.config;
    const { jwtVerify } = await import("jose");
    const address = await this.#address.get();
    let claims: JWTPayload;
    try {
      const keys = await this.#keys.at(address);
      ({ payload: claims } = await jwtVerify(token, keys, {
        ...{ issuer, audience: this.audience, algorithms: [...SIGNATURES] },
        ...{ clockTolerance: TOLERANCE_SECONDS, requiredClaims: ["exp"] },
        currentDate: new Date(this.#clock.now()),
      }));
    } catch (error) {
      throw problemOf(error);
    }
    const owner = claims[agentClaim];
    if (typeof owner !== "string" || owner === "") throw new BadToken(`the token has no claim ${agentClaim}`);
    return { owner, scopes: scopesOf(claims), expiresAt: claims.exp ?? 0 };
  }

  /** By OpenID Connect's description of the issuer, or by OAuth's own (RFC 8414). */
  async #keysAddress(): Promise<string> {
    const { allowInsecureRequests, discovery } = await import("openid-client");
    const issuer = new URL(this.config.issuer);
    const execute = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
    let fault: unknown;
    for (const algorithm of ["oidc", "oauth2"] as const) {
      try {
        const options = { execute, timeout: TIMEOUT_SECONDS, algorithm };
        const found = await discovery(issuer, "holdpoint", undefined, undefined, options);
        const { jwks_uri: address } = found.serverMetadata();
        if (address !== undefined) return address;
      } catch (error) {
        fault ??= error;
      }
    }
    throw new IssuerAway(`the keys of ${this.config.issuer} cannot be read`, { cause: fault });
  }
}

function problemOf(error: unknown): BadToken | IssuerAway {
  const { code, claim = "" } = error as Partial<errors.JWTClaimValidationFailed>;
  switch (code) {
    case "ERR_JWT_EXPIRED":
      return new BadToken("the token has expired", true);
    case "ERR_JWT_CLAIM_VALIDATION_FAILED":
      return new BadToken(CLAIMS[claim] ?? `the claim ${claim} is not as it must be`);
    case "ERR_JWKS_MULTIPLE_MATCHING_KEYS":
      return new BadToken("the token does not say which of the issuer's keys signed it");
    case "ERR_JWKS_NO_MATCHING_KEY":
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
    case "ERR_JWS_INVALID":
    case "ERR_JWT_INVALID":
    case "ERR_JOSE_ALG_NOT_ALLOWED":
    case "ERR_JOSE_NOT_SUPPORTED":
      return new BadToken("the token is not signed by the issuer");
    default:
      return new IssuerAway("the keys of the issuer cannot be read", { cause: error });
  }
}

const CLAIMS: Readonly<Record<string, string>> = {
  aud: "the token is for another server",
  iss: "the token is from another issuer",
  exp: "the token does not say when it expires",
  nbf: "the token is not valid yet",
};

/** As `scope`, or as `scp` in the tokens of some issuers. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const given = scope ?? scp;
  if (typeof given === "string") return given.split(" ").filter((one) => one !== "");
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
}

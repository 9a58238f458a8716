/**
 * Passkeys of people, and the challenges that passkeys sign. A challenge is a row that is deleted when it is used, so that
 * each signature counts once.
 */

/** How long a challenge can be signed. */
export const CHALLENGE_MS = 5 * 60_000;

export interface Passkey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly personId: string;
  /** The COSE public key, base64url. */
  readonly publicKey: string;
  /** The authenticator's count of signatures; 0 if it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** The host name that the passkey was made for. It works on no other. */
  readonly relyingParty: string;
  readonly name: string;
  readonly madeAt: number;
  readonly lastUsedAt?: number;
}

/** A host that passkeys were made for, so that a server whose public host has changed can say so. */
export interface PasskeyHost {
  readonly host: string;
}

/** What one signature decides: exactly this answer to exactly this ask. */
export interface SignedDecision {
  readonly hold: string;
  /** Digest of the ask. */
  readonly ask: string;
  readonly action: string;
  /** Digest of the answer, as the vote has it. */
  readonly answer: string;
  readonly nonce: string;
  readonly expires: number;
}

/** A sign-in at an identity provider that has begun. Its challenge's id is the hash of the state. */
export interface OidcAttempt {
  readonly provider: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
  /** The hash of a cookie, so that only the browser that began can finish. */
  readonly browser: string;
  readonly isFresh: boolean;
  /** The path to go to afterwards. */
  readonly returnTo: string;
  /** Set if a signed-in person links the account instead of signing in. */
  readonly linkTo?: { readonly workspace: string; readonly personId: string };
}

/** The id is the challenge itself, base64url. */
export type Challenge = { readonly id: string; readonly expiresAt: number } & (
  | { readonly purpose: "add"; readonly personId: string }
  | { readonly purpose: "sign_in" }
  | { readonly purpose: "oidc"; readonly oidc: OidcAttempt }
  | { readonly purpose: "answer"; readonly decision: SignedDecision }
);

/** A signature whose cryptography a face has checked. */
export interface Assertion {
  /** The id of the challenge that was signed. */
  readonly challenge: string;
  /** The id of the passkey that signed. */
  readonly credential: string;
  readonly counter: number;
}

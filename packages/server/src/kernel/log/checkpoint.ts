/** Signed checkpoints over the whole log. They reveal a missing stream, not only a changed event. */

/** The public half of a server's signing key. The private half never leaves the server's home folder. */
export interface SigningKey {
  readonly id: string;
  readonly algorithm: "Ed25519" | "RS256";
  readonly publicJwk: Readonly<Record<string, string>>;
  readonly madeAt: number;
  readonly retiredAt?: number;
}

/**
 * Covers the events after `from` up to and including `upTo`, in position order. Each checkpoint names the hash of the
 * one before it, so the newest one covers every event ever written.
 */
export interface Checkpoint {
  readonly id: string;
  readonly from: number;
  readonly upTo: number;
  readonly count: number;
  /** SHA-256 over the covered event hashes, in order. */
  readonly root: string;
  readonly previous: string;
  readonly hash: string;
  readonly at: number;
  readonly keyId: string;
  readonly signature: string;
}

/** Signed statements over the whole log, so that a missing stream shows and not only a changed event. */

/** Public half of a server's signing key; the private half never leaves its home folder. */
export interface SigningKey {
  readonly id: string;
  readonly algorithm: "Ed25519" | "RS256";
  readonly publicJwk: Readonly<Record<string, string>>;
  readonly madeAt: number;
  readonly retiredAt?: number;
}

/**
 * Covers the events after `from` up to and including `upTo`, in position order. Checkpoints chain by `previous`, so the
 * newest one vouches for every event there ever was.
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

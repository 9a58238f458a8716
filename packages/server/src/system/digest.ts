/** Hashes, as the log and tokens need them. */

import { createHash, hash, timingSafeEqual } from "node:crypto";

/** `sha256:` and unpadded base64url, the format of all digests. */
export function sha256(text: string): string {
  return `sha256:${hash("sha256", text, "base64url")}`;
}

/** The hash of the concatenated bytes. */
export function sha256Bytes(...parts: readonly Uint8Array[]): Buffer {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** A streaming SHA-256 in hex, as other programs print it. */
export class ContentHash {
  readonly #hash = createHash("sha256");

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  hex(): string {
    return this.#hash.digest("hex");
  }
}

/** Tokens and keys are stored as this SHA-256. */
export function tokenHash(token: string): string {
  return hash("sha256", token, "base64url");
}

/** Compares in constant time, so that timing does not reveal where they differ. */
export function sameSecret(given: string, stored: string): boolean {
  const a = createHash("sha256").update(given).digest();
  const b = createHash("sha256").update(stored).digest();
  return timingSafeEqual(a, b);
}

/** One hash over a long list of texts, in order. */
export class RunningHash {
  readonly #hash = createHash("sha256");

  add(text: string): void {
    this.#hash.update(`${text}\n`);
  }

  digest(): string {
    return `sha256:${this.#hash.digest("base64url")}`;
  }
}

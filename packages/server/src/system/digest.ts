/** Hashing and canonical JSON, the two things a log and a token need. */

import { createHash, hash, timingSafeEqual } from "node:crypto";
import canonicalize from "canonicalize";

/** RFC 8785. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("only JSON can be made canonical");
  return text;
}

/** `sha256:` and unpadded base64url, the form every digest of ours has. */
export function sha256(text: string): string {
  return `sha256:${hash("sha256", text, "base64url")}`;
}

/** Of bytes that stand one after another. */
export function sha256Bytes(...parts: readonly Uint8Array[]): Buffer {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** Of bytes as they come by, in hex, as other programs print it. */
export class ContentHash {
  readonly #hash = createHash("sha256");

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  hex(): string {
    return this.#hash.digest("hex");
  }
}

/** How tokens and keys are kept: their SHA-256, bare. */
export function tokenHash(token: string): string {
  return hash("sha256", token, "base64url");
}

/** Equal or not, in a time that tells nothing about where they differ. */
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

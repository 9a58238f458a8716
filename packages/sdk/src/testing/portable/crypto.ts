/** Stands in for `node:crypto` in the bundle. */

import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer, type Bytes } from "./buffer.ts";

type Encoding = "hex" | "base64" | "base64url";

class Hash {
  readonly #hash = sha256.create();

  update(data: string | Uint8Array): this {
    this.#hash.update(typeof data === "string" ? new TextEncoder().encode(data) : data);
    return this;
  }

  digest(): Bytes;
  digest(encoding: Encoding): string;
  digest(encoding?: Encoding): Bytes | string {
    const bytes = Buffer.from(this.#hash.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

export function createHash(_algorithm: "sha256"): Hash {
  return new Hash();
}

export function hash(algorithm: "sha256", data: string, encoding: Encoding): string {
  return createHash(algorithm).update(data).digest(encoding);
}

export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** Only tests run here, so it need not take the same time for every difference. */
export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

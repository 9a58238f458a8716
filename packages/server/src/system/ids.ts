/** Ids and tokens. Ids grow with time, so that tables append and lists are ordered by id; tokens are 256 random bits. */

import { randomBytes } from "node:crypto";

/** Crockford's base 32 in lower case: without i, l, o and u, which are easily misread. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

export interface Ids {
  /** 10 digits of milliseconds and 16 random digits. */
  next(now: number): string;
  /** 43 base64url characters, 256 bit. */
  token(): string;
  salt(): string;
}

export function idsFrom(random: (bytes: number) => Uint8Array): Ids {
  return {
    next(now) {
      let text = "";
      let rest = now;
      for (let i = 0; i < 10; i += 1) {
        text = DIGITS.charAt(rest % 32) + text;
        rest = Math.floor(rest / 32);
      }
      for (const byte of random(16)) text += DIGITS.charAt(byte % 32);
      return text;
    },
    token: () => Buffer.from(random(32)).toString("base64url"),
    salt: () => Buffer.from(random(16)).toString("base64url"),
  };
}

/** Reads random bytes in blocks: one system call per id would cost more than the id. */
function pooledRandom(): (bytes: number) => Uint8Array {
  let pool = randomBytes(4096);
  let used = 0;
  return (bytes) => {
    if (used + bytes > pool.length) {
      pool = randomBytes(4096);
      used = 0;
    }
    const drawn = pool.subarray(used, used + bytes);
    used += bytes;
    return drawn;
  };
}

export const systemIds: Ids = idsFrom(pooledRandom());

/** In [0, 1). For jitter, never for secrets. */
export const systemRandom: () => number = Math.random;

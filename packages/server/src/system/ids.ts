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

const DIGIT_CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

export function idsFrom(random: (bytes: number) => Uint8Array): Ids {
  // One list for all ids: a text that is put together digit by digit costs several times as much.
  const codes = new Array<number>(TIME_DIGITS + RANDOM_DIGITS).fill(0);
  const put = (at: number, digit: number) => {
    codes[at] = DIGIT_CODES[digit] as number;
  };
  return {
    next(now) {
      let rest = now;
      for (let at = TIME_DIGITS - 1; at >= 0; at -= 1) {
        put(at, rest % 32);
        rest = Math.floor(rest / 32);
      }
      const bytes = random(RANDOM_DIGITS);
      for (let at = 0; at < RANDOM_DIGITS; at += 1) put(TIME_DIGITS + at, (bytes[at] as number) % 32);
      return String.fromCharCode(...codes);
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

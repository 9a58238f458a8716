/**
 * Reads what an identity provider publishes. Callers whom nobody knows can make this server read it, so they must not be able to
 * make it send request after request.
 *
 * F1  A description is read one request at a time and remembered for a while. One that could not be read is not asked for again for
 *     a moment; until it can be read, the last one that was read is used, and nobody waits for it.
 * F2  Keys are remembered like a description, and read again when a token names one that is not known yet. Keys that could not be
 *     read are not asked for again for a moment; after a request that worked, `jose` waits for longer. Keys that could not be
 *     read for a day are used no more, because their issuer may have withdrawn them.
 */

import type { createRemoteJWKSet } from "jose";
import type { Clock } from "../system/clock.ts";

export const TIMEOUT_SECONDS = 10;
/** How far the clocks may be apart. */
export const TOLERANCE_SECONDS = 30;
const REMEMBER_MS = 10 * 60_000;
const REST_MS = 5_000;
const KEYS_MAX_MS = 24 * 60 * 60_000;

export type Keys = ReturnType<typeof createRemoteJWKSet>;

/** A value that `read` fetches (F1). */
export class Remembered<T> {
  readonly #clock: Clock;
  readonly #read: () => Promise<T>;
  #known: { readonly value: T; readonly until: number } | undefined;
  #failed: { readonly error: unknown; readonly until: number } | undefined;
  #reading: Promise<T> | undefined;

  constructor(clock: Clock, read: () => Promise<T>) {
    this.#clock = clock;
    this.#read = read;
  }

  async get(): Promise<T> {
    const now = this.#clock.now();
    if (this.#known !== undefined && this.#known.until > now) return this.#known.value;
    const isResting = this.#failed !== undefined && this.#failed.until > now;
    if (this.#known !== undefined && this.#failed !== undefined) {
      if (!isResting) void this.#once();
      return this.#known.value;
    }
    if (isResting) throw this.#failed?.error;
    return this.#once();
  }

  #once(): Promise<T> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<T> {
    const until = this.#clock.now() + REMEMBER_MS;
    try {
      const value = await this.#read();
      this.#known = { value, until };
      this.#failed = undefined;
      return value;
    } catch (error) {
      this.#failed = { error, until: this.#clock.now() + REST_MS };
      if (this.#known === undefined) throw error;
      return this.#known.value;
    }
  }
}

/** The keys of an issuer, at the address that it names (F2). */
export class IssuerKeys {
  readonly #clock: Clock;
  #kept: { readonly address: string; readonly keys: Remembered<Keys> } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  at(address: string): Promise<Keys> {
    if (this.#kept?.address !== address) this.#kept = { address, keys: keysAt(address, this.#clock) };
    return this.#kept.keys.get();
  }
}

function keysAt(address: string, clock: Clock): Remembered<Keys> {
  let keys: Keys | undefined;
  return new Remembered(clock, async () => {
    keys ??= await keySet(address, clock);
    await keys.reload();
    return keys;
  });
}

async function keySet(address: string, clock: Clock): Promise<Keys> {
  const jose = await import("jose");
  let restUntil = 0;
  return jose.createRemoteJWKSet(new URL(address), {
    timeoutDuration: TIMEOUT_SECONDS * 1_000,
    cacheMaxAge: KEYS_MAX_MS,
    [jose.customFetch]: async (url, options) => {
      const now = clock.now();
      if (now < restUntil) throw new Error("the keys could not be read a moment ago");
      restUntil = now + REST_MS;
      return fetch(url, options);
    },
  });
}

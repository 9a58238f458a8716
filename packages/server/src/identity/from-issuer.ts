/**
 * Reads what an identity provider publishes. Callers whom nobody knows can make this server read it, so they must not be able to
 * make it send request after request.
 *
 * F1  A description is read one request at a time and remembered for a while.
 * F2  Keys that could not be read are not asked for again for a moment. After a request that worked, `jose` waits for longer.
 */

import type { createRemoteJWKSet } from "jose";
import type { Clock } from "../system/clock.ts";

export const TIMEOUT_SECONDS = 10;
/** How far the clocks may be apart. */
export const TOLERANCE_SECONDS = 30;
const REMEMBER_MS = 10 * 60_000;
const KEYS_REST_MS = 5_000;

export type Keys = ReturnType<typeof createRemoteJWKSet>;

/** A value that `read` fetches (F1). */
export class Remembered<T> {
  readonly #clock: Clock;
  readonly #read: () => Promise<T>;
  #known: { readonly value: T; readonly until: number } | undefined;
  #reading: Promise<T> | undefined;

  constructor(clock: Clock, read: () => Promise<T>) {
    this.#clock = clock;
    this.#read = read;
  }

  async get(): Promise<T> {
    if (this.#known !== undefined && this.#known.until > this.#clock.now()) return this.#known.value;
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<T> {
    const until = this.#clock.now() + REMEMBER_MS;
    const value = await this.#read();
    this.#known = { value, until };
    return value;
  }
}

/** The keys at an address, read again when a token names one that is not known yet (F2). */
export async function keysAt(address: string, clock: Clock): Promise<Keys> {
  const jose = await import("jose");
  let restUntil = 0;
  return jose.createRemoteJWKSet(new URL(address), {
    timeoutDuration: TIMEOUT_SECONDS * 1_000,
    [jose.customFetch]: async (url, options) => {
      const now = clock.now();
      if (now < restUntil) throw new Error("the keys could not be read a moment ago");
      restUntil = now + KEYS_REST_MS;
      return fetch(url, options);
    },
  });
}

/** The formats of secrets. A key contains the id of its row, so that no index over hashes is needed. */

import { hash as digestOf } from "node:crypto";
import { tokenHash } from "../system/digest.ts";
import type { Ids } from "../system/ids.ts";

export interface NewKeySecret {
  readonly id: string;
  readonly secret: string;
  readonly hash: string;
  readonly hint: string;
  readonly callbackSecret: string;
}

export function newKeySecret(ids: Ids, now: number): NewKeySecret {
  const id = `key_${ids.next(now)}`;
  const secret = `hp_${id.slice("key_".length)}_${ids.token()}`;
  const callbackSecret = newWebhookSecret(ids);
  return { id, secret, hash: tokenHash(secret), hint: `…${secret.slice(-4)}`, callbackSecret };
}

const KEY_FORM = /^hp_([0-9a-z]{26})_[\w-]{43}$/;

/** The row id in a key. Its hash decides whether the key is valid. */
export function keyIdOf(secret: string): string | null {
  const match = KEY_FORM.exec(secret);
  return match === null ? null : `key_${match[1]}`;
}

/** Standard Webhooks: `whsec_` and base64. */
export function newWebhookSecret(ids: Ids): string {
  return `whsec_${Buffer.from(ids.token(), "base64url").toString("base64")}`;
}

/** Bound to one session and useless without its cookie. */
export function csrfTokenOf(sessionToken: string): string {
  return digestOf("sha256", `csrf\n${sessionToken}`, "base64url");
}

/** A key from the environment has no row to store a second secret in, so the callback secret is derived from it. */
export function configuredCallbackSecret(secret: string): string {
  return `whsec_${digestOf("sha256", `callback\n${secret}`, "base64")}`;
}

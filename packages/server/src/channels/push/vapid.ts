/** Says to a push service which server sends (VAPID, RFC 8292): a short-lived ES256 token with the server's public key. */

import { createECDH, createPrivateKey, sign } from "node:crypto";
import type { PushKey } from "../../kernel/push/push.ts";

/** Push services refuse tokens of more than a day. */
const LASTS_MS = 12 * 3_600_000;

export function newPushKey(): PushKey {
  const pair = createECDH("prime256v1");
  return {
    publicKey: pair.generateKeys("base64url"),
    // A private key may begin with zeros, which must stay.
    privateKey: pair.getPrivateKey("hex").padStart(64, "0"),
  };
}

/** The value of the header `Authorization`. `contact` is a URL or a `mailto:` of whoever runs the server. */
export function vapidHeader(key: PushKey, endpoint: string, contact: string, now: number): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((now + LASTS_MS) / 1_000), sub: contact };
  const text = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("sha256", Buffer.from(text), { key: privateKeyOf(key), dsaEncoding: "ieee-p1363" });
  return `vapid t=${text}.${signature.toString("base64url")}, k=${key.publicKey}`;
}

function privateKeyOf({ publicKey, privateKey }: PushKey) {
  const point = Buffer.from(publicKey, "base64url");
  return createPrivateKey({
    format: "jwk",
    key: {
      ...{ kty: "EC", crv: "P-256", d: Buffer.from(privateKey, "hex").toString("base64url") },
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
}

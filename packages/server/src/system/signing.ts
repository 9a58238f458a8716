/**
 * This server's signing keys. They are made at the first start, and their private halves stay in the home folder: Ed25519 for
 * checkpoints, RSA for results of HITL cases, because their clients expect RS256.
 */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { ConfigError } from "./config.ts";
import { sha256 } from "./digest.ts";
import { readKeyFile } from "./key-file.ts";

export interface Signer {
  readonly keyId: string;
  readonly publicJwk: Readonly<Record<string, string>>;
  /** Base64url. */
  sign(text: string): string;
}

export function signerFromFile(path: string): Signer {
  return signerFrom(keyFromFile(path, newKey));
}

export function newSigner(): Signer {
  return signerFrom(newKey());
}

/** To get a new key, move the file away. The old public key stays in the store. */
export function resultSignerFromFile(path: string): Signer {
  return resultSignerFrom(keyFromFile(path, newResultKey));
}

export function newResultSigner(): Signer {
  return resultSignerFrom(newResultKey());
}

function newKey(): KeyObject {
  return generateKeyPairSync("ed25519").privateKey;
}

function newResultKey(): KeyObject {
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
}

function keyFromFile(path: string, make: () => KeyObject): KeyObject {
  const text = readKeyFile(path, () => JSON.stringify(make().export({ format: "jwk" })));
  try {
    return createPrivateKey({ key: JSON.parse(text), format: "jwk" });
  } catch {
    // Without the cause: a parser's message may repeat part of the key.
    throw new ConfigError(
      `${path} is not a valid signing key: restore the right file, or move it away to get a new key`,
    );
  }
}

function signerFrom(privateKey: KeyObject): Signer {
  const { kty = "", crv = "", x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  // RFC 7638: the thumbprint is the key id, so that different keys never share an id.
  const keyId = sha256(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`).slice("sha256:".length);
  return {
    keyId,
    publicJwk: { kty, crv, x },
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
  };
}

/** RSASSA-PKCS1-v1_5 with SHA-256: the same text always gives the same signature. */
function resultSignerFrom(privateKey: KeyObject): Signer {
  const { kty = "", n = "", e = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const keyId = sha256(`{"e":"${e}","kty":"${kty}","n":"${n}"}`).slice("sha256:".length);
  return {
    keyId,
    publicJwk: { kty, n, e },
    sign: (text) => sign("sha256", Buffer.from(text), privateKey).toString("base64url"),
  };
}

export function isSignedBy(
  publicJwk: Readonly<Record<string, string>>,
  text: string,
  signature: string,
): boolean {
  const key = createPublicKey({ key: publicJwk as { kty: string }, format: "jwk" });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
}

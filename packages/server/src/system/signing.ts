/** This server's own signing key: Ed25519, made on first start, private half in the home folder only. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { sha256 } from "./digest.ts";

export interface Signer {
  readonly keyId: string;
  readonly publicJwk: Readonly<Record<string, string>>;
  /** Base64url. */
  sign(text: string): string;
}

export function signerFromFile(path: string): Signer {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${JSON.stringify(privateKey.export({ format: "jwk" }))}\n`, {
      mode: 0o600,
      flag: "wx",
    });
  }
  const jwk = JSON.parse(readFileSync(path, "utf8"));
  return signerFrom(createPrivateKey({ key: jwk, format: "jwk" }));
}

export function newSigner(): Signer {
  return signerFrom(generateKeyPairSync("ed25519").privateKey);
}

function signerFrom(privateKey: KeyObject): Signer {
  const { kty = "", crv = "", x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  // RFC 7638: the thumbprint is the key's name, so that two servers never name different keys alike.
  const keyId = sha256(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`).slice("sha256:".length);
  return {
    keyId,
    publicJwk: { kty, crv, x },
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
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

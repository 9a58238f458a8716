/** Encrypts secrets that the server itself needs again, such as bot tokens, before they are stored. */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Sealer {
  /** `about` names what the secret belongs to: sealed for one thing, it cannot be opened for another. */
  seal(secret: string, about: string): string;
  /** `undefined`: it was sealed with another key, for something else, or was changed. */
  open(sealed: string, about: string): string | undefined;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function sealerOf(key: string): Sealer {
  const secretKey = Buffer.from(hkdfSync("sha256", key, "", "holdpoint sealed secrets", KEY_BYTES));
  return {
    seal(secret, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, secretKey, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, "base64url");
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const cipher = createDecipheriv(CIPHER, secretKey, nonce, { authTagLength: TAG_BYTES });
        cipher.setAAD(Buffer.from(about)).setAuthTag(tag);
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([cipher.update(body), cipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

export function newSealer(): Sealer {
  return sealerOf(randomBytes(KEY_BYTES).toString("base64url"));
}

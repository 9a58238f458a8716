/**
 * Encrypts one message for one browser (RFC 8291 with the content encoding of RFC 8188). Written with Node's own cryptography:
 * the packages for it also send, and sending is the work of `outgoing.ts`, which checks every address.
 */

import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushDevice } from "../../kernel/push/push.ts";

export interface EncryptionParts {
  readonly salt: Buffer;
  /** The private key of one message, on P-256. */
  readonly privateKey: Buffer;
}

const RECORD_BYTES = 4_096;
/** What fits into one record: its tag takes 16 bytes and the delimiter one. */
export const PLAIN_BYTES_MAX = RECORD_BYTES - 17;

export function encryptFor(
  { p256dh, auth }: Pick<PushDevice, "p256dh" | "auth">,
  plain: Buffer,
  parts: EncryptionParts = freshParts(),
): Buffer {
  const browser = Buffer.from(p256dh, "base64url");
  const ours = createECDH("prime256v1");
  ours.setPrivateKey(parts.privateKey);
  const own = ours.getPublicKey();
  const shared = ours.computeSecret(browser);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser, own]);
  const secret = derive(shared, Buffer.from(auth, "base64url"), info, 32);
  const key = derive(secret, parts.salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, parts.salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // 2 marks the last record, and there is only one.
  const body = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES);
  header.writeUInt8(own.length, 4);
  return Buffer.concat([parts.salt, header, own, ...body]);
}

function freshParts(): EncryptionParts {
  const once = createECDH("prime256v1");
  once.generateKeys();
  return { salt: randomBytes(16), privateKey: once.getPrivateKey() };
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, length));
}

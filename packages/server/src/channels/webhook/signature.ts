/** Signatures of outgoing messages: Standard Webhooks for everybody, and HITL's own header where its callers expect it. */

import { createHash, createHmac } from "node:crypto";

export type Signing =
  /** Several secrets sign while one is being replaced, so that either side may switch first. */
  | { readonly kind: "standard"; readonly secrets: readonly string[] }
  | { readonly kind: "hitl"; readonly secret: string };

export interface Signable {
  /** The same over all tries of one message, so that the receiver can tell a repetition. */
  readonly id: string;
  readonly sentAt: number;
  /** Exactly the bytes that are sent. */
  readonly body: string;
}

const PREFIX = "whsec_";

/** The key inside `whsec_<base64>`, or null when it is not one of 24 to 64 bytes. */
export function readSecret(secret: string): Buffer | null {
  if (!secret.startsWith(PREFIX)) return null;
  const encoded = secret.slice(PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  // Node decodes whatever it can; only a faithful encoding is the key its owner meant.
  if (key.toString("base64").replace(/=+$/, "") !== encoded.replace(/=+$/, "")) return null;
  return key.length >= 24 && key.length <= 64 ? key : null;
}

export function writeSecret(key: Uint8Array): string {
  return PREFIX + Buffer.from(key).toString("base64");
}

/** `null`: a secret that cannot sign; nothing must be sent then, for an unsigned message looks like a forged one. */
export function signedHeaders(
  message: Signable,
  signings: readonly Signing[],
): Record<string, string> | null {
  const timestamp = String(Math.floor(message.sentAt / 1_000));
  const headers: Record<string, string> = { "webhook-id": message.id, "webhook-timestamp": timestamp };
  for (const signing of signings) {
    if (signing.kind === "hitl") {
      const digest = createHmac("sha256", signing.secret).update(message.body).digest("hex");
      headers["x-hitl-signature"] = `sha256=${digest}`;
      headers["x-hitl-delivery"] = message.id;
      continue;
    }
    const signatures: string[] = [];
    for (const secret of signing.secrets) {
      const key = readSecret(secret);
      if (!key) return null;
      const digest = createHmac("sha256", key)
        .update(`${message.id}.${timestamp}.${message.body}`)
        .digest("base64");
      signatures.push(`v1,${digest}`);
    }
    if (signatures.length === 0) return null;
    headers["webhook-signature"] = signatures.join(" ");
  }
  return headers;
}

/** Full stops part the signed text and headers carry ASCII only, so other ids are sent as their digest. */
export function headerSafeId(id: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return id;
  return `msg_${createHash("sha256").update(id).digest("base64url").slice(0, 32)}`;
}

/** Signs outgoing messages: Standard Webhooks, or HITL's own header for its callbacks. */

import { createHash, createHmac } from "node:crypto";

export type Signing =
  /** During a rotation several secrets sign, so that either side may switch first. */
  | { readonly kind: "standard"; readonly secrets: readonly string[] }
  | { readonly kind: "hitl"; readonly secret: string };

export interface Signable {
  /** The same for all tries of one message, so that the receiver can deduplicate. */
  readonly id: string;
  readonly sentAt: number;
  /** Exactly the bytes that are sent. */
  readonly body: string;
}

const PREFIX = "whsec_";

/** The key in `whsec_<base64>`, or `null` if it does not have 24 to 64 bytes. */
export function readSecret(secret: string): Buffer | null {
  if (!secret.startsWith(PREFIX)) return null;
  const encoded = secret.slice(PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  // Node decodes invalid base64 too; only a text that encodes back to itself is accepted.
  if (key.toString("base64").replace(/=+$/, "") !== encoded.replace(/=+$/, "")) return null;
  return key.length >= 24 && key.length <= 64 ? key : null;
}

export function writeSecret(key: Uint8Array): string {
  return PREFIX + Buffer.from(key).toString("base64");
}

/** `null`: a secret is invalid. Nothing must be sent then, because an unsigned message looks forged. */
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

/** Dots separate the parts of the signed text and headers carry only ASCII, so other ids are replaced by their digest. */
export function headerSafeId(id: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return id;
  return `msg_${createHash("sha256").update(id).digest("base64url").slice(0, 32)}`;
}

/**
 * Whether a message really comes from the server: Standard Webhooks, https://www.standardwebhooks.com. Web APIs only, so that it
 * runs in Node, Bun, Deno and workers alike.
 */

const PREFIX = "whsec_";
const TOLERANCE_MS = 300_000;

/**
 * Why a message is not believed, with the HTTP status to answer it with and what to do about it.
 *
 * @example
 * ```ts
 * import { WebhookError } from "@holdpoint/sdk/webhooks";
 *
 * export function replyTo(error: unknown): Response {
 *   if (error instanceof WebhookError) return Response.json({ error: error.code }, { status: error.status });
 *   throw error;
 * }
 * ```
 */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: "unsigned" | "wrong_signature" | "too_old" | "too_large" | "malformed";
  readonly status: number;

  constructor(code: WebhookError["code"], status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/**
 * With which secrets a message is verified, and how old it may be.
 *
 * @example
 * ```ts
 * import { type VerifyOptions, verifyWebhook } from "@holdpoint/sdk/webhooks";
 *
 * const options: VerifyOptions = { secret: "whsec_…", toleranceMs: 60_000 };
 * export const check = (headers: Headers, body: Uint8Array<ArrayBuffer>) => verifyWebhook(headers, body, options);
 * ```
 */
export interface VerifyOptions {
  /** `whsec_…`, as the server gave it; several while one is being replaced. */
  readonly secret: string | readonly string[];
  /** How far the sender's clock and ours may differ, and how long a message may take; five minutes when absent. */
  readonly toleranceMs?: number;
  /** Epoch milliseconds; the system clock when absent. */
  readonly now?: () => number;
}

/**
 * Throws a `WebhookError` unless one of the secrets signed exactly these bytes not long ago. Gives the message's id.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from "@holdpoint/sdk/webhooks";
 *
 * export async function idOf(request: Request, secret: string): Promise<string> {
 *   const body = new Uint8Array(await request.arrayBuffer());
 *   return verifyWebhook(request.headers, body, { secret });
 * }
 * ```
 */
export async function verifyWebhook(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  options: VerifyOptions,
): Promise<string> {
  const { secret, toleranceMs = TOLERANCE_MS, now = Date.now } = options;
  const keys = (typeof secret === "string" ? [secret] : secret).map(keyOf);
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature");
  if (id === null || timestamp === null || signatures === null) {
    const names = "webhook-id, webhook-timestamp and webhook-signature";
    throw new WebhookError("unsigned", 401, `The message is not signed: it needs the headers ${names}.`);
  }
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() - Number(timestamp) * 1_000) > toleranceMs) {
    const cure = "Check the clocks of both machines; a message that was recorded and sent again is refused.";
    throw new WebhookError(
      "too_old",
      401,
      `The message was not sent within ${toleranceMs} ms of now. ${cure}`,
    );
  }
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  for (const key of keys) if (await isSignedBy(key, signatures, signed)) return id;
  const cure = "Compare the secret with the one that the server gave for this endpoint.";
  throw new WebhookError("wrong_signature", 401, `The signature does not belong to this message. ${cure}`);
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    if (!secret.startsWith(PREFIX)) throw new TypeError(`it does not begin with ${PREFIX}`);
    const key = bytesOf(secret.slice(PREFIX.length));
    if (key.length < 24 || key.length > 64) throw new TypeError("it has not 24 to 64 bytes");
    return key;
  } catch (cause) {
    throw new TypeError(
      `This is no webhook secret (${PREFIX} and base64). Use the one that the server gave.`,
      {
        cause,
      },
    );
  }
}

async function isSignedBy(
  secret: Uint8Array<ArrayBuffer>,
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["verify"]);
  for (const each of signatures.split(" ")) {
    const [version, encoded = ""] = each.split(",");
    // The comparison is the platform's own, which takes the same time wherever the first difference is.
    if (
      version === "v1" &&
      isBase64(encoded) &&
      (await crypto.subtle.verify("HMAC", key, bytesOf(encoded), signed))
    )
      return true;
  }
  return false;
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}

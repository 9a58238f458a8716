/** Reading webhooks and callbacks, and a handler for functions that live only as long as a request. */

import type { HoldOut } from "@holdpoint/protocol";
import { fromWire, type Hold } from "@holdpoint/protocol/client";
import { readBody } from "@holdpoint/protocol/http";
import { isObject, type Json } from "@holdpoint/protocol/rules";
import type { HoldHandle } from "../handle.ts";
import type { Holdpoint } from "../holdpoint.ts";
import { type VerifyOptions, verifyWebhook, WebhookError } from "./verify.ts";

const BODY_BYTES_MAX = 16 * 1024 * 1024;

/**
 * What the server told.
 *
 * @example
 * ```ts
 * import { readWebhook, type WebhookMessage } from "@holdpoint/sdk/webhooks";
 *
 * export async function read(request: Request, secret: string): Promise<string> {
 *   const message: WebhookMessage = await readWebhook(request, { secret });
 *   return `${message.type} of ${message.holdId}`;
 * }
 * ```
 */
export interface WebhookMessage {
  /** The same over all tries of one message. */
  readonly id: string;
  /** Such as `hold.decided`. */
  readonly type: string;
  readonly at: string;
  readonly holdId: string;
  /** The hold as it was when the message was sent; it may have changed since. */
  readonly hold: Hold;
}

/**
 * Verifies a request and reads it. Throws a `WebhookError` for whatever the server did not send.
 *
 * @example
 * ```ts
 * import { readWebhook } from "@holdpoint/sdk/webhooks";
 *
 * export async function POST(request: Request): Promise<Response> {
 *   const { type, holdId } = await readWebhook(request, { secret: process.env["HOLDPOINT_WEBHOOK_SECRET"] ?? "" });
 *   console.error(type, holdId);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 */
export async function readWebhook(request: Request, options: VerifyOptions): Promise<WebhookMessage> {
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (bytes === "too_large") {
    throw new WebhookError("too_large", 413, `The message has more than ${BODY_BYTES_MAX} bytes.`);
  }
  const id = await verifyWebhook(request.headers, bytes, options);
  const body = jsonOf(bytes);
  const data = isObject(body) ? body["data"] : undefined;
  const hold = isObject(data) ? data["hold"] : undefined;
  const { type, timestamp } = isObject(body) ? body : {};
  if (typeof type !== "string" || typeof timestamp !== "string" || !isObject(hold)) {
    const cure = "Give this address only to Holdpoint's webhooks and callbacks.";
    throw new WebhookError("malformed", 400, `The message says nothing of a hold. ${cure}`);
  }
  const told = fromWire("HoldOut", hold as HoldOut);
  return { id, type, at: timestamp, holdId: told.id, hold: told };
}

function jsonOf(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
  } catch {
    throw new WebhookError("malformed", 400, "The message is not JSON.");
  }
}

/**
 * How a handler reads messages, and what it does with them.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 * import { type WebhookHandlerOptions, webhookHandler } from "@holdpoint/sdk/webhooks";
 *
 * const options: WebhookHandlerOptions = {
 *   holdpoint: new Holdpoint(),
 *   secret: ["whsec_new…", "whsec_old…"], // both while one is being replaced
 *   async onMessage(handle) {
 *     const outcome = await handle.outcome();
 *     if (outcome.kind === "decided" && outcome.action === "approve") await handle.runOnce(() => "refunded");
 *   },
 *   onError: (error) => console.error(error),
 * };
 * export const POST = webhookHandler(options);
 * ```
 */
export interface WebhookHandlerOptions extends VerifyOptions {
  readonly holdpoint: Holdpoint;
  /**
   * Called for each message with a handle on its hold. A message is a reason to look, not the truth: read the outcome from the
   * handle, and act only on an approval: messages tell of every ending. It may come twice, so act with `runOnce`, and await it: an
   * error that nobody awaits ends the process. If it throws, the server sends the message again later.
   */
  readonly onMessage: (handle: HoldHandle, message: WebhookMessage) => Promise<void> | void;
  /** Told why a request was refused, or why `onMessage` failed; when absent, the latter goes to the console. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A handler of the kind that Next.js, Hono, Bun, Deno and Cloudflare Workers take: a request in, a response out, nothing kept.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 * import { webhookHandler } from "@holdpoint/sdk/webhooks";
 *
 * export const POST = webhookHandler({
 *   holdpoint: new Holdpoint(),
 *   secret: process.env["HOLDPOINT_WEBHOOK_SECRET"] ?? "",
 *   async onMessage(handle) {
 *     const outcome = await handle.outcome();
 *     if (outcome.kind === "decided" && outcome.action === "approve") await handle.runOnce(() => "refunded");
 *   },
 * });
 * ```
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  const { holdpoint, onMessage, onError = warn } = options;
  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    try {
      const message = await readWebhook(request, options);
      await onMessage(holdpoint.hold(message.holdId), message);
      return new Response(null, { status: 204 });
    } catch (error) {
      onError(error);
      // What went wrong here is nobody's business out there.
      if (!(error instanceof WebhookError)) return Response.json({ error: "internal" }, { status: 500 });
      return Response.json({ error: error.code, message: error.message }, { status: error.status });
    }
  };
}

/** A refused request is anybody's; a failure of one's own work, or a secret that is none, must not go unnoticed. */
function warn(error: unknown): void {
  if (!(error instanceof WebhookError)) console.error("Holdpoint: a webhook was not handled.", error);
}

/**
 * @module
 * Webhooks and callbacks on the receiving side: verified as Standard Webhooks say, read, and handled by functions that live only as
 * long as a request. Web APIs only: Node 20 and newer, Bun, Deno, workers.
 */
export type { WebhookHandlerOptions, WebhookMessage } from "./handler.ts";
export { readWebhook, webhookHandler } from "./handler.ts";
export type { VerifyOptions } from "./verify.ts";
export { verifyWebhook, WebhookError } from "./verify.ts";

/**
 * @module
 * The hold client over HTTP, and the parts of it that other clients of a Holdpoint server share: the runtime they take time and
 * randomness from, linked abort signals, and the parser of event streams. Nothing of Node is loaded before it is needed.
 */

export type { HttpClientOptions } from "./connect.ts";
export { httpHoldClient } from "./connect.ts";
export type { HttpHoldClient } from "./http-hold-client.ts";
export { abortable, linked } from "./linked-signal.ts";
export { readBody } from "./read-body.ts";
export type { RetryPolicy } from "./retry.ts";
export { retryAfterMsOf } from "./retry.ts";
export type { Runtime } from "./runtime.ts";
export { pause, runtimeOver } from "./runtime.ts";
export type { Frame, SseParser } from "./wait/sse-parser.ts";
export { sseParser } from "./wait/sse-parser.ts";

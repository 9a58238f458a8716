/**
 * @module
 * Handlers that move runs on when people have answered, for Express, Hono, Next.js and everything that takes a request and gives a
 * response.
 */
export { advanceRun, finishRun } from "../workflow/workflow.ts";
export { type DoorbellOptions, doorbell, type FetchHandler } from "./doorbell.ts";
export type { NodeHandlerOptions } from "./node.ts";
export { toNode } from "./node.ts";

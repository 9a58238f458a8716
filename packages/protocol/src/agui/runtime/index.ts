/**
 * @module
 * The runtime of an AG-UI agent that stops for people, over any `HoldClient`. `@holdpoint/adapters/ag-ui` exports it for agents;
 * the server runs its demo agent and its proxy on it.
 */
export type { AgUiAgent, AgUiRun, ToolOutcome, ToolUse } from "./agent.ts";
export { type ExplicitEnd, runEnd } from "./agent.ts";
export type { RunErrorCode } from "./codes.ts";
export { RUN_ERROR_CODES, RunFailure } from "./codes.ts";
export type { AgUiHandler } from "./handler.ts";
export { createAgUiHandler } from "./handler.ts";
export type { AgUiHandlerOptions } from "./handling.ts";
export type { HistoryEntry, OpenInterrupts } from "./open-interrupts.ts";
export { CallListener, contextWithCall, type StreamedCalls } from "./streamed-calls.ts";

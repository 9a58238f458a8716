/**
 * @module
 * An AG-UI endpoint for an agent that stops for people: `createAgUiHandler` gives a `fetch` handler to mount anywhere.
 */
export type {
  AgUiAgent,
  AgUiHandler,
  AgUiHandlerOptions,
  AgUiRun,
  ExplicitEnd,
  HistoryEntry,
  OpenInterrupts,
  RunErrorCode,
  StreamedCalls,
  ToolOutcome,
  ToolUse,
} from "@holdpoint/protocol/agui/runtime";
export {
  CallListener,
  contextWithCall,
  createAgUiHandler,
  RUN_ERROR_CODES,
  RunFailure,
  runEnd,
} from "@holdpoint/protocol/agui/runtime";

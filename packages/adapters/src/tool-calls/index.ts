/**
 * @module
 * What every adapter of an agent framework is made of, for frameworks that have none yet: say how the framework stops before
 * calls and how it goes on, and guard its tools.
 */
export { memoryStore, type RunStore, type SavedState, StateChanged, serverStore } from "../workflow/store.ts";
export type { CallAsk, CallDecision, GuardedTool, ToolCall, WrapOptions } from "./call.ts";
export { type GuardedResult, runGuarded } from "./guard.ts";
export {
  type AgentStep,
  RunOfOtherVersion,
  type ToolAgent,
  type ToolClient,
  type ToolRunOptions,
  toolRun,
} from "./tool-run.ts";

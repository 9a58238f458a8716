/**
 * @module
 * Vercel AI SDK (`ai` 6 and 7): tools that stop for people with the SDK's own approval requests, and conversations that go on in any
 * process when people have answered.
 */
export type { CallAsk, ToolCall, WrapOptions } from "../tool-calls/call.ts";
export { RunOfOtherVersion } from "../tool-calls/tool-run.ts";
export { ExecutionUnknown } from "../workflow/once.ts";
export { type RunStore, type SavedState, StateChanged, serverStore } from "../workflow/store.ts";
export type { Advanced, RunOptions } from "../workflow/workflow.ts";
export { advanceRun, finishRun } from "../workflow/workflow.ts";
export {
  type AiApprovals,
  type AiResult,
  type AiRunOptions,
  approvals,
  type Generated,
} from "./approvals.ts";

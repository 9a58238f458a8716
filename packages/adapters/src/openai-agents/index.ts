/**
 * @module
 * OpenAI Agents SDK (`@openai/agents`): tools that stop for people with the SDK's own interruptions, and runs that go on in any
 * process when people have answered.
 */
export type { CallAsk, ToolCall, WrapOptions } from "../tool-calls/call.ts";
export { RunOfOtherVersion } from "../tool-calls/tool-run.ts";
export { ExecutionUnknown } from "../workflow/once.ts";
export { type RunStore, type SavedState, StateChanged, serverStore } from "../workflow/store.ts";
export type { Advanced, RunOptions } from "../workflow/workflow.ts";
export { advanceRun, finishRun } from "../workflow/workflow.ts";
export {
  type AgentInput,
  type AgentRunResult,
  approvals,
  type OpenAiApprovals,
  type OpenAiResult,
  type OpenAiRunOptions,
} from "./approvals.ts";
export type { AnyFunctionTool } from "./wrap.ts";

/**
 * @module
 * Mastra (`@mastra/core`): tools that stop for people with Mastra's own approvals, and runs that go on in any process when people have
 * answered. Takes Mastra's objects by their shape and loads nothing of it.
 */
export type { CallAsk, ToolCall, WrapOptions } from "../tool-calls/call.ts";
export { RunOfOtherVersion } from "../tool-calls/tool-run.ts";
export { ExecutionUnknown } from "../workflow/once.ts";
export { type RunStore, type SavedState, StateChanged, serverStore } from "../workflow/store.ts";
export type { Advanced, RunOptions } from "../workflow/workflow.ts";
export { advanceRun, finishRun } from "../workflow/workflow.ts";
export type { MastraAgent, MastraOutput, MastraTool } from "./agent.ts";
export { approvals, type MastraApprovals, type MastraResult, type MastraRunOptions } from "./approvals.ts";

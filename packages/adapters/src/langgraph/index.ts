/**
 * @module
 * LangGraph.js graphs that stop for people: `askPerson` inside a node, `graphRun` around the graph, any checkpointer below.
 */
export type { PersonAsk } from "../person-ask.ts";
export type { CallAsk, ToolCall, WrapOptions } from "../tool-calls/call.ts";
export { ExecutionUnknown, executeOnce, type OnceOutcome } from "../workflow/once.ts";
export { type RunStore, type SavedState, StateChanged, serverStore } from "../workflow/store.ts";
export type { Advanced, RunOptions } from "../workflow/workflow.ts";
export { advanceRun, finishRun } from "../workflow/workflow.ts";
export { approvals, type GraphApprovals, type StructuredTool } from "./approvals.ts";
export { askPerson, DecisionNotTaken, isStopped, NotAnswered, type Unanswered, withHolds } from "./ask.ts";
export { type GraphRunOptions, graphRun, type HoldableGraph } from "./run.ts";

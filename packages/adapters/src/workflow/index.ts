/**
 * @module
 * Holds for any workflow engine that suspends a run and resumes it by name: say how to look at a run and how to resume it.
 */
export type { PersonAsk } from "../person-ask.ts";
export { ExecutionUnknown, executeOnce, type OnceOutcome } from "./once.ts";
export { memoryStore, type RunStore, type SavedState, StateChanged, serverStore } from "./store.ts";
export type { Advanced, Progress, RunOptions, SuspendableRun, Suspension } from "./workflow.ts";
export { advanceRun, finishRun } from "./workflow.ts";

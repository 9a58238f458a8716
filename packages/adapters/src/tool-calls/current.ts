/** The run in which a tool is called: frameworks call tools from deep inside, and none hands a run's key to them. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { ClaimClient } from "@holdpoint/protocol/client";
import type { CallDecision } from "./call.ts";

export interface CurrentRun {
  readonly key: string;
  readonly client: ClaimClient;
  readonly decisions: ReadonlyMap<string, CallDecision>;
  /** Why the run must not go on. No guarded tool runs after it, and the state that the framework reaches is not saved. */
  halted?: Error;
}

const storage = new AsyncLocalStorage<CurrentRun>();

export function currentRun(): CurrentRun | undefined {
  return storage.getStore();
}

export function inRun<Result>(run: CurrentRun, work: () => Promise<Result>): Promise<Result> {
  return storage.run(run, work);
}

/** Errors as the events that end a run. */

import { isTerminalError } from "../../client/index.ts";
import { type AgUiEvent, PROTOCOL_VERSION, type RunInput } from "../index.ts";
import { RunFailure, RunRefusal } from "./codes.ts";
import type { Handling } from "./handling.ts";

/** A run that is refused before anything is looked at. */
export async function* refusedEvents(
  { threadId, runId }: RunInput,
  { code, message }: RunRefusal,
): AsyncGenerator<AgUiEvent, void, void> {
  yield { type: "RUN_STARTED", threadId, runId, protocolVersion: PROTOCOL_VERSION };
  yield { type: "RUN_ERROR", code, message };
}

export function errorEvent(error: unknown, { options }: Handling): AgUiEvent {
  if (error instanceof RunRefusal) return { type: "RUN_ERROR", code: error.code, message: error.message };
  if (error instanceof RunFailure) return error.event;
  options.onError?.(error);
  const refusal = new RunRefusal(isTerminalError(error) ? "HOLDPOINT_ERROR" : "AGENT_ERROR");
  return { type: "RUN_ERROR", code: refusal.code, message: refusal.message };
}

/** Every way a run is refused or fails, as a `RUN_ERROR` says it. Clients branch on the code. */

import { isTerminalError } from "../../client/index.ts";
import type { JsonObject } from "../../rules/index.ts";
import type { AgUiEvent } from "../index.ts";

/** The name of the event that tells more about a refusal. */
export const REFUSAL_EVENT = "holdpoint.refusal";

/** The name of the event that tells which answers count instead of those that a run brought. */
export const RECORDED_EVENT = "holdpoint.recorded";

/** Codes of `RUN_ERROR` events, with their messages. */
export const RUN_ERROR_CODES = {
  PENDING_INTERRUPTS: "The thread waits for answers: resume it before sending new input.",
  PARTIAL_RESUME: "Every open interrupt needs an entry in the same resume.",
  UNKNOWN_INTERRUPT_ID: "The resume names no interrupt that this thread waits for.",
  MISSING_INTERRUPT_ID: "The resume does not say which interrupt it answers.",
  DUPLICATE_INTERRUPT_ID: "The resume names an interrupt twice.",
  INTERRUPT_ALREADY_RESOLVED: "The interrupt was answered differently before.",
  INTERRUPT_EXPIRED: "The time to answer was up; only abandoning it is left.",
  INVALID_PAYLOAD: "The payload does not fit what was asked.",
  THREAD_MISMATCH: "The resume names another thread.",
  THREAD_BUSY: "Another run of this thread is under way.",
  NOT_ALLOWED: "This caller may not answer.",
  SHOWN_MISMATCH: "What was shown is not what is asked.",
  WORK_UNFINISHED: "Everything is answered, and the run that goes on with it has not ended.",
  NOTHING_TO_GO_ON: "The thread has no unfinished run.",
  RUN_CANCELLED: "The run was stopped.",
  AGENT_ERROR: "The agent failed.",
  ASK_CHANGED:
    "The agent, called again, asks something else than what was answered: nothing of it was executed.",
  CONVERSATION_TOO_LARGE:
    "The conversation is larger than the 10 MiB that can be kept. What was asked and answered stays: send fewer messages or less state.",
  EVENT_TOO_LARGE: "An event is larger than the 10 MiB that clients take in one piece.",
  EXECUTION_UNKNOWN: "An earlier run may have executed this; a person has to look.",
  HOLDPOINT_ERROR: "Holdpoint could not be reached or refused.",
} as const;

export type RunErrorCode = keyof typeof RUN_ERROR_CODES;

/** Ends a run with its code; nothing of it is silent. */
export class RunRefusal extends Error {
  override readonly name = "RunRefusal";
  readonly code: RunErrorCode;
  /** What the client needs to go on, told before the error as a `CUSTOM` event: RUN_ERROR has no place for it. */
  readonly told: JsonObject | undefined;
  /** Left open: nothing was changed by this request. */
  constructor(code: RunErrorCode, detail?: string, told?: JsonObject) {
    super(detail === undefined ? RUN_ERROR_CODES[code] : `${RUN_ERROR_CODES[code]} ${detail}`);
    this.code = code;
    this.told = told;
  }
}

/** Thrown by an agent that speaks for another one: ends the run with that one's own words. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly event: AgUiEvent;

  constructor(code: string | undefined, message: string) {
    super(message);
    this.event = { type: "RUN_ERROR", message, ...(code === undefined ? {} : { code }) };
  }
}

/** What the server said to an answer, as a run says it. */
export function refusalOf(error: unknown): unknown {
  if (!isTerminalError(error)) return error;
  switch (error.code) {
    case "not_allowed":
      return new RunRefusal("NOT_ALLOWED");
    case "invalid_answer":
    case "invalid_action": {
      const [first] = error.fields;
      return new RunRefusal(
        "INVALID_PAYLOAD",
        first === undefined ? undefined : `${first.key} ${first.message}`,
      );
    }
    case "shown_mismatch":
      return new RunRefusal("SHOWN_MISMATCH");
    case "hold_expired":
      return new RunRefusal("INTERRUPT_EXPIRED");
    default:
      return error;
  }
}

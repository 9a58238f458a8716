/**
 * Calls that end a hold. They are never repeated blindly: a reply may be lost after the answer was written, and by then
 * somebody else's may have come first. So the hold is read again, and what it says decides.
 */

import {
  type AnswerGiven,
  type Hold,
  isRefusal,
  isRetryableError,
  type Outcome,
  TerminalError,
} from "../client/index.ts";
import { isObject, type Json, type JsonObject, sameJson } from "../rules/index.ts";
import { pause } from "./runtime.ts";
import type { Transport } from "./transport.ts";

export interface Settling {
  send(): Promise<Hold>;
  read(): Promise<Hold>;
  /** Whether this is how the hold would have ended had the reply come. */
  isWanted(outcome: Outcome): boolean;
  readonly signal: AbortSignal | undefined;
}

export async function settleOnce(transport: Transport, settling: Settling): Promise<Hold> {
  const { send, read, isWanted, signal } = settling;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      // The refusal of a repeated call may be the echo of our own first one.
      if (attempt > 1 && isRefusal(error, "already_settled") && error.outcome && isWanted(error.outcome)) {
        return read();
      }
      if (!isRetryableError(error) || attempt >= transport.retry.attemptsMax) throw error;
      await pause(transport.runtime, transport.delayMs(error, attempt), signal);
    }
    const { outcome, ...hold } = await read();
    if (outcome !== undefined && isWanted(outcome)) return { ...hold, outcome };
    if (outcome !== undefined) throw settledOtherwise(hold, outcome);
  }
}

function settledOtherwise({ id, status }: Hold, outcome: Outcome): TerminalError {
  const expired = status === "expired";
  const code = expired ? "hold_expired" : "already_settled";
  const message = expired
    ? "the hold has expired; nobody answered in time"
    : `the hold was already ${status}`;
  return new TerminalError({ code, status: expired ? 410 : 409, message, holdId: id, outcome });
}

/** Sensitive values are withheld from everybody but the asker, so those cannot be compared and count as the same. */
export function isSameDecision(outcome: Outcome, answer: AnswerGiven): boolean {
  if (outcome.kind !== "decided" || outcome.action !== answer.action) return false;
  const given = JSON.parse(JSON.stringify(answer.data ?? {})) as JsonObject;
  return Object.entries(given).every(([name, value]) => {
    const recorded = outcome.data[name];
    return isWithheld(recorded) || isNothing(value) || sameJson(recorded, value);
  });
}

function isWithheld(value: Json | undefined): boolean {
  return value !== undefined && isObject(value) && value["withheld"] === true;
}

/** What is optional and empty is not kept. */
function isNothing(value: Json): boolean {
  return value === null || value === "";
}

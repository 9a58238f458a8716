/** Runs a call and turns what it throws into the errors of a hold client, as the client over HTTP does. */

import {
  isRetryableError,
  problemError,
  type RetryableError,
  type TerminalError,
} from "@holdpoint/protocol/client";
import { abortable, pause } from "@holdpoint/protocol/http";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../../system/clock.ts";
import { failureOf } from "../../http/failure.ts";
import { problemDetails } from "../../http/respond.ts";

/** About a minute in all, as over HTTP. */
const ATTEMPTS_MAX = 9;
const PAUSE_MAX_MS = 15_000;

/** Repeats the work while the store is unavailable: then nothing was written. The signal ends it with its own reason. */
export async function attempt<Value>(
  clock: Clock,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  const runtime = { after: (ms: number, wake: () => void) => clock.at(clock.now() + ms, wake) };
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted();
    try {
      return await (signal === undefined ? work() : abortable(work(), signal));
    } catch (fault) {
      signal?.throwIfAborted();
      const error = clientError(fault);
      if (attempts >= ATTEMPTS_MAX || isStopped(fault) || !isUnavailable(error)) throw error;
      const pauseMs = Math.min(PAUSE_MAX_MS, error.retryAfterMs * 2 ** (attempts - 1));
      await pause(runtime, pauseMs, signal);
    }
  }
}

/** The same error as the client over HTTP makes from the reply; the cause is kept for faults of the server. */
export function clientError(fault: unknown): TerminalError | RetryableError {
  const failure = failureOf(fault);
  const { status, body } = problemDetails(failure);
  const { retryAfterMs } = failure.transport;
  const error = problemError({ status, problem: body as JsonObject, retryAfterMs });
  if (error === null)
    throw new Error(`Invariant: the failure ${failure.failure.code} has no code on the wire`);
  if (failure !== fault) error.cause = fault;
  return error;
}

function isUnavailable(error: unknown): error is RetryableError {
  return isRetryableError(error) && error.code === "unavailable";
}

function isStopped(fault: unknown): boolean {
  return fault instanceof Error && fault.name === "EngineStopped";
}

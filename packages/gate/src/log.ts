/** What a run tells while it runs. Observation only: a logger that fails changes nothing. */

import type { PolicyDecision, PolicyResultMode } from "./policy.ts";

export type RunLogLevel = "debug" | "info" | "warn" | "error";

interface Placed {
  readonly level: RunLogLevel;
  readonly agent: string;
  readonly turn?: number;
}

export interface PolicyTrace {
  readonly decision: PolicyDecision;
  readonly reason: string;
  readonly publicReason?: string;
  readonly resultMode?: PolicyResultMode;
  readonly policyVersion?: string;
  readonly expiresAt?: string;
  readonly metadata?: Record<string, unknown>;
}

interface Call {
  readonly toolName: string;
  readonly callId: string;
}

interface Failure {
  readonly errorName: string;
  readonly errorMessage: string;
}

export type RunLogDetail =
  | { readonly type: "run_started"; readonly maxTurns: number; readonly historyItems: number }
  | { readonly type: "agent_activated" }
  | { readonly type: "turn_started" }
  | ({ readonly type: "tool_call_started" } & Call)
  | ({ readonly type: "tool_policy_evaluated" } & Call & PolicyTrace)
  | ({
      readonly type: "handoff_policy_evaluated";
      readonly handoffName: string;
      readonly callId: string;
      readonly toAgent: string;
    } & PolicyTrace)
  | ({ readonly type: "tool_call_completed" } & Call)
  | ({ readonly type: "tool_call_failed" } & Call & Failure)
  | { readonly type: "output_guardrail_started"; readonly guardrailName: string }
  | { readonly type: "output_guardrail_passed"; readonly guardrailName: string }
  | { readonly type: "output_guardrail_triggered"; readonly guardrailName: string; readonly reason?: string }
  | { readonly type: "run_completed"; readonly outputLength: number }
  | ({ readonly type: "run_failed" } & Failure);

export type RunLogEvent = { readonly timestamp: string } & Placed & RunLogDetail;

/**
 * Where events go, in the order in which things happen.
 *
 * @example
 * ```ts
 * const logger: RunLogger = { log: (event) => console.log(JSON.stringify(event)) };
 * ```
 */
export interface RunLogger {
  log(event: RunLogEvent): void | Promise<void>;
}

export type WriteLog = (placed: Placed, detail: RunLogDetail) => Promise<void>;

export function logWriter(logger: RunLogger | undefined, now: () => number): WriteLog {
  return async (placed, detail) => {
    try {
      await logger?.log({ timestamp: new Date(now()).toISOString(), ...placed, ...detail });
    } catch {
      // A listener must not be able to stop the run that it watches.
    }
  };
}

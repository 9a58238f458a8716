/** What an agent's author writes, and what they are given. */

import type { Json, JsonObject } from "../../rules/index.ts";
import type { AgUiEvent, AgUiMessage, AgUiTool, InterruptAnswer, InterruptAsk } from "../index.ts";

/**
 * Yields texts (each becomes one assistant message) and AG-UI events, and returns the run's result. It may be called again
 * from the start in another process: what it did before an answer is not sent again, and `step` and `tool` do not run twice.
 */
export type AgUiAgent = (run: AgUiRun) => AsyncGenerator<string | AgUiEvent, unknown, void>;

export interface AgUiRun {
  readonly threadId: string;
  /** Of the request under way; another one after every interrupt. */
  readonly runId: string;
  readonly messages: readonly AgUiMessage[];
  readonly state: Json;
  readonly tools: readonly AgUiTool[];
  readonly context: readonly JsonObject[];
  readonly forwardedProps: Json | undefined;
  /** Aborts when the client hangs up or the run is stopped. */
  readonly signal: AbortSignal;

  /** Ends the run until a person has answered, here or through any other door. */
  interrupt(ask: InterruptAsk): Promise<InterruptAnswer>;
  /** Several questions at once; the run goes on when all are answered. */
  interruptAll(asks: readonly InterruptAsk[]): Promise<readonly InterruptAnswer[]>;
  /** Streams a tool call, asks for approval if it needs one, and executes it once. */
  tool(call: ToolUse): Promise<ToolOutcome>;
  /** Several calls, approved together. */
  toolAll(calls: readonly ToolUse[]): Promise<readonly ToolOutcome[]>;
  /** Calls a tool of the app; its result comes with the next run's messages. */
  callClient(call: { readonly name: string; readonly args: JsonObject }): void;
  /** Something with an effect or a chance in it: done once, its result remembered. */
  step<Result extends Json>(work: () => Result | Promise<Result>): Promise<Result>;
  setState(state: Json): void;
  /** The same ids again when the agent is called again. */
  newId(prefix: string): string;
  /** Ends the run on purpose. */
  stop(): never;
}

export interface ToolUse {
  readonly name: string;
  readonly args: JsonObject;
  /** How the approval is asked for; `false`: it needs none. */
  readonly approval?: Omit<InterruptAsk, "toolCallId" | "reason"> | false;
  /** JSON Schema of the arguments: lets people approve with changes (AG-054). */
  readonly editable?: JsonObject;
  execute(args: JsonObject, signal: AbortSignal): Promise<Json> | Json;
}

export type ToolOutcome =
  | { readonly kind: "executed"; readonly args: JsonObject; readonly result: Json }
  | { readonly kind: "denied"; readonly payload: Json }
  | { readonly kind: "cancelled"; readonly expired: boolean }
  | { readonly kind: "failed"; readonly args: JsonObject };

const END = Symbol("the end of a run");

export interface ExplicitEnd {
  readonly result?: Json;
  /** Calls that the app has to answer with its next run. */
  readonly pendingToolCallIds?: readonly string[];
  /** Tokens that this run took. Sent with the end of the run, and not again when the resume is repeated (AG-050). */
  readonly usage?: readonly Json[];
}

/** For an agent that returns more than a result. */
export function runEnd(end: ExplicitEnd): unknown {
  return { ...end, [END]: true };
}

export function explicitEnd(value: unknown): ExplicitEnd | null {
  return typeof value === "object" && value !== null && END in value ? (value as ExplicitEnd) : null;
}

/** Thrown by `run.stop()`. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
}

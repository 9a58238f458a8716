/** One call of a tool that a framework has stopped before, and what became of it. */

import type { Place } from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";

export interface ToolCall {
  /** The framework's id of the call: unique within its run, and the same after every restart. */
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
}

export type CallDecision =
  | {
      readonly kind: "run";
      readonly tool: string;
      /** What was proposed, and what runs: the same unless a person changed it. */
      readonly proposed: JsonObject;
      readonly args: JsonObject;
      readonly isEdited: boolean;
      /** Claimed before the tool runs; absent when the server's rules allow the call without asking. */
      readonly holdId?: string;
    }
  /** `notice` is what the model is told. */
  | { readonly kind: "refused"; readonly notice: string };

/** How people are asked about a call, in the words of the SDK. */
export type CallAsk = Omit<
  Partial<Place>,
  "key" | "type" | "threadId" | "after" | "responseSchema" | "options" | "form"
>;

/** A tool that `wrap` has guarded. */
export interface GuardedTool {
  readonly name: string;
  /** JSON Schema of the arguments, so that people can approve with changes. */
  readonly argsSchema?: JsonObject;
  /** `server`: the gate rules of the server decide about each call. Absent: a person decides about each call. */
  readonly rules?: "server";
  readonly ask?: (call: ToolCall) => CallAsk;
}

/** What `wrap` takes besides the tools. */
export type WrapOptions = Pick<GuardedTool, "rules" | "ask">;

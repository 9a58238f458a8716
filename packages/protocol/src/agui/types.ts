/**
 * What AG-UI says about runs that stop for a person, in the released form (1.0) and in the draft that came before it. Only
 * the members that matter here are named; whatever else an event carries is left alone.
 */

import type { Json, JsonObject } from "../rules/index.ts";

/** How a run's end and its resume are written. What they say is the same. */
export type InterruptForm = "released" | "draft";

export const INTERRUPT_FORMS: readonly InterruptForm[] = ["released", "draft"];
export const PROTOCOL_VERSION = "1.0";

export type Interrupt = {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  readonly responseSchema?: JsonObject;
  readonly expiresAt?: string;
  readonly metadata?: JsonObject;
  /** The subagent that asks; absent: the agent itself. */
  readonly subagentRunId?: string;
};

/** The draft's single interrupt: everything people need to see is inside its payload. */
export interface DraftInterrupt {
  readonly id?: string;
  readonly reason?: string;
  readonly payload?: Json;
}

export interface ResumeEntry {
  readonly interruptId: string;
  /** A denial is `resolved` with `approved: false`; `cancelled` means that nobody will answer. */
  readonly status: "resolved" | "cancelled";
  readonly payload?: Json;
  readonly metadata?: JsonObject;
}

export interface DraftResume {
  readonly interruptId?: string;
  readonly threadId?: string;
  readonly payload?: Json;
}

export type AgUiToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

export type AgUiMessage = {
  readonly id: string;
  readonly role: string;
  readonly content?: Json;
  readonly toolCalls?: readonly AgUiToolCall[];
  readonly toolCallId?: string;
  readonly [member: string]: unknown;
};

/** Any event of the protocol: `type`, and what belongs to that type. */
export interface AgUiEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

export type AgUiTool = {
  readonly name: string;
  readonly [member: string]: unknown;
};

/** What a client posts to start or resume a run. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly protocolVersion?: string;
  readonly parentRunId?: string;
  readonly state?: Json;
  /** Absent only when an old client sent none. */
  readonly messages?: readonly AgUiMessage[];
  readonly tools: readonly AgUiTool[];
  readonly context: readonly JsonObject[];
  readonly forwardedProps?: Json;
  readonly resume?: Resume;
}

/** `list` covers all open interrupts at once; `single` is the draft's and the legacy spelling of one answer. */
export type Resume =
  | { readonly kind: "list"; readonly entries: readonly ResumeEntry[] }
  | {
      readonly kind: "single";
      readonly spelling: "draft" | "legacy";
      readonly interruptId?: string;
      readonly threadId?: string;
      readonly status: ResumeEntry["status"];
      readonly payload?: Json;
      /** The payload as a text that may also be JSON: what was asked decides which of the two is meant. */
      readonly text?: string;
    };

/** How a run ended, whichever form said so. */
export type RunEnd =
  | { readonly kind: "success"; readonly result?: Json; readonly pendingToolCallIds?: readonly string[] }
  | { readonly kind: "interrupt"; readonly interrupts: readonly Interrupt[] }
  | { readonly kind: "cancelled" };

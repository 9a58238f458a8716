/** The trajectory of a run: what went in, what the model called, what came back. Member names are aioc's. */

import type { ToolResultEnvelope } from "./envelope.ts";

export interface MessageItem {
  readonly type: "message";
  readonly role: "user" | "assistant" | "system";
  readonly content: string;
}

export interface ToolCallItem {
  readonly type: "tool_call_item";
  readonly callId: string;
  readonly name: string;
  readonly arguments?: unknown;
  /** The model's own text, which parsing may have changed. */
  readonly rawArguments?: string;
}

export interface ToolCallOutputItem {
  readonly type: "tool_call_output_item";
  readonly callId: string;
  readonly output?: unknown;
}

export interface MessageOutputItem {
  readonly type: "message_output_item";
  readonly content: string;
}

export type AgentInputItem = MessageItem | ToolCallItem | ToolCallOutputItem;
export type RunItem = ToolCallItem | ToolCallOutputItem | MessageOutputItem;

export type RunInput = string | readonly AgentInputItem[];

export function inputItems(input: RunInput): AgentInputItem[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : [...input];
}

/** What was asked: the text itself, or all that users said in the given items. */
export function questionOf(input: RunInput): string {
  if (typeof input === "string") return input;
  return input
    .map((item) => (item.type === "message" && item.role === "user" ? item.content.trim() : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

export function outputItem(callId: string, output: ToolResultEnvelope): ToolCallOutputItem {
  return { type: "tool_call_output_item", callId, output };
}

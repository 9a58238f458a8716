/** Small worlds for the gate's tests: one agent, one tool that counts, one clock that stands still. */

import { z } from "zod";
import type { Agent } from "./agent.ts";
import { defineAgent } from "./agent.ts";
import type { ToolResultEnvelope } from "./envelope.ts";
import { isToolResultEnvelope } from "./envelope.ts";
import type { AgentInputItem } from "./items.ts";
import type { RunLogEvent } from "./log.ts";
import type { ProviderEvent } from "./provider.ts";
import { scriptedProvider } from "./provider.ts";
import type { RunRecord } from "./record.ts";
import { defineTool } from "./tool.ts";

export const NOW = Date.parse("2026-11-15T10:00:00.000Z");
export const now = (): number => NOW;

/** One of the model's calls. */
export function toolCall(name: string, args: unknown = {}, callId = "call-1"): ProviderEvent {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { type: "tool_call", callId, name, arguments: text };
}

/** A model that makes these calls in its first turn and then says "done". */
export function calling(...calls: readonly ProviderEvent[]) {
  return scriptedProvider([calls, [{ type: "completed", message: "done" }]]);
}

export interface PingWorld<TContext> {
  readonly agent: Agent<TContext>;
  /** What the tool was executed with, in order. */
  readonly executed: unknown[];
}

/** An agent with a tool `ping` that takes anything and remembers it. */
export function pingWorld<TContext = unknown>(name = "Policy unit agent"): PingWorld<TContext> {
  const executed: unknown[] = [];
  const ping = defineTool({
    name: "ping",
    description: "Answers.",
    parameters: z.looseObject({}),
    execute: (input) => {
      executed.push(input);
      return { ok: true };
    },
  });
  return { agent: defineAgent<TContext>({ name, model: "some-model", tools: [ping] }), executed };
}

/** Two agents, the first of which may hand off to the second. */
export function handoffWorld<TContext = unknown>(): { source: Agent<TContext>; target: Agent<TContext> } {
  const target = defineAgent<TContext>({ name: "Target Agent", model: "some-model" });
  const source = defineAgent<TContext>({ name: "Source Agent", model: "some-model", handoffs: [target] });
  return { source, target };
}

/** A record sink and a logger that keep what they are given. */
export function witness<TContext = unknown>() {
  const records: RunRecord<TContext>[] = [];
  const events: RunLogEvent[] = [];
  return {
    records,
    events,
    sink: (record: RunRecord<TContext>) => void records.push(record),
    logger: { log: (event: RunLogEvent) => void events.push(event) },
  };
}

export function envelopes(items: readonly AgentInputItem[]): readonly ToolResultEnvelope[] {
  return items
    .map((item) => (item.type === "tool_call_output_item" ? item.output : undefined))
    .filter(isToolResultEnvelope);
}

/** What a promise was rejected with; fails when it was not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("expected a rejection");
}

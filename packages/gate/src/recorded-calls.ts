/** The calls in a run's items, each with its own output. */

import { canonicalProposalJson } from "@holdpoint/protocol/proposal";
import type { AgentInputItem } from "./items.ts";

export interface RecordedCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly rawArguments?: string;
  readonly argsCanonicalJson: string;
  readonly hasOutput: boolean;
  readonly output?: unknown;
}

/**
 * Pairs calls with outputs. Models reuse call ids, so an output belongs to the earliest call of its id that still has
 * none; a repeated id never lends one call's output to another.
 *
 * @example
 * ```ts
 * const refunds = recordedCalls(record.items).filter(({ name }) => name === "refund");
 * ```
 */
export function recordedCalls(items: readonly AgentInputItem[]): readonly RecordedCall[] {
  const calls: RecordedCall[] = [];
  for (const item of items) {
    if (item.type === "tool_call_item") {
      const argsCanonicalJson = canonicalProposalJson(item.arguments);
      const { callId, name, rawArguments } = item;
      const raw = rawArguments === undefined ? {} : { rawArguments };
      calls.push({ callId, name, arguments: item.arguments, ...raw, argsCanonicalJson, hasOutput: false });
    } else if (item.type === "tool_call_output_item") {
      const at = calls.findIndex((call) => call.callId === item.callId && !call.hasOutput);
      const call = calls[at];
      if (call !== undefined) calls[at] = { ...call, hasOutput: true, output: item.output };
    }
  }
  return calls;
}

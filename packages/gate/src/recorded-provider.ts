/** The model's side of a recorded run, as a provider: the same calls in the same turns, without a model. */

import type { ModelProvider, ProviderEvent } from "./provider.ts";
import { scriptedProvider } from "./provider.ts";
import type { RunRecord } from "./record.ts";

/**
 * Says again what the model said in a recorded run. Call ids are the recorded ones; hashes do not depend on them.
 *
 * @example
 * ```ts
 * await run(agent, record.question, { provider: recordedProvider(record), policies });
 * ```
 */
export function recordedProvider(record: RunRecord): ModelProvider {
  const produced = record.items.slice(
    record.inputItemCount ?? record.requestFingerprints[0]?.messageCount ?? 0,
  );
  const turns: ProviderEvent[][] = [];
  const inTurn = (turn: number, event: ProviderEvent): void => {
    while (turns.length < turn) turns.push([]);
    turns[turn - 1]?.push(event);
  };
  // Every call has exactly one decision and both are kept in call order, so the decisions know the turns.
  let calls = 0;
  for (const item of produced) {
    const turn = record.policyDecisions[calls]?.turn ?? turns.length + 1;
    if (item.type === "message") inTurn(turn, { type: "completed", message: item.content });
    if (item.type !== "tool_call_item") continue;
    const text = item.rawArguments ?? JSON.stringify(item.arguments ?? {});
    inTurn(turn, { type: "tool_call", callId: item.callId, name: item.name, arguments: text });
    calls += 1;
  }
  return scriptedProvider(turns, { name: record.providerName ?? "recorded" });
}

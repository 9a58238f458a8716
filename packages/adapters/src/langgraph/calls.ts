/** Which tool calls LangChain's middleware asks about. It names them by position only; the graph's messages have their ids. */

import type { HitlAction } from "@holdpoint/protocol/agui";
import { isObject, type JsonObject, sameJson } from "@holdpoint/protocol/rules";
import type { ToolCall } from "../tool-calls/call.ts";
import { asJson } from "../tool-calls/json.ts";

interface Message {
  readonly tool_calls?: readonly { readonly id?: string; readonly name?: string; readonly args?: unknown }[];
}

/** In the order of the actions; undefined where no call of the last message fits. */
export function toolCallsFor(
  actions: readonly HitlAction[],
  values: unknown,
): readonly (ToolCall | undefined)[] {
  const left = [...callsIn(values)];
  return actions.map(({ name, args }) => {
    // The middleware keeps the order of the message and may leave calls out.
    const at = left.findIndex((call) => call.tool === name && sameJson(call.args, args));
    return at === -1 ? undefined : left.splice(0, at + 1).at(-1);
  });
}

function callsIn(values: unknown): readonly ToolCall[] {
  const messages = isObject(values) ? (values as { readonly messages?: unknown }).messages : undefined;
  if (!Array.isArray(messages)) return [];
  const last = (messages as readonly Message[]).findLast(({ tool_calls: calls }) => (calls?.length ?? 0) > 0);
  return (last?.tool_calls ?? []).map(({ id = "", name = "", args }) => ({
    ...{ id, tool: name, args: asJson(args ?? {}) as JsonObject },
  }));
}

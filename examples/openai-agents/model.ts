/** The SDK's scripted model in place of a real one: it proposes a refund, and then repeats what the tool said. */

import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents-core/testing";

export function mockModel(order: string): ScriptedModel {
  const respond = modelResponder(({ request }) => {
    const items = Array.isArray(request.input) ? request.input : [];
    const result = items.findLast(({ type }) => type === "function_call_result");
    if (result !== undefined) return [assistantMessage(JSON.stringify(result))];
    return [functionCall("refund", { order, amount: 80 }, { callId: `call-${order}` })];
  });
  return new ScriptedModel([respond, respond]);
}
